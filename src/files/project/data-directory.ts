import { chmod, lstat, readdir, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { besides, makeDirectory } from '../../common/durable.ts';
import { directoryTroubleOf, invalid, messageOf, TopologError } from '../../common/errors.ts';
import type { Store } from '../../events/store/store.ts';
import { type FilePaths, filePathsOf } from '../../events/file-paths.ts';
import { isThere } from './tree.ts';

/** Milliseconds between two looks whether they are still where they were. */
const LOOK_MS = 1_000;

/** What others than its owner may do with a file. */
const OTHERS = 0o077;

/** Where a server keeps what it has. */
export interface Directories {
  /** What is of its machine. */
  dataDir: string;
  /** Projects, images and symbols: the same directory, or one that servers share. */
  filesDir: string;
}

/** What a server makes in a directory of files; anything else in there is not ours. */
export const FOLDERS = ['projects', 'staging', 'images', 'symbols', 'configs'];

/**
 * Makes the data directory, and that of files where it is another one; throws where that cannot be. What is ours in them is its owner's
 * alone: what was open to others is closed, and that is said.
 */
const openDirectories = async ({ dataDir, filesDir }: Directories, logger: Logger): Promise<void> => {
  await makeDirectory(dataDir, 0o700).catch((error: unknown) => {
    throw TopologError.saying(
      'invalid_request',
      `the data directory ${dataDir} cannot be made: ${directoryTroubleOf(error)}`,
    );
  });
  if (filesDir !== dataDir) await openFiles(filesDir);
  if (process.platform === 'win32') return;
  const inside = (await readdir(dataDir)).map((name) => path.join(dataDir, name));
  const shared = filesDir === dataDir ? [] : FOLDERS.map((name) => path.join(filesDir, name));
  await closeToOthers([dataDir, ...inside, ...shared], logger);
};

/**
 * Does something in the directories, which are made before. Where that is refused, those of the data that were made for it and are empty
 * still are taken away again.
 */
export const inDirectories = async <T>(places: Directories, logger: Logger, work: () => Promise<T>): Promise<T> => {
  const missing = await missingAt(places.dataDir);
  try {
    await openDirectories(places, logger);
    return await work();
  } catch (error) {
    for (const place of missing) await rmdir(place).catch(() => undefined);
    throw error;
  }
};

/** A directory and those above it that are not there, deepest first. */
const missingAt = async (directory: string): Promise<string[]> => {
  const missing: string[] = [];
  for (let place = path.resolve(directory); path.dirname(place) !== place; place = path.dirname(place)) {
    if ((await lstat(place).catch(() => null)) !== null) break;
    missing.push(place);
  }
  return missing;
};

/** It may be of a file system that takes no writes. */
const openFiles = async (filesDir: string): Promise<void> => {
  const probe = besides(path.join(filesDir, 'any'));
  try {
    await makeDirectory(filesDir, 0o700);
    await writeFile(probe, '');
  } catch (error) {
    throw invalid(`--files ${filesDir} cannot be made or written: ${directoryTroubleOf(error)}`, { field: 'files' });
  }
  await rm(probe, { force: true });
};

const closeToOthers = async (places: readonly string[], logger: Logger): Promise<void> => {
  const closed: string[] = [];
  for (const place of places) {
    const found = await lstat(place).catch(() => null);
    if (found?.isDirectory() !== true || (found.mode & OTHERS) === 0) continue;
    await chmod(place, found.mode & ~OTHERS & 0o7777).then(
      () => closed.push(place),
      (error: unknown) => logger.warn(`${place} can be used by others: ${messageOf(error)}; chmod 700 ${place}`),
    );
  }
  if (closed.length > 0) logger.warn(`could be used by others, and is its owner's alone now: ${closed.join(', ')}`);
};

/** Where the files are that a log tells of. `movedFrom`: the directory of files had this path at the last start. */
export const findPlaces = async (filesDir: string, store: Store): Promise<FilePaths & { movedFrom: string | null }> => {
  const given = path.resolve(filesDir);
  const real = await realpath(given).catch(() => given);
  return filePathsOf(store, [...new Set([given, real])], (id) => isThere(path.join(given, 'projects', id)));
};

/** A directory that must stay where it is. */
interface Watched {
  place: string;
  /** null: it is not there. */
  identity: () => Promise<string | null>;
  gone: string;
}

const statOf = (place: string) => stat(place).catch(() => null);

const watched = ({ dataDir, filesDir, hasLog }: Directories & { hasLog: boolean }): Watched[] => {
  const place = path.join(dataDir, 'log');
  const log = {
    place,
    identity: () => statOf(place).then((found) => (found === null ? null : `${found.dev}/${found.ino}`)),
    gone: `the data directory ${dataDir} is gone: it was removed or moved away`,
  };
  const files = {
    place: filesDir,
    // A network file system that is mounted again may be another device.
    identity: () => statOf(filesDir).then((found) => (found === null ? null : String(found.ino))),
    gone: `the directory of files ${filesDir} is gone: it was removed or moved away, or is not mounted`,
  };
  return [...(hasLog ? [log] : []), ...(hasLog && filesDir === dataDir ? [] : [files])];
};

/**
 * Looks whether the log and the directory of files are still where they were: files that are open can be written after they were removed or
 * moved away, and nothing of that would be found again. Tells why not, and null once they are back. Answers how to stop.
 * `hasLog`: it is in the data directory.
 */
export const watchDirectories = async (
  directories: Directories & { hasLog: boolean },
  onChange: (gone: string | null) => void,
  lookMs = LOOK_MS,
): Promise<() => void> => {
  const places = watched(directories);
  const ours = await Promise.all(places.map((one) => one.identity()));
  const problemOf = async ({ place, identity, gone }: Watched, i: number): Promise<string | null> => {
    const found = await identity();
    if (found === ours[i]) return null;
    return found === null ? gone : `${place} is another directory than the one that this server uses`;
  };
  let told: string | null = null;
  let looking = false;
  const look = async (): Promise<void> => {
    const problems = await Promise.all(places.map(problemOf));
    const now = problems.find((problem) => problem !== null) ?? null;
    if (now === told) return;
    told = now;
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
