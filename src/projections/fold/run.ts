import { isDeepStrictEqual } from 'node:util';
import type { CheckRecord } from '../../common/forms/check.ts';
import type { CheckVerdict, RecordView } from '../records.ts';
import { type EventOf, type Folds, type RecordChange, run } from './change.ts';

type VerdictEvent = EventOf<'check.met' | 'check.broken'>;

/** Of an event whose run is not known, as that of a part of a log, nothing is kept. */
const verdict = (view: RecordView, { type, data, at, position }: VerdictEvent): RecordChange[] => {
  const record = view.get('run', data.project_id);
  if (record === undefined) return [];
  const { check_id, after_ms, text } = data;
  const is_met = type === 'check.met';
  const broken = (record.verdicts[check_id]?.broken ?? 0) + (is_met ? 0 : 1);
  const told: CheckVerdict = { is_met, at, position, after_ms, text, broken };
  const isSoonest = is_met && after_ms < (record.earned[check_id]?.after_ms ?? Infinity);
  return run({
    ...record,
    verdicts: { ...record.verdicts, [check_id]: told },
    earned: isSoonest ? { ...record.earned, [check_id]: { after_ms, position } } : record.earned,
  });
};

export const runFolds: Folds<'run.begun' | 'run.ended' | 'check.met' | 'check.broken'> = {
  'run.begun': (view, { data: { project_id }, at, position }) => {
    const before = view.get('run', project_id);
    const record = { project_id, began: at, position, is_over: false, verdicts: {}, earned: before?.earned ?? {} };
    return run(before === undefined ? record : { ...before, ...record });
  },
  'run.ended': (view, { data: { project_id } }) => {
    const record = view.get('run', project_id);
    return record === undefined ? [] : run({ ...record, is_over: true });
  },
  'check.met': verdict,
  'check.broken': verdict,
};

const asked = ({ name: _name, points: _points, ...check }: CheckRecord): object => check;

/** What a check has said and earned is about what it asked: one that asks something else from now on, or is gone, has nothing of it. */
export const checksChanged = (
  view: RecordView,
  id: string,
  checks: readonly CheckRecord[] | undefined,
): RecordChange[] => {
  const record = view.get('run', id);
  if (record === undefined || checks === undefined) return [];
  const stays = (check: CheckRecord): boolean => checks.some((now) => isDeepStrictEqual(asked(now), asked(check)));
  const known = view.get('project', id)?.checks ?? [];
  const left = new Set(known.filter((check) => !stays(check)).map(({ check_id }) => check_id));
  if (left.size === 0) return [];
  const kept = <T>(map: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(map).filter(([check_id]) => !left.has(check_id)));
  return run({ ...record, verdicts: kept(record.verdicts), earned: kept(record.earned) });
};
