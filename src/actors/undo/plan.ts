import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../common/slices.ts';
import type { ProjectSettings } from '../../events/fields.ts';
import type { EditType } from '../../projections/edits.ts';
import type { Step, Transition } from '../../projections/fold/change.ts';
import type { Collections, LinkRecord, NodeRecord, RecordView } from '../../projections/records.ts';
import type { BatchStep } from '../batch/interface.ts';
import type { LabContext } from '../context.ts';
import { portKey } from '../port/port-key.ts';
import {
  differing,
  drawingAgain,
  drawingChanges,
  type Editable,
  fieldsOf,
  linkAgain,
  linkChanges,
  nodeAgain,
  nodeChanges,
} from './fields.ts';
import type { Left, LeftReason, Planned } from './interface.ts';

type Known = Pick<Collections, EditType>;

/** One object that is to be what it was: `before`. `after`: what it is taken to be now, if nobody has changed it since. */
export type Target = {
  [T in EditType]: { type: T; id: string; before: Known[T] | null; after: Known[T] | null; notKept: string[] };
}[EditType];
type TargetOf<T extends EditType> = Extract<Target, { type: T }>;

export interface Plan {
  steps: BatchStep[];
  settings: Partial<ProjectSettings>;
  changes: Planned[];
  left: Omit<Left, 'by'>[];
}

/** What the steps of an edit have made of each object. */
export const targetsOf = (steps: readonly Step[]): Target[] => {
  const targets = new Map<string, Target>();
  for (const { event, transitions } of steps)
    for (const t of transitions) {
      if (!isKnown(t)) continue;
      const first = { type: t.collection, id: t.id, before: t.before, notKept: [] };
      const target = { ...(targets.get(t.id) ?? first), after: t.record } as Target;
      if (event.type === 'node.updated' && event.data.changes.text_files !== undefined)
        target.notKept = [...event.data.changes.text_files];
      targets.set(t.id, target);
    }
  return [...targets.values()];
};

const isKnown = ({ collection }: Transition): boolean =>
  collection === 'node' || collection === 'link' || collection === 'drawing' || collection === 'project';

/** In the order in which each is possible after those before. */
type Turn = 'unlink' | 'remove' | 'change' | 'make' | 'link' | 'draw';
const TURNS: readonly Turn[] = ['unlink', 'remove', 'change', 'make', 'link', 'draw'];

/** Decides what makes the targets what they were; pure. */
export const planOf = (context: LabContext, targets: readonly Target[]): Steps<Plan> =>
  new Planning(context, targets).plan();

class Planning {
  readonly #context: LabContext;
  readonly #targets: readonly Target[];
  readonly #turns = new Map<Turn, BatchStep[]>(TURNS.map((turn) => [turn, []]));
  readonly #changes: Planned[] = [];
  readonly #left: Plan['left'] = [];
  #settings: Partial<ProjectSettings> = {};
  /** Nodes and links that will be gone, and nodes that will be there again. */
  readonly #going = new Set<string>();
  readonly #coming = new Set<string>();

  constructor(context: LabContext, targets: readonly Target[]) {
    this.#context = context;
    this.#targets = targets;
  }

  get #view(): RecordView {
    return this.#context.pending;
  }

  *plan(): Steps<Plan> {
    const of = <T extends EditType>(type: T): TargetOf<T>[] =>
      this.#targets.filter((target): target is TargetOf<T> => target.type === type);
    const links = of('link');
    yield* each(links, (target) => target.before === null && this.#link(target));
    yield* each(of('node'), (target) => this.#node(target));
    yield* each(links, (target) => target.before !== null && this.#link(target));
    yield* each(of('drawing'), (target) => this.#drawing(target));
    yield* each(of('project'), (target) => this.#project(target));
    return {
      steps: TURNS.flatMap((turn) => this.#turns.get(turn) ?? []),
      settings: this.#settings,
      changes: this.#changes,
      left: this.#left,
    };
  }

  #do(turn: Turn, ...steps: BatchStep[]): void {
    this.#turns.get(turn)?.push(...steps);
  }

  #node(target: TargetOf<'node'>): void {
    const { id, before, after } = target;
    const now = this.#view.get('node', id) ?? null;
    if (before === null) {
      if (!this.#mayGo(target, now, this.#unsteady(now))) return;
      if (this.#view.linksOf(id).some(({ link_id }) => !this.#going.has(link_id))) return this.#leave(target, 'linked');
      if (now?.locked === true && after?.locked === true)
        this.#do('remove', { action: 'update', type: 'node', id, changes: { locked: false } });
      this.#going.add(id);
      this.#do('remove', { action: 'delete', type: 'node', id });
      return this.#told(target, 'delete');
    }
    if (after === null) {
      if (now !== null) return this.#leave(target, 'exists');
      this.#coming.add(id);
      this.#do('make', { action: 'create', type: 'node', input: nodeAgain(this.#context, before) });
      return this.#told(target, 'create');
    }
    this.#changed(target, now, (paths) => {
      const { changes, notKept } = nodeChanges(this.#context, before, paths);
      const kept = paths.filter((path) => !notKept.includes(path));
      if (kept.length > 0) this.#do('change', { action: 'update', type: 'node', id, changes });
      return notKept;
    });
  }

  /** What is set of a node when it starts, or by its compute. */
  #unsteady(now: NodeRecord | null): (path: string) => boolean {
    const isElsewhere = now !== null && !this.#context.computes.isHere(now.compute_id);
    return (path) => path === 'console' || (isElsewhere && path.startsWith('properties.'));
  }

  #link(target: TargetOf<'link'>): void {
    const { id, before, after } = target;
    const now = this.#view.get('link', id) ?? null;
    if (before === null) {
      if (!this.#mayGo(target, now)) return;
      this.#going.add(id);
      this.#do('unlink', { action: 'delete', type: 'link', id });
      return this.#told(target, 'delete');
    }
    if (after === null) {
      if (now !== null) return this.#leave(target, 'exists');
      if (!before.nodes.every((end) => this.#isFree(end))) return this.#leave(target, 'no_end');
      this.#do('link', { action: 'create', type: 'link', input: linkAgain(before) });
      return this.#told(target, 'create');
    }
    this.#changed(target, now, (paths) => {
      this.#do('link', { action: 'update', type: 'link', id, changes: linkChanges(before, paths) });
      return [];
    });
  }

  #isFree(end: LinkRecord['nodes'][number]): boolean {
    const { node_id } = end;
    if (this.#coming.has(node_id)) return true;
    if (this.#going.has(node_id) || this.#view.get('node', node_id) === undefined) return false;
    const isOn = (link: LinkRecord): boolean =>
      link.nodes.some((one) => one.node_id === node_id && portKey(one) === portKey(end));
    return !this.#view.linksOf(node_id).some((link) => !this.#going.has(link.link_id) && isOn(link));
  }

  #drawing(target: TargetOf<'drawing'>): void {
    const { id, before, after } = target;
    const now = this.#view.get('drawing', id) ?? null;
    if (before === null) {
      if (!this.#mayGo(target, now)) return;
      if (now?.locked === true) this.#do('draw', { action: 'update', type: 'drawing', id, changes: { locked: false } });
      this.#do('draw', { action: 'delete', type: 'drawing', id });
      return this.#told(target, 'delete');
    }
    if (after === null) {
      if (now !== null) return this.#leave(target, 'exists');
      this.#do('draw', { action: 'create', type: 'drawing', input: drawingAgain(before) });
      return this.#told(target, 'create');
    }
    this.#changed(target, now, (paths) => {
      this.#do('draw', { action: 'update', type: 'drawing', id, changes: drawingChanges(before, paths) });
      return [];
    });
  }

  #project(target: TargetOf<'project'>): void {
    const { before } = target;
    // It comes and goes with all that is in it, and that is no edit.
    if (before === null || target.after === null) return;
    this.#changed(target, this.#view.get('project', target.id) ?? null, (paths) => {
      const was = fieldsOf(before);
      const there = paths.filter((path) => was.has(path));
      this.#settings = Object.fromEntries(there.map((path) => [path, was.get(path)]));
      return paths.filter((path) => !there.includes(path));
    });
  }

  /** Whether an object that was not there before is as the edit has left it. */
  #mayGo(target: Target, now: Editable | null, isUnsteady: (path: string) => boolean = () => false): boolean {
    if (now === null) {
      this.#leave(target, 'deleted');
      return false;
    }
    if (target.after === null) return true;
    const since = differing(fieldsOf(now), fieldsOf(target.after)).filter((path) => !isUnsteady(path));
    if (since.length > 0) this.#leave(target, 'changed', since);
    return since.length === 0;
  }

  /** `put`: makes the step, and answers which paths it cannot put back. */
  #changed(target: Target, now: Editable | null, put: (paths: string[]) => readonly string[]): void {
    const { before, after } = target;
    if (now === null || before === null || after === null) return this.#leave(target, 'deleted');
    const was = fieldsOf(before);
    const made = fieldsOf(after);
    const is = fieldsOf(now);
    const paths = differing(was, made).filter((path) => !isDeepStrictEqual(is.get(path), was.get(path)));
    const since = paths.filter((path) => !isDeepStrictEqual(is.get(path), made.get(path)));
    if (since.length > 0) this.#leave(target, 'changed', since);
    const back = paths.filter((path) => !since.includes(path));
    const notKept = back.length === 0 ? [] : put(back);
    const lost = [...target.notKept, ...notKept];
    if (lost.length > 0) this.#leave(target, 'not_kept', lost);
    const fields = back
      .filter((path) => !notKept.includes(path))
      .map((path) => ({ field: path, from: is.get(path) ?? null, to: was.get(path) ?? null }));
    if (fields.length > 0) this.#told(target, 'change', fields);
  }

  #told({ type, id, before, after }: Target, action: Planned['action'], fields: Planned['fields'] = []): void {
    this.#changes.push({ type, id, name: nameOf(this.#view, before ?? after), action, fields });
  }

  #leave({ type, id, before, after }: Target, why: LeftReason, fields: string[] = []): void {
    const name = nameOf(this.#view, this.#view.get(type, id) ?? after ?? before);
    this.#left.push({ type, id, name, fields, why });
  }
}

function* each<T>(targets: readonly T[], decide: (target: T) => unknown): Steps<void> {
  for (const target of targets) {
    decide(target);
    yield;
  }
}

const nameOf = (view: RecordView, record: Editable | null): string | null => {
  if (record === null || 'svg' in record) return null;
  if (!('link_id' in record)) return record.name;
  const names = record.nodes.map(({ node_id }) => view.get('node', node_id)?.name);
  return names.every((name) => name !== undefined) ? names.join(' – ') : null;
};
