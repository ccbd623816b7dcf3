import { copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TopologError } from '../../common/errors.ts';
import { openLevel, repairLevel } from './level.ts';
import { isState, isTable } from './level-files.ts';
import type { Store } from './store.ts';
import { FileWitness, WITNESS_FILE } from './witness.ts';

/** A log on disk, read without changing its directory. */
export interface LogView {
  store: Store;
  /** The manifest was damaged: the content was rebuilt from the readable tables and journals. */
  repaired: boolean;
  /** Closes the store and removes the scratch directory. */
  close: () => Promise<void>;
}

/**
 * Opens the log of a directory without changing it: `scratch`, a directory that is created, gets copies of the
 * manifest and the journals, and links to the tables. The log must not be written meanwhile. Rejects where there is
 * none. `manifest`: used instead of the one in CURRENT.
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

/** Tables are linked, as LevelDB never changes one; other files are copied. */
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
    // Discards what the first try did to the copies.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true });
    await copyInto(directory, scratch);
    await repairLevel(scratch);
    return { store: await openLevel(scratch, opening), repaired: true };
  }
};
