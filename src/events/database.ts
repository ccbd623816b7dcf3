import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { openLevel } from './level.ts';
import type { OpenStore } from './store.ts';

export * from './store.ts';

/** A LevelDB in a directory, made where there is none. */
export const levelStore = (directory: string): OpenStore =>
  Object.assign(() => openLevel(directory, { create: true }), {
    ready: () => tryToWrite(path.join(directory, 'probe.tmp')),
  });

/** LevelDB's write buffer: the most that opening it has to write at once. Octets. */
const OPENING_WRITES = 4 * 1024 * 1024;

const tryToWrite = async (file: string): Promise<void> => {
  try {
    const handle = await open(file, 'w');
    try {
      await handle.writeFile(Buffer.alloc(OPENING_WRITES));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(file, { force: true });
  }
};
