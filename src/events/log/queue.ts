import type { AnyEvent } from '../schemas.ts';
import type { Staged } from './stage.ts';

/** Events a batch carries at most: bounds how long one fsync can take. */
const BATCH_EVENTS = 4000;
/** From so many appends on, those that find nothing being written are written in two halves. */
const HALVED = 16;

export interface AppendOptions {
  /** Refuse (conflict) unless the stream's last version is this. */
  expected?: { project_id: string | null; version: number };
  /** Each event but the first was caused by the one before it. */
  causal?: boolean;
}

interface Pending extends Staged {
  /** When it was called; milliseconds of `performance`. */
  asked: number;
  resolve: (events: AnyEvent[]) => void;
  reject: (error: Error) => void;
}

/** Appends that are written together. */
export interface Group extends Staged {
  /** When each of them was called. */
  asked: number[];
  resolve(): void;
  reject(error: Error): void;
}

/** Two groups as one, in this order. */
export const together = (a: Group, b: Group): Group => ({
  events: [...a.events, ...b.events],
  encoded: [...a.encoded, ...b.encoded],
  changes: [...a.changes, ...b.changes],
  asked: [...a.asked, ...b.asked],
  resolve: () => [a, b].forEach((group) => group.resolve()),
  reject: (error) => [a, b].forEach((group) => group.reject(error)),
});

/** Appends that wait for the batch that is being written. */
export class WriteQueue {
  #waiting: Pending[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(pending: Pending): void {
    this.#waiting.push(pending);
  }

  /** What waits. */
  take(): Group {
    return this.#take(this.#waiting.length);
  }

  /** The same when nothing is being written: one half of many, so that the other one is made ready meanwhile, and so on in turns. */
  takeFirst(): Group {
    const { length } = this.#waiting;
    return this.#take(length < HALVED ? length : Math.ceil(length / 2));
  }

  #take(most: number): Group {
    let count = 0;
    let n = 0;
    for (const pending of this.#waiting.slice(0, most)) {
      if (n > 0 && count + pending.events.length > BATCH_EVENTS) break;
      count += pending.events.length;
      n++;
    }
    const group = this.#waiting.splice(0, n);
    return {
      events: group.flatMap(({ events }) => events),
      encoded: group.flatMap(({ encoded }) => encoded.splice(0)),
      changes: group.flatMap(({ changes }) => changes),
      asked: group.map(({ asked }) => asked),
      resolve: () => group.forEach(({ resolve, events }) => resolve(events)),
      reject: (error) => group.forEach(({ reject }) => reject(error)),
    };
  }

  /** All that waits is refused. */
  refuse(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
