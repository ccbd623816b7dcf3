import { isDeepStrictEqual } from 'node:util';
import { duration, durationText } from '../common/forms/duration.ts';
import { type CheckRecord, renamed, type StageForm } from '../common/forms/check.ts';
import { linkName, nameOf } from './check-names.ts';
import type { RecordView, RunRecord } from './records.ts';

/** Progress of a learner in a stage. */
export interface StageState {
  name: string;
  /** Every stage that unlocks it is passed; true where none does. */
  is_unlocked: boolean;
  is_passed: boolean;
  /** Points for checks met in time; 0 while locked. */
  points: number;
  of: number;
  /** Duration since the start of the lab; null: none. */
  deadline: string | null;
  /** `position`: of the event that met the check; null: not met, or not in time. */
  checks: { check_id: string | null; name: string; points: number; position: number | null }[];
}

/** Names of the checks and stages in which a copy of a lab differs from the original. */
export const changedIn = (view: RecordView, copyId: string, labId: string): { checks: string[]; stages: string[] } => {
  const [copy, lab] = [decidingIn(view, copyId), decidingIn(view, labId)];
  return { checks: differing(copy.checks, lab.checks), stages: differing(copy.stages, lab.stages) };
};

/** Stages and their checks, with names in place of ids of nodes and links. */
const decidingIn = (view: RecordView, projectId: string) => {
  const { checks = [], stages = [] } = view.get('project', projectId) ?? {};
  const wanted = new Set(stages.flatMap((stage) => stage.checks));
  const node = (id: string): string => view.get('node', id)?.name ?? id;
  const said = checks.map(({ check_id: _, ...check }): [string, object] => [
    nameOf(view, check),
    renamed(check, { node, link: (id) => linkName(view, id) }),
  ]);
  return {
    checks: new Map(said.filter(([name]) => wanted.has(name))),
    stages: new Map(stages.map((stage): [string, object] => [stage.name, stage])),
  };
};

const differing = (some: ReadonlyMap<string, object>, others: ReadonlyMap<string, object>): string[] =>
  [...new Set([...others.keys(), ...some.keys()])].filter((key) => !isDeepStrictEqual(some.get(key), others.get(key)));

const pointsOf = ({ points = 1 }: Pick<CheckRecord, 'points'>): number => points;

/** Stages of a project by the results of its checks. A check that was met once stays earned. */
export const stagesOf = (view: RecordView, projectId: string): StageState[] => {
  const project = view.get('project', projectId);
  const earned = view.get('run', projectId)?.earned ?? {};
  const checks = new Map((project?.checks ?? []).map((check) => [nameOf(view, check), check]));
  const states = (project?.stages ?? []).map((stage) => stateOf(stage, checks, earned));
  return unlocked(project?.stages ?? [], states);
};

const stateOf = (
  { name, checks: names, deadline }: StageForm,
  checks: ReadonlyMap<string, CheckRecord>,
  earned: RunRecord['earned'],
): StageState => {
  const end = deadline === undefined ? Infinity : duration.parse(deadline);
  const parts = names.map((called) => {
    const check = checks.get(called);
    const met = check === undefined ? undefined : earned[check.check_id];
    const position = met !== undefined && met.after_ms <= end ? met.position : null;
    return {
      check_id: check?.check_id ?? null,
      name: called,
      points: check === undefined ? 0 : pointsOf(check),
      position,
    };
  });
  return {
    name,
    is_unlocked: true,
    is_passed: parts.every(({ position }) => position !== null),
    points: sum(parts.filter(({ position }) => position !== null)),
    of: sum(parts),
    deadline: deadline === undefined ? null : durationText(end),
    checks: parts,
  };
};

const sum = (parts: readonly { points: number }[]): number => parts.reduce((total, { points }) => total + points, 0);

/** Locks stages until nothing changes: a locked stage is not passed, and unlocks nothing. */
const unlocked = (stages: readonly StageForm[], states: readonly StageState[]): StageState[] => {
  const locked = new Set<string>();
  for (let before = -1; before !== locked.size;) {
    before = locked.size;
    for (const [index, { unlocks = [] }] of stages.entries()) {
      const state = states[index];
      const opens = state !== undefined && state.is_passed && !locked.has(state.name);
      if (!opens) for (const name of unlocks) locked.add(name);
    }
  }
  return states.map((state) =>
    locked.has(state.name) ? { ...state, is_unlocked: false, is_passed: false, points: 0 } : state,
  );
};
