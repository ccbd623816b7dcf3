import { randomUUID } from 'node:crypto';
import { constants, promises as files } from 'node:fs';
import path from 'node:path';

/**
 * Changes of files that survive a loss of power: content is on disk before its name is, and a name before anything that relies on it.
 * Every acknowledged write that is not an event goes through here.
 */

/** Suffix of files that are being written: listings leave them out. */
export const UNFINISHED = '.topolog-tmp';

type Disk = Pick<typeof files, 'open'>;

/** Flushes a file's bytes, or a directory's names, to disk. Windows cannot open directories, and need not. */
export const syncPath = async (place: string, disk: Disk = files): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await disk.open(place, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Directories whose names are on disk, up to the root. Cleared when there are too many. */
const onDisk = new Set<string>();
const MOST_KNOWN = 10_000;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Makes a directory with its parents; returns the topmost one that was missing, null if none was. Node's own `recursive` tries for ever,
 * with a whole processor, where a directory exists and nothing can be made in it, such as in /proc.
 */
const makeAll = async (place: string, mode?: number): Promise<string | null> => {
  try {
    await files.mkdir(place, mode);
    return place;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await files.stat(place)).isDirectory()) return null;
    const above = path.dirname(place);
    if (codeOf(error) !== 'ENOENT' || above === place) throw error;
    const made = await makeAll(above, mode);
    // Another process may have made it in the meantime.
    await files.mkdir(place, mode).catch((again: unknown) => {
      if (codeOf(again) !== 'EEXIST') throw again;
    });
    return made ?? place;
  }
};

/**
 * Makes a directory with its parents, and flushes all their names to disk, including existing ones: another program may have made those a
 * moment ago.
 */
export const makeDirectory = async (directory: string, mode?: number): Promise<void> => {
  const place = path.resolve(directory);
  const made = await makeAll(place, mode);
  const fresh = (one: string): boolean => made !== null && (one === made || one.startsWith(made + path.sep));
  if (onDisk.size > MOST_KNOWN) onDisk.clear();
  for (let one = place; fresh(one); one = path.dirname(one)) onDisk.delete(one);
  for (let one = place; path.dirname(one) !== one && !onDisk.has(one); one = path.dirname(one)) {
    // Parents that cannot be opened belong to another user, who has made them.
    await syncPath(path.dirname(one)).catch((error: unknown) => {
      if (fresh(one)) throw error;
    });
    onDisk.add(one);
  }
};

/**
 * Flushes the names in a directory, and its own, to disk, if it exists: for work that goes on behind a rename that a killed server did
 * not flush.
 */
export const settleNames = async (directory: string): Promise<void> => {
  const found = await files.stat(directory).catch(() => null);
  if (found?.isDirectory() !== true) return;
  await makeDirectory(directory);
  await syncPath(directory);
};

/** Renames, on disk when it resolves. The new name is flushed first: a loss of power in between leaves both, never none. */
export const moveTo = async (from: string, to: string): Promise<void> => {
  await files.rename(from, to);
  await syncPath(path.dirname(to));
  if (path.dirname(from) !== path.dirname(to)) await syncPath(path.dirname(from));
};

/** Removes a file, on disk when it resolves. */
export const removeDurably = async (file: string): Promise<void> => {
  await files.rm(file, { force: true });
  await syncPath(path.dirname(file));
};

/** Makes a file and flushes its bytes to disk, but not its name. Throws EEXIST. */
export const writeNew = async (file: string, content: string | Uint8Array, mode = 0o666): Promise<void> => {
  const handle = await files.open(file, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Name of the temporary file beside a file that is being written. */
export const besides = (file: string, id: string = randomUUID()): string =>
  path.join(path.dirname(file), `.${id}${UNFINISHED}`);

/** Replaces a file: at every moment the old or the new content is there, whole. */
const replaceDurably = async (file: string, content: string | Uint8Array, mode?: number): Promise<void> => {
  const temporary = besides(file);
  try {
    await writeNew(temporary, content, mode);
    await moveTo(temporary, file);
  } catch (error) {
    await files.rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
};

/** Replaces or makes a file, with its directory; on disk when it resolves. */
export const writeDurably = async (file: string, content: string | Uint8Array, mode?: number): Promise<void> => {
  await makeDirectory(path.dirname(file));
  await replaceDurably(file, content, mode);
};

/** Whether others than its owner may access a file; not known on Windows. */
export const isOpenToOthers = (mode: number): boolean => (mode & 0o077) !== 0 && process.platform !== 'win32';

/** Mode and owner for a file that replaces another: those of that file, else the owner of the directory. */
export const ownerFor = async (
  file: string,
  directory: string,
): Promise<{ mode: number | null; owner: { uid: number; gid: number } | null }> => {
  const before = await files.stat(file).catch(() => null);
  const { uid, gid } = before ?? (await files.stat(directory));
  const mode = before === null ? null : before.mode & 0o7777;
  // Only root can change the owner of a file.
  return { mode, owner: process.geteuid?.() === 0 ? { uid, gid } : null };
};
