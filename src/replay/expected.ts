import { isDeepStrictEqual } from 'node:util';
import { type CheckForm, renamed, subjectOf } from '../common/forms/check.ts';
import { planReplay } from './perform/steps.ts';
import type { SessionContent } from './read-session.ts';

/** What a session itself tells of an expectation, without making its lab again. */

type Session = Pick<SessionContent, 'events' | 'base'>;

const baseAt = (session: Session, position: number) => planReplay(session, { from: position + 1, to: position }).base;

/** The first node of an expectation that there is not at a position; null: all are there. */
export const missingAt = (session: Session, expect: CheckForm, position: number): string | null => {
  const known = new Set(baseAt(session, position).nodes.flatMap(({ name, node_id }) => [name, node_id]));
  const missing: string[] = [];
  const look = (name: string): string => {
    if (!known.has(name)) missing.push(name);
    return name;
  };
  renamed(expect, { node: look, link: (link) => link });
  return missing[0] ?? null;
};

/** Where checks of the session have said that the same holds: positions, newest first. */
export const heldAt = (session: Session, expect: CheckForm): number[] => {
  const same = new Map<string, boolean>();
  return session.events.toReversed().flatMap((event) => {
    if (event.type !== 'check.met') return [];
    const { check_id } = event.data;
    const known = same.get(check_id) ?? isSame(session, expect, check_id, event.position);
    same.set(check_id, known);
    return known ? [event.position] : [];
  });
};

/** Whether a check of that moment looks at what is expected; nodes by name, as the expectation has them. */
const isSame = (session: Session, expect: CheckForm, checkId: string, position: number): boolean => {
  const { project, nodes } = baseAt(session, position);
  const check = project.checks?.find(({ check_id }) => check_id === checkId);
  if (check === undefined) return false;
  const names = new Map(nodes.map(({ node_id, name }) => [node_id, name]));
  const node = (id: string): string => names.get(id) ?? id;
  const about = (one: CheckForm): unknown => renamed(one, { node, link: (link) => link })[subjectOf(one)];
  return subjectOf(check) === subjectOf(expect) && isDeepStrictEqual(about(check), about(expect));
};
