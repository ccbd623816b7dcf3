import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Level } from 'level';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS } from '../../src/events/store/store.ts';
import { WITNESS_FILE } from '../../src/events/store/witness.ts';
import { memory, memoryStore } from '../support/memory-store.ts';
import { tempDir } from '../support/temp.ts';
import { logContract } from './log-contract.ts';

logContract('LevelDB', async () => {
  const dir = await tempDir();
  const bare = async <T>(use: (level: Level) => Promise<T>): Promise<T> => {
    const level = new Level(dir.path);
    try {
      return await use(level);
    } finally {
      await level.close();
    }
  };
  return {
    open: levelStore(dir.path),
    tamper: (ops) => bare((level) => level.batch(ops)),
    raw: (key) => bare((level) => level.get(key)),
    forget: () => rm(path.join(dir.path, WITNESS_FILE)),
    end: dir.remove,
  };
});

logContract('an in-memory level', () => {
  const level = memory();
  return Promise.resolve({
    open: async () => memoryStore(level, (await level.get(KEYS.format)) !== undefined),
    tamper: (ops) => level.batch(ops),
    raw: async (key) => (await level.get(key)) ?? '',
    end: () => level.close(),
  });
});
