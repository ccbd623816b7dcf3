import type { Steps } from '../turns.ts';
import { chainOf, indexOps, KEYS, type StoreOp } from './database.ts';
import type { AnyFact } from './facts.ts';
import type { Head } from './startup.ts';

/** One record that a fact changed; null: it is gone. */
export interface Change {
  collection: string;
  id: string;
  record: unknown;
}

/** All that a batch of facts puts into the store: their texts and indexes, the heads of their chains, the records that they changed. */
export function* batchOps(
  facts: readonly AnyFact[],
  texts: readonly string[],
  changes: readonly Change[],
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

/** Puts and deletes of records; only the last state of each is written. */
export function* recordOps(changes: readonly Change[], ops: StoreOp[] = []): Steps<StoreOp[]> {
  const last = new Map<string, unknown>();
  for (const { collection, id, record } of changes) last.set(KEYS.record(collection, id), record);
  for (const [key, record] of last) {
    ops.push(record === null ? { type: 'del', key } : { type: 'put', key, value: JSON.stringify(record) });
    yield;
  }
  return ops;
}
