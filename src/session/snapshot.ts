import { setImmediate as pause } from 'node:timers/promises';
import { KEYS, positionOf, type Range, type Store } from '../events/store/store.ts';

/** Entries read at once; between two blocks others get their turn. */
const BLOCK = 250;
const MOST_TRIES = 1000;

type Rows = AsyncGenerator<[string, string][]>;

/** Ranges of a store as they were at one moment, each to be read once, in blocks. */
export interface Snapshot<N extends string> {
  /** Last position of the log then. */
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
 * An iterator sees the store as it was when it was made, or the store gives a moment of it. Events, indexes and records are written in one batch, so that iterators
 * are of one moment when no event came between the first and the last of them.
 */
export const takeSnapshot = async <N extends string>(store: Store, ranges: Record<N, Range>): Promise<Snapshot<N>> => {
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

const trySnapshots = async <N extends string>(store: Store, ranges: Record<N, Range>): Promise<Snapshot<N>> => {
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
