import { atOnce, type Steps } from '../../common/slices.ts';
import { batchOps, type Change, lastOf, recordOps, type RecordSum, sumAfter, sumOp } from './batch-ops.ts';
import type { Encoded } from '../encoding.ts';
import type { AnyEvent } from '../schemas.ts';
import type { Head } from '../event.ts';
import type { LogEnd } from './startup.ts';
import { cutOps, KEYS, type StoreOp, streamOf } from '../store/store.ts';

/**
 * Events between two notes of how far the log is checked: a start after a crash checks what came after the last note.
 */
const NOTED_EVERY = 2000;
/**
 * Newest events that are always left to that check: they may be in LevelDB's journals (two of 4 MiB; an event takes
 * 500 octets at least with its keys), where damage in the middle removes events.
 */
const ALWAYS_CHECKED = 20_000;

/** A failed batch, which was answered with an error and may be in the store. */
export interface Unanswered {
  events: AnyEvent[];
  changed: Change[];
}

/** The end of the log on disk: last event of each stream and sum of the records; and the ops of the next batch. */
export class Tail {
  readonly heads: Map<string, Head>;
  /** Position of the last event. */
  position: number;
  readonly #current: (collection: string, id: string) => unknown;
  #noted: number;
  /** Sum of the records on disk, and with the batch being written. */
  #sum: RecordSum;
  #nextSum: RecordSum;
  /** Heads after the batch being written. */
  #nextHeads: ReadonlyMap<string, Head> = new Map();

  /** `current`: the committed record, null when there is none. */
  constructor({ heads, whole, sum }: LogEnd, current: (collection: string, id: string) => unknown) {
    this.heads = heads;
    this.position = this.#noted = whole;
    this.#sum = this.#nextSum = sum;
    this.#current = current;
  }

  /** Operations of a batch, now and then with a note of how far the log is checked. */
  *ops(events: AnyEvent[], encoded: Encoded[], changes: Change[]): Steps<StoreOp[]> {
    const last = lastOf(changes);
    const { ops, heads } = yield* batchOps(events, encoded, this.heads, last);
    this.#nextHeads = heads;
    this.#nextSum = yield* sumAfter(this.#sum, last, this.#current);
    ops.push(sumOp(this.#nextSum));
    const whole = this.position - ALWAYS_CHECKED;
    if (whole - this.#noted < NOTED_EVERY) return ops;
    this.#noted = whole;
    return [...ops, { type: 'put', key: KEYS.checked, value: String(whole) }];
  }

  /** Marks the batch of the last `ops` as on disk. */
  commit(): void {
    this.#sum = this.#nextSum;
    for (const [stream, head] of this.#nextHeads) {
      this.heads.set(stream, head);
      this.position = Math.max(this.position, head.position);
    }
  }

  /** Takes in events that another server has appended. */
  follow(events: readonly AnyEvent[]): void {
    for (const { project_id, version, position, hash } of events) {
      this.heads.set(streamOf(project_id), { version, position, hash });
      this.position = position;
    }
  }

  /** Note that all of the log is checked. */
  whole(): StoreOp {
    return { type: 'put', key: KEYS.checked, value: String(this.position) };
  }

  /** Deletes a failed batch by its keys, without reading what it left, which may be damaged. */
  cut({ events, changed }: Unanswered): StoreOp[] {
    const ops = events.flatMap((event) => cutOps(event));
    for (const stream of new Set(events.map(({ project_id }) => streamOf(project_id)))) {
      const head = this.heads.get(stream);
      const key = KEYS.head(stream);
      ops.push(head === undefined ? { type: 'del', key } : { type: 'put', key, value: JSON.stringify(head) });
    }
    ops.push(...this.#restoredRecords(changed));
    // Written even when there is nothing to cut: it proves that the disk accepts writes again.
    return [...ops, sumOp(this.#sum), this.whole()];
  }

  /** The records of the failed batch as they were before it. */
  #restoredRecords(changed: Change[]): StoreOp[] {
    const before = changed.map(({ collection, id }) => ({ collection, id, record: this.#current(collection, id) }));
    return atOnce(recordOps(lastOf(before)));
  }
}
