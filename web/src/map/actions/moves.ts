import type { Client } from 'topolog/client';
import type { Records } from '../../store/records.ts';
import { createStore, type Store } from '../../store/store.ts';
import type { Place } from './arrange.ts';

/** Where things were, and where they were put. */
export interface Move {
  readonly from: readonly Place[];
  readonly to: readonly Place[];
}

export interface Moves {
  /** Those that can be undone, the last one at the end. */
  readonly done: Store<readonly Move[]>;
  /** Puts things elsewhere. Throws what the server says; then nothing has moved. */
  readonly move: (places: readonly Place[]) => Promise<void>;
  /**
   * Puts back what the last move has moved, also one that is still under way, but for what somebody else has moved since. Answers how many that
   * are; null: there is no move to undo.
   */
  readonly undo: () => Promise<number | null>;
}

const MOST_KEPT = 50;

export const createMoves = (client: Client, projectId: string, records: () => Records): Moves => {
  const done = createStore<readonly Move[]>([]);
  const send = (places: readonly Place[]): Promise<void> => put(client, projectId, records(), places);
  const inSlice = queue();
  return {
    done,
    move: (places) =>
      inSlice(async () => {
        const move = moveOf(records(), places);
        if (move.to.length === 0) return;
        await send(move.to);
        done.update((now) => [...now, move].slice(-MOST_KEPT));
      }),
    undo: () =>
      inSlice(async () => {
        const last = done.get().at(-1);
        if (last === undefined) return null;
        const back = stillThere(records(), last);
        if (back.length > 0) await send(back);
        done.update((now) => now.filter((move) => move !== last));
        return back.length;
      }),
  };
};

/** Work begins when what was asked for before it is over. */
const queue = (): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
};

const placeOf = ({ nodes, drawings }: Records, id: string): { x: number; y: number } | undefined =>
  nodes.get(id) ?? drawings.get(id);

/** Only what is there and really goes elsewhere. */
export const moveOf = (records: Records, places: readonly Place[]): Move => {
  const from: Place[] = [];
  const to: Place[] = [];
  for (const { id, x, y } of places) {
    const now = placeOf(records, id);
    const next = { id, x: Math.round(x), y: Math.round(y) };
    if (now === undefined || (now.x === next.x && now.y === next.y)) continue;
    from.push({ id, x: now.x, y: now.y });
    to.push(next);
  }
  return { from, to };
};

/** The old places of what is still where the move has put it, or of which the feed has not told yet that it went there. */
export const stillThere = (records: Records, { from, to }: Move): Place[] =>
  from.filter((before, index) => {
    const now = placeOf(records, before.id);
    return [before, to[index]].some((place) => now !== undefined && now.x === place?.x && now.y === place.y);
  });

const put = async (client: Client, project_id: string, records: Records, places: readonly Place[]): Promise<void> => {
  const steps = places.map(({ id, x, y }) => ({
    action: 'update' as const,
    type: records.nodes.has(id) ? ('node' as const) : ('drawing' as const),
    id,
    record: { x, y },
  }));
  await client.post('/v2/projects/{project_id}/batch', { path: { project_id }, body: { steps } });
};
