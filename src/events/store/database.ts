import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { DamagedLog } from './damage.ts';
import { syncPath } from '../../common/durable.ts';
import { openLevel } from './level.ts';
import { checkFiles, isHeld } from './level-files.ts';
import { checkEnd, finishStart } from './level-start.ts';
import type { OpenStore, Store } from './store.ts';
import { FileWitness, WITNESS_FILE } from './witness.ts';

export * from './store.ts';

/** A LevelDB in a directory, made where there is none. Throws `DamagedLog`, with every file as it was, when that shows in its files. */
export const levelStore = (directory: string): OpenStore =>
  Object.assign(() => openWhole(directory), { ready: () => tryToWrite(path.join(directory, 'probe.tmp')) });

const openWhole = async (directory: string): Promise<Store> => {
  const cut = await lookAt(directory);
  const witness = await FileWitness.open(path.join(directory, WITNESS_FILE));
  const store = await openLevel(directory, { create: true, witness, cut });
  // Cheap, and the directory may have been made just now.
  await syncPath(path.dirname(directory));
  return store;
};

/** Looks at the files before LevelDB changes them; answers what was never completely written, in words. */
const lookAt = async (directory: string): Promise<string | null> => {
  try {
    const finished = await finishStart(directory);
    const cut = await checkFiles(directory);
    if (cut !== null) await checkEnd(directory);
    return [finished, cut].filter((text) => text !== null).join('; ') || null;
  } catch (error) {
    // Files that are being written are whole at no moment; opening them says who holds them.
    if (error instanceof DamagedLog && (await isHeld(directory))) return null;
    throw error;
  }
};

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
