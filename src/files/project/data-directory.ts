import { chmod, lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { makeDirectory } from '../../common/durable.ts';
import { messageOf, TopologError } from '../../common/errors.ts';
import type { Store } from '../../events/store/database.ts';
import { type Places, placesOf } from '../../events/places.ts';
import { isThere } from './tree.ts';

/** Milliseconds between two looks whether the log is still where it was. */
const LOOK_MS = 1_000;

/** What others than its owner may do with a file. */
const OTHERS = 0o077;

/** Makes the data directory. It and the directories in it are their owner's alone: one that was open to others is closed, and that is said. */
export const openDataDirectory = async (dataDir: string, logger: Logger): Promise<void> => {
  await makeDirectory(dataDir, 0o700).catch((error: unknown) => {
    throw TopologError.saying('invalid_request', `the data directory ${dataDir} cannot be made: ${messageOf(error)}`);
  });
  if (process.platform === 'win32') return;
  const inside = (await readdir(dataDir)).map((name) => path.join(dataDir, name));
  const closed: string[] = [];
  for (const place of [dataDir, ...inside]) {
    const found = await lstat(place).catch(() => null);
    if (found?.isDirectory() !== true || (found.mode & OTHERS) === 0) continue;
    await chmod(place, found.mode & ~OTHERS & 0o7777).then(
      () => closed.push(place),
      (error: unknown) => logger.warn(`${place} can be used by others: ${messageOf(error)}; chmod 700 ${place}`),
    );
  }
  if (closed.length > 0) logger.warn(`could be used by others, and is its owner's alone now: ${closed.join(', ')}`);
};

/** Where the files are that a log tells of. `movedFrom`: the data directory had this path at the last start. */
export const findPlaces = async (dataDir: string, store: Store): Promise<Places & { movedFrom: string | null }> => {
  const given = path.resolve(dataDir);
  const real = await realpath(given).catch(() => given);
  return placesOf(store, [...new Set([given, real])], (id) => isThere(path.join(given, 'projects', id)));
};

/**
 * Looks whether the log is still where it was: files that are open can be written after they were removed or moved away, and nothing
 * of that would be found again. Tells why not, and null once it is back. Answers how to stop.
 */
export const watchDataDirectory = async (
  dataDir: string,
  onChange: (gone: string | null) => void,
  lookMs = LOOK_MS,
): Promise<() => void> => {
  const place = path.join(dataDir, 'log');
  const identity = (): Promise<string | null> =>
    stat(place).then(
      ({ dev, ino }) => `${dev}/${ino}`,
      () => null,
    );
  const ours = await identity();
  let gone: string | null = null;
  let looking = false;
  const look = async (): Promise<void> => {
    const found = await identity();
    const now =
      found === ours
        ? null
        : found === null
          ? `the data directory ${dataDir} is gone: it was removed or moved away`
          : `${place} is another directory than the one that this server uses`;
    if (now === gone) return;
    gone = now;
    onChange(now);
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => (looking = false));
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
};
