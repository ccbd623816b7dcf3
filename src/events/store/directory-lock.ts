import { rm } from 'node:fs/promises';
import { Level } from 'level';
import { makeDirectory } from '../../common/durable.ts';
import { TopologError } from '../../common/errors.ts';
import { openingError } from './level.ts';

/** A directory held by one process at a time, whatever container it is in. */
export interface DirectoryLock {
  /** Name left by the last holder, which has ended; null: unknown. */
  readonly before: string | null;
  release(): Promise<void>;
}

const NAME = 'name';

/**
 * Locks a directory, creating it where needed, and leaves a name in it (null: keeps the present one). Throws a
 * conflict while another process holds it.
 */
export const lockDirectory = async (directory: string, name: string | null): Promise<DirectoryLock> => {
  try {
    return await lock(directory, name);
  } catch (error) {
    if (name === null || (error instanceof TopologError && error.code === 'conflict')) throw error;
    // The content is expendable: what a power cut has made unreadable is recreated.
    await rm(directory, { recursive: true, force: true });
    return lock(directory, name);
  }
};

/** The lock is LevelDB's, which ends with its process. */
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
