import type { Timer, Timers } from '../frames/timers.ts';

interface NodeTimer {
  timer: Timer | null;
  /** Left when the node was suspended. */
  remaining: number;
  run: () => void;
}

/** The timers of one node: they stand still while it is suspended and go with it. */
export class NodeTimers {
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
