import type { Duplex } from 'node:stream';

/** Milliseconds of such work in one turn of the event loop, all of it together; timers, other connections and frames have theirs in between. */
const SLICE_MS = 4;

/** The work that waits for its turn of the event loop. */
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
      // Also behind one that threw.
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
    // Begins the slice of this turn, unless somebody has: the next turn has one of its own.
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
 * Does work in its turn, in the order in which it was asked for. Who has more to do asks again for the next piece of it, so that
 * everybody gets a piece in a round, however much one of them has.
 */
export const inSlice = (work: () => void): void => turns.wait(work);

/**
 * Works at once, if there is time in this turn, and goes on in turn with others: `step` is called again and again until it returns false.
 * However many do so at once, each gets at least a step in a round.
 */
export const inShare = (step: () => boolean): void => turns.share(step);

/**
 * Reads a stream in pieces of at most `size` octets: the first as it comes, so that what a person types waits for nobody, the others in
 * turn. No more is read meanwhile: a sender that never stops is slowed down by its own connection.
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
