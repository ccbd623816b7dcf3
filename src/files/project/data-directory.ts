import { chmod, lstat, readdir, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { besides, makeDirectory } from '../../common/durable.ts';
import { directoryTroubleOf, invalid, messageOf, TopologError } from '../../common/errors.ts';
import type { Store } from '../../events/store/store.ts';
import { type FilePaths, filePathsOf } from '../../events/file-paths.ts';
import { isThere } from './tree.ts';

/** Interval of checks that the directories are still there. Milliseconds. */
const LOOK_MS = 1_000;

/** Permission bits of others than the owner. */
const OTHERS = 0o077;

/** Directories of a server. */
export interface Directories {
  /** Data of this machine. */
  dataDir: string;
  /** Projects, images and symbols: the same directory, or one that several servers share. */
  filesDir: string;
}

/** Subdirectories that a server makes in a directory of files; others are not its own. */
export const FOLDERS = ['projects', 'staging', 'images', 'symbols', 'configs'];

/**
 * Creates the data directory and the directory of files; throws where that fails. Removes permissions of other users
 * on the server's own directories, with a warning.
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
 * Runs `work` in the directories, creating them first. If that fails, new data directories that are still empty are
 * removed.
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

/** Missing directories of a path, deepest first. */
const missingAt = async (directory: string): Promise<string[]> => {
  const missing: string[] = [];
  for (let place = path.resolve(directory); path.dirname(place) !== place; place = path.dirname(place)) {
    if ((await lstat(place).catch(() => null)) !== null) break;
    missing.push(place);
  }
  return missing;
};

/** Tries to write, as the file system may be read-only. */
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

/** Paths of a log's files. `movedFrom`: path of the directory of files at the last start. */
export const findPlaces = async (filesDir: string, store: Store): Promise<FilePaths & { movedFrom: string | null }> => {
  const given = path.resolve(filesDir);
  const real = await realpath(given).catch(() => given);
  return filePathsOf(store, [...new Set([given, real])], (id) => isThere(path.join(given, 'projects', id)));
};

/** A directory that must stay in place. */
interface Watched {
  place: string;
  /** null: missing. */
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
    // Without the device, which may change when a network file system is mounted again.
    identity: () => statOf(filesDir).then((found) => (found === null ? null : String(found.ino))),
    gone: `the directory of files ${filesDir} is gone: it was removed or moved away, or is not mounted`,
  };
  return [...(hasLog ? [log] : []), ...(hasLog && filesDir === dataDir ? [] : [files])];
};

/**
 * Watches whether the log and the directory of files are still in place: open files can be written after they were
 * removed or moved, and that data would be lost. Reports the problem, and null once it is solved. Returns how to
 * stop. `hasLog`: the log is in the data directory.
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
