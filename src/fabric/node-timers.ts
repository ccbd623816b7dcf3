import type { Timer, Timers } from './timers.ts';

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

export function createNodeTimers(timers: Timers): NodeTimers {
  const set = new Set<NodeTimer>();
  let paused = false;

  const schedule = (entry: NodeTimer): void => {
    entry.timer = timers.after(entry.remaining, () => {
      set.delete(entry);
      entry.run();
    });
  };
  const cancel = (entry: NodeTimer): void => {
    entry.timer?.cancel();
    set.delete(entry);
  };

  return {
    after(ms, run) {
      const entry: NodeTimer = { timer: null, remaining: ms, run };
      set.add(entry);
      if (!paused) schedule(entry);
      return { cancel: () => cancel(entry) };
    },
    pause() {
      if (paused) return;
      paused = true;
      for (const entry of set) {
        entry.remaining = (entry.timer?.due ?? 0) - timers.now();
        entry.timer?.cancel();
      }
    },
    resume() {
      if (!paused) return;
      paused = false;
      for (const entry of set) schedule(entry);
    },
    cancelAll() {
      for (const entry of set) cancel(entry);
    },
  };
}
