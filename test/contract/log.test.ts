import { levelStore } from '../../src/events/database.ts';
import { memoryStore } from '../support/memory-store.ts';
import { tempDir } from '../support/temp.ts';
import { logContract } from './log-contract.ts';

logContract('LevelDB', async () => {
  const dir = await tempDir();
  return { open: levelStore(dir.path), end: dir.remove };
});

logContract('an in-memory level', () => {
  // Closing it does nothing, so that it can be opened again.
  const store = memoryStore();
  return Promise.resolve({ open: () => Promise.resolve(store), end: () => Promise.resolve() });
});
