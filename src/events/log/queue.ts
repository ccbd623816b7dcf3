import { withResolvers } from '../../common/with-resolvers.ts';
import type { AnyEvent } from '../schemas.ts';
import type { Staged } from './stage.ts';

/** Events a batch carries at most: bounds how long one fsync can take. */
const BATCH_EVENTS = 4000;

export interface AppendOptions {
  /** Refuse (conflict) unless the stream's last version is this. */
  expected?: { project_id: string | null; version: number };
  /** Each event but the first was caused by the one before it. */
  causal?: boolean;
}

interface Pending extends Staged {
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

/** Appends that wait for the batch that is being written. */
export class WriteQueue {
  #waiting: Pending[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Resolves with the events once their batch is on disk. `asked`: when; milliseconds of `performance`. */
  push(staged: Staged, asked: number): Promise<AnyEvent[]> {
    const { promise, resolve, reject } = withResolvers<AnyEvent[]>();
    this.#waiting.push({ ...staged, asked, resolve, reject });
    return promise;
  }

  /** The next batch. */
  take(): Group {
    let count = 0;
    let n = 0;
    for (const pending of this.#waiting) {
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
