import { setImmediate as untilImmediate } from 'node:timers/promises';
import { inShare } from './fair-slices.ts';

/** A long task in small steps, each up to a `yield`; what it returns is its result. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Carries a long task out without holding up others: in one turn of the event loop as many steps as take some milliseconds, shared with
 * all other tasks.
 */
export const inSlices = <T>(steps: Steps<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    inShare(() => {
      try {
        const step = steps.next();
        if (step.done === true) resolve(step.value);
        return step.done !== true;
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return false;
      }
    });
  });

/** The same without a pause. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** Asked for in one turn of the event loop. */
const IN_A_TURN = 16;

/** Asks each of many things, in their order, a few in one turn of the event loop. Rejects with the first failure. */
export const eachInTurns = async <T, R>(
  items: readonly T[],
  ask: (item: T, index: number) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += IN_A_TURN) {
    if (from > 0) await untilImmediate();
    const some = items.slice(from, from + IN_A_TURN);
    results.push(...(await Promise.all(some.map((item, i) => ask(item, from + i)))));
  }
  return results;
};
