import { rm } from 'node:fs/promises';
import { Level } from 'level';
import { makeDirectory } from '../../common/durable.ts';
import { TopologError } from '../../common/errors.ts';
import { openingError } from './level.ts';

/** A directory that one process has at a time, whatever container it is in. */
export interface DirectoryLock {
  /** The name that was left by who had it before, and runs no more; null: none is known. */
  readonly before: string | null;
  release(): Promise<void>;
}

const NAME = 'name';

/**
 * Holds a directory, which is made where there is none, and leaves a name in it; null: the one that it has. Throws a conflict while another
 * process has it.
 */
export const lockDirectory = async (directory: string, name: string | null): Promise<DirectoryLock> => {
  try {
    return await lock(directory, name);
  } catch (error) {
    if (name === null || (error instanceof TopologError && error.code === 'conflict')) throw error;
    // Nothing in it is missed for long: what a power cut has left unreadable is begun again.
    await rm(directory, { recursive: true, force: true });
    return lock(directory, name);
  }
};

/** By LevelDB, whose lock ends with its process. */
const lock = async (directory: string, name: string | null): Promise<DirectoryLock> => {
  await makeDirectory(directory, 0o700);
  const level = new Level(directory);
  try {
    await level.open();
    const before = (await level.get(NAME)) ?? null;
    if (name !== null) await level.put(NAME, name, { sync: true });
    return { before, release: () => level.close() };
  } catch (error) {
    await level.close();
    throw openingError(directory, error);
  }
};
