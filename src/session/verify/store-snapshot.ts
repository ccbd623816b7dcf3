import { setImmediate as pause } from 'node:timers/promises';
import { KEYS, positionOf, type Range, type Store } from '../../events/store/store.ts';

/** Entries read at once. */
const BLOCK = 250;
/** Tries to get all iterators without an event between them. */
const MOST_TRIES = 1000;

type Rows = AsyncGenerator<[string, string][]>;

/** Ranges of a store as of one moment, each to be read once, in blocks. */
export interface StoreSnapshot<N extends string> {
  /** Last position of the log at that moment. */
  position: number;
  rows: Record<N, Rows>;
  close(): Promise<void>;
}

const lastPosition = async (store: Store): Promise<number> => {
  const iterator = store.iterator({ gte: KEYS.event(0), lte: KEYS.eventEnd, reverse: true, limit: 1 });
  try {
    const [last] = await iterator.nextv(1);
    return last === undefined ? 0 : positionOf(last[0]);
  } finally {
    await iterator.close();
  }
};

/**
 * Takes a snapshot: the store's own where it has them. Otherwise each iterator is a snapshot of its own, and as events, indexes and records are written
 * in one batch, several iterators are consistent when no event came between the first and the last of them.
 */
export const takeSnapshot = async <N extends string>(
  store: Store,
  ranges: Record<N, Range>,
): Promise<StoreSnapshot<N>> => {
  const moment = await store.moment?.();
  if (moment === undefined) return trySnapshots(store, ranges);
  try {
    const snapshot = await trySnapshots(moment, ranges);
    const close = async (): Promise<void> => {
      await snapshot.close();
      await moment.close();
    };
    return { ...snapshot, close };
  } catch (error) {
    await moment.close();
    throw error;
  }
};

const trySnapshots = async <N extends string>(store: Store, ranges: Record<N, Range>): Promise<StoreSnapshot<N>> => {
  for (let n = 0; n < MOST_TRIES; n++) {
    const position = await lastPosition(store);
    const made = (Object.keys(ranges) as N[]).map((name) => ({ name, iterator: store.iterator(ranges[name]) }));
    const close = async (): Promise<void> => {
      for (const { iterator } of made) await iterator.close();
    };
    if ((await lastPosition(store)) === position) {
      const rows = Object.fromEntries(made.map(({ name, iterator }) => [name, blocks(iterator)])) as Record<N, Rows>;
      return { position, rows, close };
    }
    await close();
  }
  throw new Error('the log is being written without a pause; try again when there is less to do');
};

async function* blocks(iterator: ReturnType<Store['iterator']>): Rows {
  for (;;) {
    const rows = await iterator.nextv(BLOCK);
    if (rows.length === 0) return;
    yield rows;
    await pause();
  }
}
