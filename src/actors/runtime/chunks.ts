import { setImmediate as untilImmediate } from 'node:timers/promises';

/** Begun in one turn of the event loop: some milliseconds of work, after which requests have theirs. */
const CHUNK = 8;
/** Under way at once: more would only wait, and what waits long is costly to collect. */
const MOST_UNDER_WAY = 64;
/** Milliseconds after which a chunk begins all the same: slow jobs, such as a guest's start, do not hold up quick ones. */
const PATIENCE_MS = 20;

/**
 * Does a job for each of many things without holding the event loop for long. Every job is called at once, so that it can take
 * its place in a queue, and begins when its `turn` has come. Never rejects: see the results.
 */
export const inChunks = async <T, R>(
  items: readonly T[],
  work: (item: T, turn: Promise<void>) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> => {
  const turns: (() => void)[] = [];
  const room = createRoom();
  const results = items.map(async (item): Promise<PromiseSettledResult<R>> => {
    try {
      return { status: 'fulfilled', value: await work(item, new Promise((begin) => turns.push(begin))) };
    } catch (reason) {
      return { status: 'rejected', reason };
    } finally {
      room.leave();
    }
  });
  for (let from = 0; from < turns.length; from += CHUNK) {
    if (from > 0) await untilImmediate();
    await room.free();
    const chunk = turns.slice(from, from + CHUNK);
    room.enter(chunk.length);
    for (const begin of chunk) begin();
  }
  return Promise.all(results);
};

interface Room {
  enter(count: number): void;
  leave(): void;
  /** Resolves once few enough are under way, or after `PATIENCE_MS`. */
  free(): Promise<void>;
}

const createRoom = (): Room => {
  let underWay = 0;
  let freed: () => void = () => undefined;
  return {
    enter: (count) => void (underWay += count),
    leave() {
      if (--underWay < MOST_UNDER_WAY) freed();
    },
    free: () =>
      underWay < MOST_UNDER_WAY
        ? Promise.resolve()
        : new Promise((resolve) => {
            const timer = setTimeout(resolve, PATIENCE_MS);
            freed = () => {
              clearTimeout(timer);
              resolve();
            };
          }),
  };
};
