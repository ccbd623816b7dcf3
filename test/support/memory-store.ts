import { MemoryLevel } from 'memory-level';
import type { Store } from '../../src/events/database.ts';

/** A store in memory; closing it does nothing, so that it can be opened again. */
export const memoryStore = (): Store => {
  const level = new MemoryLevel<string, string>({ keyEncoding: 'utf8', valueEncoding: 'utf8' });
  return {
    batch: (ops) => level.batch(ops),
    get: (key) => level.get(key),
    getMany: (keys) => level.getMany(keys),
    iterator: (range) => level.iterator(range),
    close: () => Promise.resolve(),
  };
};
