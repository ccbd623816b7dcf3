import { isDeepStrictEqual } from 'node:util';
import { changedAt, type RecordSum, sumOp } from '../events/log/batch-ops.ts';
import { KEYS, type Store, type StoreOp } from '../events/store/store.ts';
import { eachEvent, readRecords } from '../events/read.ts';
import { fold } from './fold/fold.ts';
import { Records } from './store.ts';

export interface Difference {
  collection: string;
  id: string;
  problem: 'missing' | 'different' | 'without events';
}

/** Folds every event of a store, from the beginning. */
export const foldAll = async (store: Store): Promise<{ records: Records; events: number }> => {
  const records = new Records();
  const events = await eachEvent(store, (event) => {
    records.apply(fold(records.committed, event));
  });
  return { records, events };
};

const sumOf = (records: Records): RecordSum => {
  const sum = { records: 0, changed: 0 };
  for (const [, , record] of records.all()) {
    sum.records++;
    sum.changed += changedAt(record);
  }
  return sum;
};

/** Compares the stored records with the fold of the log; with `correct`, stores the folded ones. */
export const rebuild = async (
  store: Store,
  correct: boolean,
): Promise<{ events: number; records: number; differences: Difference[] }> => {
  const { records, events } = await foldAll(store);
  const right = new Map(
    [...records.all()].map(([collection, id, record]) => [KEYS.record(collection, id), { collection, id, record }]),
  );
  const differences: Difference[] = [];
  const ops: StoreOp[] = [];
  const seen = new Set<string>();
  // Damaged records count as missing, and are on the store's list.
  for await (const [collection, id, stored] of readRecords(store, () => undefined)) {
    const key = KEYS.record(collection, id);
    seen.add(key);
    const expected = right.get(key);
    if (expected === undefined) {
      differences.push({ collection, id, problem: 'without events' });
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
  return { events, records: right.size, differences };
};
