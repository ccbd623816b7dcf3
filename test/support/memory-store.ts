import { MemoryLevel } from 'memory-level';
import { CheckedStore } from '../../src/events/store/checked-store.ts';
import type { Store } from '../../src/events/store/store.ts';

type Memory = MemoryLevel;
export const memory = (): Memory => new MemoryLevel({ keyEncoding: 'utf8', valueEncoding: 'utf8' });

/** A store in memory; closing it does nothing, so that it can be opened again. */
export const memoryStore = (level = memory(), allSealed = false): Store => {
  const below: Store = {
    batch: (ops) => level.batch(ops),
    get: (key) => level.get(key),
    getMany: (keys) => level.getMany(keys),
    iterator: (range) => level.iterator(range),
    close: () => Promise.resolve(),
  };
  const store = new CheckedStore(below, { allSealed });
  return {
    batch: (ops, options) => store.batch(ops, options),
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    iterator: (range) => store.iterator(range),
    close: () => store.close(),
    damages: store.damages,
  };
};
