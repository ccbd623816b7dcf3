import type { Duplex } from 'node:stream';
import { setImmediate as untilImmediate } from 'node:timers/promises';

/** Milliseconds of all such work together in one turn of the event loop; timers, connections and frames run in between. */
const SLICE_MS = 4;

/** Work that waits for its turn of the event loop. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;
  /** When the slice of this turn is over. */
  #until = 0;

  get #isInSlice(): boolean {
    return performance.now() < this.#until;
  }

  #drain(): void {
    this.#until = performance.now() + SLICE_MS;
    try {
      do this.#waiting.shift()?.();
      while (this.#waiting.length > 0 && this.#isInSlice);
    } finally {
      // Goes on behind work that threw.
      this.#scheduled = this.#waiting.length > 0;
      if (this.#scheduled) setImmediate(() => this.#drain());
    }
  }

  #schedule(): void {
    this.#scheduled = true;
    setImmediate(() => this.#drain());
  }

  wait(work: () => void): void {
    this.#waiting.push(work);
    if (!this.#scheduled) this.#schedule();
  }

  share(step: () => boolean): void {
    // Begins the slice of this turn, unless it has begun; the next turn gets its own.
    if (!this.#scheduled) {
      this.#until = performance.now() + SLICE_MS;
      this.#schedule();
    }
    const work = (): void => {
      do if (!step()) return;
      while (this.#isInSlice);
      this.wait(work);
    };
    work();
  }
}

const turns = new Turns();

/**
 * Does pieces of work in turn, in the order of the calls. Work of several pieces calls again for the next one, so that each caller gets a
 * piece in a round, however much one of them has.
 */
export const inSlice = (work: () => void): void => turns.wait(work);

/**
 * Works at once, if there is time in this turn, and goes on in turn with others: `step` is called until it returns false. Each caller
 * gets at least a step in a round, however many there are.
 */
const inShare = (step: () => boolean): void => turns.share(step);

/**
 * Reads a stream in pieces of at most `size` octets: the first at once, so that a person's typing does not wait, the others in turn.
 * The stream is paused meanwhile, which slows down a sender that never stops.
 */
export const readInSlices = (stream: Duplex, size: number, take: (bytes: Buffer) => void): void => {
  stream.on('data', (chunk: Buffer) => {
    take(chunk.subarray(0, size));
    if (chunk.length <= size) return;
    stream.pause();
    let at = size;
    const next = (): void => {
      if (stream.destroyed) return;
      const piece = chunk.subarray(at, at + size);
      at += size;
      take(piece);
      if (at < chunk.length) inSlice(next);
      else stream.resume();
    };
    inSlice(next);
  });
};

/** A long task in small steps, each up to a `yield`; what it returns is its result. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Runs a long task without holding up others: in one turn of the event loop, all such tasks together run for some milliseconds.
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

/** Runs a task without a pause. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** Calls in one turn of the event loop. */
const IN_A_TURN = 16;

/** Calls `ask` for each item, in order, a few in one turn of the event loop. Rejects with the first failure. */
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
