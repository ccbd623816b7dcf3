import { randomUUID } from 'node:crypto';
import { constants, promises as files } from 'node:fs';
import path from 'node:path';

/**
 * Changes of files that a loss of power leaves whole: content is on disk before its name is, and a name before anything that counts
 * on it. Everything that is answered and is no event goes through here.
 */

/** Ends the names of files that are being written: no listing shows them. */
export const UNFINISHED = '.topolog-tmp';

type Disk = Pick<typeof files, 'open'>;

/** A file's bytes, or a directory's names, are on disk afterwards. Windows cannot open directories, and needs not. */
export const syncPath = async (place: string, disk: Disk = files): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await disk.open(place, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Directories whose names are known to be on disk, up to the root. Bounded. */
const onDisk = new Set<string>();
const MOST_KNOWN = 10_000;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Makes a directory with those above it and answers the first that was not there. Node's own `recursive` never stops trying where a
 * directory is there and nothing can be made in it, such as in /proc, and takes a whole processor for that.
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
    // Once more; somebody else may just have made it.
    await files.mkdir(place, mode).catch((again: unknown) => {
      if (codeOf(again) !== 'EEXIST') throw again;
    });
    return made ?? place;
  }
};

/**
 * Makes a directory with those above it; their names are on disk afterwards, also of those that were there: another program may have
 * made them a moment ago.
 */
export const makeDirectory = async (directory: string, mode?: number): Promise<void> => {
  const place = path.resolve(directory);
  const made = await makeAll(place, mode);
  const fresh = (one: string): boolean => made !== null && (one === made || one.startsWith(made + path.sep));
  if (onDisk.size > MOST_KNOWN) onDisk.clear();
  for (let one = place; fresh(one); one = path.dirname(one)) onDisk.delete(one);
  for (let one = place; path.dirname(one) !== one && !onDisk.has(one); one = path.dirname(one)) {
    // Those far above may be closed to us, and then are not ours.
    await syncPath(path.dirname(one)).catch((error: unknown) => {
      if (fresh(one)) throw error;
    });
    onDisk.add(one);
  }
};

/**
 * Names that the end of a server has left on their way to disk: those in a directory, and its own. What is not there stays so. For what
 * goes on where a rename was done and its name may not be on disk.
 */
export const settleNames = async (directory: string): Promise<void> => {
  const found = await files.stat(directory).catch(() => null);
  if (found?.isDirectory() !== true) return;
  await makeDirectory(directory);
  await syncPath(directory);
};

/** Renames; on disk when it resolves. The new name first: a loss of power in between leaves both, never none. */
export const moveTo = async (from: string, to: string): Promise<void> => {
  await files.rename(from, to);
  await syncPath(path.dirname(to));
  if (path.dirname(from) !== path.dirname(to)) await syncPath(path.dirname(from));
};

/** Removes; it stays removed. */
export const removeDurably = async (file: string): Promise<void> => {
  await files.rm(file, { force: true });
  await syncPath(path.dirname(file));
};

/** A new file with its bytes on disk, but not yet its name. Throws EEXIST. */
export const writeNew = async (file: string, content: string | Uint8Array, mode = 0o666): Promise<void> => {
  const handle = await files.open(file, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Name for a file that is being written beside its place. */
export const besides = (file: string, id: string = randomUUID()): string =>
  path.join(path.dirname(file), `.${id}${UNFINISHED}`);

/** Puts content in place of what was there: the old or the new is there, whole, at every moment. */
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

/** The same; makes the directory. */
export const writeDurably = async (file: string, content: string | Uint8Array, mode?: number): Promise<void> => {
  await makeDirectory(path.dirname(file));
  await replaceDurably(file, content, mode);
};

/** Others than its owner may do something with a file; of Windows that cannot be told. */
export const isOpenToOthers = (mode: number): boolean => (mode & 0o077) !== 0 && process.platform !== 'win32';

/** Whose a file is to be that takes the place of another: of the owner and with the mode of that, or of the directory where there is none. */
export const ownerFor = async (
  file: string,
  directory: string,
): Promise<{ mode: number | null; owner: { uid: number; gid: number } | null }> => {
  const before = await files.stat(file).catch(() => null);
  const { uid, gid } = before ?? (await files.stat(directory));
  const mode = before === null ? null : before.mode & 0o7777;
  // Nobody else can give files away.
  return { mode, owner: process.geteuid?.() === 0 ? { uid, gid } : null };
};
