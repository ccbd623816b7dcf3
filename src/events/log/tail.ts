import { atOnce, type Steps } from '../../common/slices.ts';
import { batchOps, type Change, lastOf, recordOps, type RecordSum, sumAfter, sumOp } from './batch-ops.ts';
import type { Encoded } from '../encoding.ts';
import type { AnyEvent } from '../schemas.ts';
import type { Head } from '../event.ts';
import type { LogEnd } from './startup.ts';
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

/** The end of the log as it is on disk: last event of each stream, sum of the records; and what a batch makes of it. */
export class Tail {
  readonly heads: Map<string, Head>;
  /** Position of the last event. */
  position: number;
  readonly #current: (collection: string, id: string) => unknown;
  #noted: number;
  /** Of the records on disk, and with the batch that is being written. */
  #sum: RecordSum;
  #nextSum: RecordSum;
  /** Heads of the batch that is being written. */
  #nextHeads: ReadonlyMap<string, Head> = new Map();

  /** `current`: the committed record, null when there is none. */
  constructor({ heads, whole, sum }: LogEnd, current: (collection: string, id: string) => unknown) {
    this.heads = heads;
    this.position = this.#noted = whole;
    this.#sum = this.#nextSum = sum;
    this.#current = current;
  }

  /** What a batch puts into the store; now and then with a note of how far the log is whole. */
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

  /** The batch of the last `ops` is on disk. */
  commit(): void {
    this.#sum = this.#nextSum;
    for (const [stream, head] of this.#nextHeads) {
      this.heads.set(stream, head);
      this.position = Math.max(this.position, head.position);
    }
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
