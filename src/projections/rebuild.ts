import { isDeepStrictEqual } from 'node:util';
import { changedAt, type RecordSum, sumOp } from '../events/batch-ops.ts';
import { KEYS, type Store, type StoreOp } from '../events/store/database.ts';
import { eachFact, readRecords } from '../events/read.ts';
import { fold } from './fold.ts';
import { Records } from './store.ts';

export interface Difference {
  collection: string;
  id: string;
  problem: 'missing' | 'different' | 'without facts';
}

/** Folds every fact of a store, from the beginning. */
export const foldAll = async (store: Store): Promise<{ records: Records; facts: number }> => {
  const records = new Records();
  const facts = await eachFact(store, (fact) => {
    records.apply(fold(records.committed, fact));
  });
  return { records, facts };
};

const sumOf = (records: Records): RecordSum => {
  const sum = { records: 0, changed: 0 };
  for (const [, , record] of records.all()) {
    sum.records++;
    sum.changed += changedAt(record);
  }
  return sum;
};

/** Compares the stored records with what the log folds to; with `correct`, stores the right ones. */
export const rebuild = async (
  store: Store,
  correct: boolean,
): Promise<{ facts: number; records: number; differences: Difference[] }> => {
  const { records, facts } = await foldAll(store);
  const right = new Map(
    [...records.all()].map(([collection, id, record]) => [KEYS.record(collection, id), { collection, id, record }]),
  );
  const differences: Difference[] = [];
  const ops: StoreOp[] = [];
  const seen = new Set<string>();
  // What is damaged counts as missing, and is on the store's list.
  for await (const [collection, id, stored] of readRecords(store, () => undefined)) {
    const key = KEYS.record(collection, id);
    seen.add(key);
    const expected = right.get(key);
    if (expected === undefined) {
      differences.push({ collection, id, problem: 'without facts' });
      ops.push({ type: 'del', key });
    } else if (!isDeepStrictEqual(stored, JSON.parse(JSON.stringify(expected.record)))) {
      differences.push({ collection, id, problem: 'different' });
      ops.push({ type: 'put', key, value: JSON.stringify(expected.record) });
    }
  }
  for (const [key, { collection, id, record }] of right)
    if (!seen.has(key)) {
      differences.push({ collection, id, problem: 'missing' });
      ops.push({ type: 'put', key, value: JSON.stringify(record) });
    }
  if (correct && ops.length > 0) await store.batch([...ops, sumOp(sumOf(records))], { sync: true });
  return { facts, records: right.size, differences };
};
