import type { Timer, Timers } from '../frames/timers.ts';

/** The timers of one node: they stand still while it is suspended and go with it. */
export interface NodeTimers {
  after(ms: number, run: () => void): { cancel(): void };
  pause(): void;
  resume(): void;
  cancelAll(): void;
}

interface NodeTimer {
  timer: Timer | null;
  /** Left when the node was suspended. */
  remaining: number;
  run: () => void;
}

export const createNodeTimers = (timers: Timers): NodeTimers => new TimersOfNode(timers);

/** A class, as each node has one: methods that are closures would be made for each of thousands. */
class TimersOfNode implements NodeTimers {
  readonly #timers: Timers;
  readonly #set = new Set<NodeTimer>();
  #paused = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  after(ms: number, run: () => void): { cancel(): void } {
    const entry: NodeTimer = { timer: null, remaining: ms, run };
    this.#set.add(entry);
    if (!this.#paused) this.#schedule(entry);
    return { cancel: () => this.#cancel(entry) };
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    for (const entry of this.#set) {
      entry.remaining = (entry.timer?.due ?? 0) - this.#timers.now();
      entry.timer?.cancel();
    }
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    for (const entry of this.#set) this.#schedule(entry);
  }

  cancelAll(): void {
    for (const entry of this.#set) this.#cancel(entry);
  }

  #schedule(entry: NodeTimer): void {
    entry.timer = this.#timers.after(entry.remaining, () => {
      this.#set.delete(entry);
      entry.run();
    });
  }

  #cancel(entry: NodeTimer): void {
    entry.timer?.cancel();
    this.#set.delete(entry);
  }
}
