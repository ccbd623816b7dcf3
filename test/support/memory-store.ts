import { MemoryLevel } from 'memory-level';
import { CheckedStore } from '../../src/events/checked-store.ts';
import type { Store } from '../../src/events/database.ts';

/** A store in memory; closing it does nothing, so that it can be opened again. */
export const memoryStore = (): Store => {
  const level = new MemoryLevel<string, string>({ keyEncoding: 'utf8', valueEncoding: 'utf8' });
  const store: Store = {
    batch: (ops) => level.batch(ops),
    get: (key) => level.get(key),
    getMany: (keys) => level.getMany(keys),
    iterator: (range) => level.iterator(range),
    close: () => Promise.resolve(),
  };
  const checked = new CheckedStore(store, { allSealed: false });
  return {
    batch: (ops, options) => checked.batch(ops, options),
    get: (key) => checked.get(key),
    getMany: (keys) => checked.getMany(keys),
    iterator: (range) => checked.iterator(range),
    close: () => checked.close(),
    damages: checked.damages,
  };
};
