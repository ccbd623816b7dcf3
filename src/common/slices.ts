import { setImmediate as untilImmediate } from 'node:timers/promises';

/** Longest that a piece of work holds the event loop. Milliseconds. */
const SLICE_MS = 8;

/** A long task in small steps, each up to a `yield`; what it returns is its result. */
export type Steps<T> = Generator<void, T, void>;

/** Carries a long task out without holding up others: as many steps in one turn of the event loop as take some milliseconds. */
export const inSlices = async <T>(steps: Steps<T>): Promise<T> => {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await untilImmediate();
    until = performance.now() + SLICE_MS;
  }
};

/** The same without a pause. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
