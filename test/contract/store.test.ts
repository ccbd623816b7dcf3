import { levelStore } from '../../src/events/store/level-store.ts';
import { memoryStore } from '../support/memory-store.ts';
import { tempDir } from '../support/temp.ts';
import { storeContract } from './store-contract.ts';

storeContract('LevelDB', async () => {
  const dir = await tempDir();
  const store = await levelStore(dir.path)();
  return {
    store,
    end: async () => {
      await store.close();
      await dir.remove();
    },
  };
});

storeContract('an in-memory level', () => Promise.resolve({ store: memoryStore(), end: () => Promise.resolve() }));
