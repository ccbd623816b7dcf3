import { atOnce, type Steps } from '../../common/slices.ts';
import { batchOps, type Change, lastOf, recordOps, type RecordSum, sumAfter, sumOp } from './batch-ops.ts';
import type { AnyEvent } from '../schemas.ts';
import type { Head } from '../event.ts';
import type { Staged } from './stage.ts';
import type { Found } from './startup.ts';
import { cutOps, KEYS, type StoreOp, streamOf } from '../store/store.ts';

/** Events between two notes of how far the log is whole: a start after a crash checks what came after the last one. */
const NOTED_EVERY = 2000;
/**
 * Events that are always left to that check: those that may lie in LevelDB's journals (two of 4 MiB, and no event takes less than
 * 500 octets with its keys), where damage in the middle takes events away.
 */
const ALWAYS_CHECKED = 20_000;

/** What a batch that failed may have left in the store; it was answered with an error. */
export interface Unanswered {
  events: AnyEvent[];
  changed: Change[];
}

/** A batch that can be written, and what the end of the log is with it. */
export interface Made {
  ops: StoreOp[];
  position: number;
  /** Last events of the streams that it is about. */
  heads: ReadonlyMap<string, Head>;
  sum: RecordSum;
  /** Last states of the records that it changes, by their keys. */
  last: ReadonlyMap<string, Change>;
}

/** Two batches as one; `b` was made after `a`. */
export const joined = (a: Made, b: Made): Made => ({
  ops: [...a.ops, ...b.ops],
  position: b.position,
  heads: new Map([...a.heads, ...b.heads]),
  sum: b.sum,
  last: new Map([...a.last, ...b.last]),
});

/** The end of the log as it is on disk: last event of each stream, sum of the records; and what a batch makes of it. */
export class Tail {
  readonly heads: Map<string, Head>;
  /** Position of the last event. */
  position: number;
  readonly #current: (collection: string, id: string) => unknown;
  #noted: number;
  /** Of the records on disk. */
  #sum: RecordSum;

  /** `current`: the committed record, null when there is none. */
  constructor({ heads, whole, sum }: Found, current: (collection: string, id: string) => unknown) {
    this.heads = heads;
    this.position = this.#noted = whole;
    this.#sum = sum;
    this.#current = current;
  }

  /** Makes a batch, now and then with a note of how far the log is whole. `after`: the batch that is being written, null: none is. */
  *make({ events, encoded, changes }: Staged, after: Made | null): Steps<Made> {
    const last = lastOf(changes);
    const before = (collection: string, id: string): unknown => {
      const change = after?.last.get(KEYS.record(collection, id));
      return change === undefined ? this.#current(collection, id) : change.record;
    };
    const headOf = (stream: string): Head | undefined => after?.heads.get(stream) ?? this.heads.get(stream);
    const { ops, heads } = yield* batchOps(events, encoded, headOf, last);
    const sum = yield* sumAfter(after?.sum ?? this.#sum, last, before);
    ops.push(sumOp(sum));
    const whole = this.position - ALWAYS_CHECKED;
    if (whole - this.#noted >= NOTED_EVERY) {
      this.#noted = whole;
      ops.push({ type: 'put', key: KEYS.checked, value: String(whole) });
    }
    return { ops, position: (events.at(-1) as AnyEvent).position, heads, sum, last };
  }

  /** A batch is on disk. */
  commit({ position, heads, sum }: Made): void {
    this.#sum = sum;
    for (const [stream, head] of heads) this.heads.set(stream, head);
    this.position = position;
  }

  /** Another server has appended them. */
  follow(events: readonly AnyEvent[]): void {
    for (const { project_id, version, position, hash } of events) {
      this.heads.set(streamOf(project_id), { version, position, hash });
      this.position = position;
    }
  }

  /** That all of it is whole. */
  whole(): StoreOp {
    return { type: 'put', key: KEYS.checked, value: String(this.position) };
  }

  /** Cuts what failed by its keys: nothing that it left is read, so that it may be damaged. */
  cut({ events, changed }: Unanswered): StoreOp[] {
    const ops = events.flatMap((event) => cutOps(event));
    for (const stream of new Set(events.map(({ project_id }) => streamOf(project_id)))) {
      const head = this.heads.get(stream);
      const key = KEYS.head(stream);
      ops.push(head === undefined ? { type: 'del', key } : { type: 'put', key, value: JSON.stringify(head) });
    }
    ops.push(...this.#restoredRecords(changed));
    // Written even when there is nothing to cut: it proves that the disk takes writes again.
    return [...ops, sumOp(this.#sum), this.whole()];
  }

  /** The records that the failed batch was to change, as they were before it. */
  #restoredRecords(changed: Change[]): StoreOp[] {
    const before = changed.map(({ collection, id }) => ({ collection, id, record: this.#current(collection, id) }));
    return atOnce(recordOps(lastOf(before)));
  }
}
