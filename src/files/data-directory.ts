import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../durable.ts';
import { messageOf } from '../errors.ts';
import type { Store } from '../events/database.ts';
import { type Places, placesOf } from '../events/places.ts';
import { isThere } from './tree.ts';

/** What others than its owner may do with a file. */
const OTHERS = 0o077;

/** Makes the data directory. It and the directories in it are their owner's alone: one that was open to others is closed, and that is said. */
export const openDataDirectory = async (dataDir: string, report: (message: string) => void): Promise<void> => {
  await makeDirectory(dataDir, 0o700);
  if (process.platform === 'win32') return;
  const inside = (await readdir(dataDir)).map((name) => path.join(dataDir, name));
  const closed: string[] = [];
  for (const place of [dataDir, ...inside]) {
    const found = await lstat(place).catch(() => null);
    if (found?.isDirectory() !== true || (found.mode & OTHERS) === 0) continue;
    await chmod(place, found.mode & ~OTHERS & 0o7777).then(
      () => closed.push(place),
      (error: unknown) => report(`${place} can be used by others: ${messageOf(error)}; chmod 700 ${place}`),
    );
  }
  if (closed.length > 0) report(`could be used by others, and is its owner's alone now: ${closed.join(', ')}`);
};

/** Where the files are that a log tells of. `movedFrom`: the data directory had this path at the last start. */
export const findPlaces = async (dataDir: string, store: Store): Promise<Places & { movedFrom: string | null }> => {
  const given = path.resolve(dataDir);
  const real = await realpath(given).catch(() => given);
  return placesOf(store, [...new Set([given, real])], (id) => isThere(path.join(given, 'projects', id)));
};
