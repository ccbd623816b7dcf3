import type { Steps } from '../../common/slices.ts';
import { type Encoded, encodeEvent, GENESIS } from '../encoding.ts';
import type { Head } from '../event.ts';
import type { AnyEvent } from '../schemas.ts';
import { indexOps, KEYS, type StoreOp, streamOf } from '../store/store.ts';

/** One record that an event changed; null: deleted. */
export interface Change {
  collection: string;
  id: string;
  record: unknown;
}

/**
 * Number of records and sum of their `changed`: reveals a record that is missing or was replaced by an older state.
 */
export interface RecordSum {
  records: number;
  changed: number;
}

/** Position of the event that changed a record last. */
export const changedAt = (record: unknown): number => (record as { changed?: number } | null)?.changed ?? 0;

/** Last state of each record that changed, by its key. */
export const lastOf = (changes: readonly Change[]): Map<string, Change> => {
  const last = new Map<string, Change>();
  for (const change of changes) last.set(KEYS.record(change.collection, change.id), change);
  return last;
};

/** `current`: the record as it was before the changes; null when there was none. */
export function* sumAfter(
  sum: RecordSum,
  last: ReadonlyMap<string, Change>,
  current: (collection: string, id: string) => unknown,
): Steps<RecordSum> {
  let { records, changed } = sum;
  for (const { collection, id, record } of last.values()) {
    const before = current(collection, id);
    records += Number(record !== null) - Number(before !== null);
    changed += changedAt(record) - changedAt(before);
    yield;
  }
  return { records, changed };
}

export const sumOp = (sum: RecordSum): StoreOp => ({ type: 'put', key: KEYS.recordSum, value: JSON.stringify(sum) });

/**
 * Everything that a batch of events writes to the store: texts, indexes, heads of streams, changed records. Sets the
 * hashes of the events. `encoded`: data of each event as text; `heads`: heads on disk.
 */
export function* batchOps(
  events: readonly AnyEvent[],
  encoded: readonly Encoded[],
  heads: ReadonlyMap<string, Head>,
  changes: ReadonlyMap<string, Change>,
): Steps<{ ops: StoreOp[]; heads: ReadonlyMap<string, Head> }> {
  const ops: StoreOp[] = [];
  const next = new Map<string, Head>();
  for (const [i, event] of events.entries()) {
    const stream = streamOf(event.project_id);
    event.prev = (next.get(stream) ?? heads.get(stream))?.hash ?? GENESIS;
    const { hash, text } = encodeEvent(event, encoded[i]);
    event.hash = hash;
    ops.push({ type: 'put', key: KEYS.event(event.position), value: text });
    for (const op of indexOps(event)) ops.push(op);
    next.set(stream, { version: event.version, position: event.position, hash });
    yield;
  }
  for (const [stream, head] of next) ops.push({ type: 'put', key: KEYS.head(stream), value: JSON.stringify(head) });
  yield* recordOps(changes, ops);
  return { ops, heads: next };
}

/** Puts and deletes of records. */
export function* recordOps(changes: ReadonlyMap<string, Change>, ops: StoreOp[] = []): Steps<StoreOp[]> {
  for (const [key, { record }] of changes) {
    ops.push(record === null ? { type: 'del', key } : { type: 'put', key, value: JSON.stringify(record) });
    yield;
  }
  return ops;
}
