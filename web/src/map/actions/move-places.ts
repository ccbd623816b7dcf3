import type { Lab } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import type { EditHeaders } from '../../undo/edits.ts';
import type { Place } from './arrange.ts';
import { postBatch } from './object-actions.ts';

const placeOf = ({ nodes, drawings }: Records, id: string): { x: number; y: number } | undefined =>
  nodes.get(id) ?? drawings.get(id);

/** Only what is there and really goes elsewhere. */
const realMoves = (records: Records, places: readonly Place[]): Place[] =>
  places.flatMap(({ id, x, y }) => {
    const now = placeOf(records, id);
    const next = { id, x: Math.round(x), y: Math.round(y) };
    return now === undefined || (now.x === next.x && now.y === next.y) ? [] : [next];
  });

/** Puts things elsewhere, as a part of an edit. Throws what the server says; then nothing has moved. */
export const movePlaces = async (lab: Lab, places: readonly Place[], headers: EditHeaders): Promise<void> => {
  const { records } = lab.state.get();
  const steps = realMoves(records, places).map(({ id, x, y }) => ({
    action: 'update' as const,
    type: records.nodes.has(id) ? ('node' as const) : ('drawing' as const),
    id,
    record: { x, y },
  }));
  if (steps.length === 0) return;
  await postBatch(lab, steps, headers);
};
