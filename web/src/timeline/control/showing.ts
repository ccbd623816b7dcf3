import type { Records } from '../../store/records.ts';
import { overlay, reconcile } from '../panes/compare.ts';
import { entryAt } from '../server.ts';
import type { Inner } from './controller.ts';
import { latestOnly, remembering } from '../../store/following/latest.ts';

/** Moments that are kept, as one goes back and forth. */
const KEPT = 40;

interface Showing {
  /** Brings what the state says on the map, the newest wish last. */
  readonly show: () => void;
  readonly positionAt: (time: number) => Promise<number | null>;
}

export const showing = ({ lab, state, change, fail }: Inner): Showing => {
  const recordsAt = remembering((position: number) => lab.read(position), KEPT);
  const positionAt = async (time: number): Promise<number | null> => (await entryAt(lab, time))?.last ?? null;
  const known = async (position: number): Promise<Records> => {
    const shown = lab.past.get();
    const records = await recordsAt(position);
    return shown === null ? reconcile(lab.state.get().records, records) : reconcile(shown.records, records);
  };
  const showMoment = async (time: number): Promise<void> => {
    const [last, here] = await Promise.all([entryAt(lab, time), entryAt(lab, time, state.get().filter)]);
    if (last === null) return;
    const moment = { at: last.last, time: new Date(time).toISOString() };
    const shown = lab.past.get();
    const isSame = shown !== null && shown.moment.at === last.last && shown.marks.size === 0;
    const records = isSame ? shown.records : await known(last.last);
    const { cursor, comparison } = state.get();
    if (cursor === null || comparison !== null) return;
    if (cursor === time) change({ here });
    lab.past.set({ moment, records, marks: new Map() });
  };
  const showComparison = async (from: number, to: number): Promise<void> => {
    const [before, after] = await Promise.all([positionAt(from), positionAt(to)]);
    if (before === null || after === null) return;
    const [old, now, diffs] = await Promise.all([
      known(before),
      known(after),
      lab.client.get('/v2/projects/{project_id}/diff', {
        path: { project_id: lab.projectId },
        query: { from: String(before), to: String(after) },
      }),
    ]);
    const { comparison } = state.get();
    if (comparison?.from !== from || comparison.to !== to) return;
    const [records, marks] = overlay(old, now, diffs);
    change({ comparison: { from, to, diffs } });
    lab.past.set({ moment: { at: after, time: new Date(to).toISOString() }, records, marks });
  };
  const bring = latestOnly(async () => {
    const { cursor, comparison } = state.get();
    try {
      if (comparison !== null) await showComparison(comparison.from, comparison.to);
      else if (cursor !== null) await showMoment(cursor);
      if (state.get().problem !== null) change({ problem: null });
    } catch (problem) {
      fail(problem);
    }
  });
  const show = (): void => {
    const { cursor, comparison } = state.get();
    if (cursor === null && comparison === null) {
      lab.past.set(null);
      change({ here: null });
    } else bring(undefined);
  };
  return { show, positionAt };
};
