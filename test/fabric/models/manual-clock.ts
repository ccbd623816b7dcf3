import { setImmediate as turn } from 'node:timers/promises';

interface Entry {
  at: number;
  run: () => void;
}

/** Time that passes only when a test says so. */
export interface ManualClock {
  now: () => number;
  timer: (ms: number, run: () => void) => { cancel(): void };
  /** Runs what is due in the next `ms`, in order, with everything that follows from it. */
  run(ms: number): Promise<void>;
  /** Lets time pass until the promise is settled. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Timers that wait. */
  readonly waiting: number;
}

export function createManualClock(): ManualClock {
  const entries: Entry[] = [];
  let time = 1000;

  const next = (): Entry | undefined => entries.toSorted((a, b) => a.at - b.at)[0];
  function fire(entry: Entry): void {
    entries.splice(entries.indexOf(entry), 1);
    time = Math.max(time, entry.at);
    entry.run();
  }

  return {
    now: () => time,
    timer(ms, run) {
      const entry = { at: time + ms, run };
      entries.push(entry);
      return {
        cancel: () => {
          if (entries.includes(entry)) entries.splice(entries.indexOf(entry), 1);
        },
      };
    },
    async run(ms) {
      const end = time + ms;
      for (;;) {
        await turn();
        const entry = next();
        if (entry === undefined || entry.at > end) break;
        fire(entry);
      }
      time = end;
    },
    async until<T>(promise: Promise<T>): Promise<T> {
      const settled = { now: false };
      const mark = (): void => {
        settled.now = true;
      };
      promise.then(mark, mark);
      for (let steps = 0; steps < 100_000; steps++) {
        await turn();
        if (settled.now) return promise;
        const entry = next();
        if (entry !== undefined) fire(entry);
      }
      throw new Error('nothing more happens, and the promise is not settled');
    },
    get waiting() {
      return entries.length;
    },
  };
}
