import { copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TopologError } from '../../common/errors.ts';
import { openLevel, repairLevel } from './level.ts';
import { isState, isTable } from './level-files.ts';
import type { Store } from './store.ts';
import { FileWitness, WITNESS_FILE } from './witness.ts';

/** A log as it is on disk, to be read only: nothing in its directory changes. */
export interface LogView {
  store: Store;
  /** LevelDB's own list of files was damaged: what can be read of the tables and journals was put together without it. */
  repaired: boolean;
  /** Closes the store and removes the scratch directory. */
  close: () => Promise<void>;
}

/**
 * Opens the log of a directory without changing anything in it: `scratch`, a directory that is made, gets copies of LevelDB's list of
 * files and journals, and links to its tables. The log must not be written meanwhile. Rejects where there is none. `manifest`: as if
 * CURRENT named this list of files.
 */
export const viewStore = async (directory: string, scratch: string, manifest?: string): Promise<LogView> => {
  await mkdir(scratch, { recursive: true });
  const remove = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  try {
    await copyInto(path.resolve(directory), scratch);
    if (manifest !== undefined) await writeFile(path.join(scratch, 'CURRENT'), `${manifest}\n`);
    const { store, repaired } = await openCopy(path.resolve(directory), scratch);
    const close = async (): Promise<void> => {
      try {
        await store.close();
      } finally {
        await remove();
      }
    };
    return { store, repaired, close };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** LevelDB never changes a table that it has written; everything else it may. */
const copyInto = async (directory: string, scratch: string): Promise<void> => {
  const names = (await readdir(directory)).filter((name) => isTable(name) || isState(name));
  if (names.length === 0) throw new TopologError('not_found', { what: 'The log', id: directory });
  for (const name of names) {
    const [from, to] = [path.join(directory, name), path.join(scratch, name)];
    if (isTable(name)) await symlink(from, to);
    else await copyFile(from, to);
  }
};

const openCopy = async (directory: string, scratch: string): Promise<{ store: Store; repaired: boolean }> => {
  const opening = { create: false, witness: await FileWitness.open(path.join(directory, WITNESS_FILE)) };
  try {
    return { store: await openLevel(scratch, opening), repaired: false };
  } catch {
    // What the first try has done to the copies is undone.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true });
    await copyInto(directory, scratch);
    await repairLevel(scratch);
    return { store: await openLevel(scratch, opening), repaired: true };
  }
};
