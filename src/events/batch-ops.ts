import type { Steps } from '../turns.ts';
import { chainOf, indexOps, KEYS, type StoreOp } from './store.ts';
import type { AnyFact } from './facts.ts';
import type { Head } from './startup.ts';

/** One record that a fact changed; null: it is gone. */
export interface Change {
  collection: string;
  id: string;
  record: unknown;
}

/** How many records there are, and the sum of their `changed`: one that is missing, or an older one in its place, shows in it. */
export interface RecordSum {
  records: number;
  changed: number;
}

/** Position of the fact that changed a record last. */
export const changedAt = (record: unknown): number => (record as { changed?: number } | null)?.changed ?? 0;

/** The last state of each record that changed, by its key. */
export const lastOf = (changes: readonly Change[]): Map<string, Change> => {
  const last = new Map<string, Change>();
  for (const change of changes) last.set(KEYS.record(change.collection, change.id), change);
  return last;
};

/** `current`: the record as it was before the changes; null when there was none. */
export const sumAfter = (
  sum: RecordSum,
  last: ReadonlyMap<string, Change>,
  current: (collection: string, id: string) => unknown,
): RecordSum => {
  let { records, changed } = sum;
  for (const { collection, id, record } of last.values()) {
    const before = current(collection, id);
    records += Number(record !== null) - Number(before !== null);
    changed += changedAt(record) - changedAt(before);
  }
  return { records, changed };
};

export const sumOp = (sum: RecordSum): StoreOp => ({ type: 'put', key: KEYS.recordSum, value: JSON.stringify(sum) });

/** All that a batch of facts puts into the store: their texts and indexes, the heads of their chains, the records that they changed. */
export function* batchOps(
  facts: readonly AnyFact[],
  texts: readonly string[],
  changes: ReadonlyMap<string, Change>,
): Steps<StoreOp[]> {
  const ops: StoreOp[] = [];
  const heads = new Map<string, Head>();
  for (const [i, fact] of facts.entries()) {
    ops.push({ type: 'put', key: KEYS.fact(fact.position), value: texts[i] ?? '' });
    for (const op of indexOps(fact)) ops.push(op);
    heads.set(chainOf(fact.project_id), { version: fact.version, position: fact.position, hash: fact.hash });
    yield;
  }
  for (const [chain, head] of heads) ops.push({ type: 'put', key: KEYS.head(chain), value: JSON.stringify(head) });
  yield* recordOps(changes, ops);
  return ops;
}

/** Puts and deletes of records. */
export function* recordOps(changes: ReadonlyMap<string, Change>, ops: StoreOp[] = []): Steps<StoreOp[]> {
  for (const [key, { record }] of changes) {
    ops.push(record === null ? { type: 'del', key } : { type: 'put', key, value: JSON.stringify(record) });
    yield;
  }
  return ops;
}
