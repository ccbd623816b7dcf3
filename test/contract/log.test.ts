import { MemoryLevel } from 'memory-level';
import { levelStore, type Store } from '../../src/events/database.ts';
import { tempDir } from '../support/temp.ts';
import { logContract } from './log-contract.ts';

logContract('LevelDB', async () => {
  const dir = await tempDir();
  return { open: levelStore(dir.path), end: dir.remove };
});

logContract('an in-memory level', () => {
  const level = new MemoryLevel<string, string>({ keyEncoding: 'utf8', valueEncoding: 'utf8' });
  // Closing it would lose what it holds, so it stays open below.
  const store: Store = {
    batch: (ops) => level.batch(ops),
    get: (key) => level.get(key),
    getMany: (keys) => level.getMany(keys),
    iterator: (range) => level.iterator(range),
    close: () => Promise.resolve(),
  };
  return Promise.resolve({ open: () => Promise.resolve(store), end: () => level.close() });
});
