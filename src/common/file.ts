import { constants } from 'node:fs';
import { access, lstat, open, realpath, statfs } from 'node:fs/promises';
import path from 'node:path';
import { conflict, TopologError } from './errors.ts';

/**
 * Path of a file or directory with every link resolved, if it is below `root`; parts that do not exist yet are kept as they are named.
 * null for a path outside, one that cannot be reached, and a link to nothing, whose target could be made anywhere.
 */
export const confined = async (root: string, file: string): Promise<string | null> => {
  const [base, real] = await Promise.all([resolved(path.resolve(root)), resolved(path.resolve(file))]);
  if (base === null || real === null) return null;
  return real.startsWith(base.endsWith(path.sep) ? base : base + path.sep) ? real : null;
};

/** Resolves the part of a path that exists. */
const resolved = async (file: string): Promise<string | null> => {
  try {
    return await realpath(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const parent = path.dirname(file);
    if (!['ENOENT', 'ENOTDIR'].includes(code) || parent === file) return null;
    const found = await lstat(file).catch(() => null);
    // It is a link to nothing, or was made in the meantime.
    if (found !== null) return found.isSymbolicLink() ? null : resolved(file);
    const base = await resolved(parent);
    return base === null ? null : path.join(base, path.basename(file));
  }
};

/** Whether a path exists and can be accessed. `mode` is that of fs.access; default: it exists. */
export const isThere = (place: string, mode?: number): Promise<boolean> =>
  access(place, mode).then(
    () => true,
    () => false,
  );

/** Whether a path does not exist. false also where that cannot be determined. */
export const isGone = (place: string): Promise<boolean> =>
  access(place).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );

/**
 * Reads a whole file of at most `most` octets, which somebody else may have written. Throws a conflict for a larger file and for one that
 * is not regular, and the system's error where it cannot be opened. `follow` false: a symbolic link is not opened (ELOOP).
 * `called`: the file's name in those conflicts.
 */
export const readBounded = async (
  file: string,
  most: number,
  { follow = true, called = file } = {},
): Promise<Buffer> => {
  // Without O_NONBLOCK, opening a named pipe waits for its writer.
  const links = follow ? 0 : constants.O_NOFOLLOW;
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | links);
  try {
    if (!(await handle.stat()).isFile()) throw conflict(`${called} is not a regular file`);
    const blocks: Buffer[] = [];
    let octets = 0;
    // The file may grow while it is read.
    for await (const block of handle.createReadStream({ end: most, autoClose: false })) {
      blocks.push(block as Buffer);
      octets += (block as Buffer).length;
    }
    if (octets > most) throw conflict(`${called} is larger than ${most} bytes`);
    return Buffer.concat(blocks);
  } finally {
    await handle.close();
  }
};

/** Reads like `readBounded`; null for a file that does not exist. */
export const readIfThere = (file: string, most: number): Promise<Buffer | null> =>
  readBounded(file, most).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });

export const textIfThere = async (file: string, most: number): Promise<string | null> =>
  (await readIfThere(file, most))?.toString() ?? null;

/**
 * Space kept free for the log on every disk that is written to: captures, recordings, uploads, imports, snapshots and images end or are
 * refused first. Octets.
 */
const KEPT = 64 * 2 ** 20;
/** Share of a small disk that is kept free instead. */
const KEPT_SHARE = 1 / 4;

/** Throws `disk_full` if writing so many octets at a path, which need not exist yet, would leave less than is kept for the log. */
export const needRoom = async (place: string, octets = 0): Promise<void> => {
  const disk = await diskOf(path.resolve(place));
  // Nothing is refused where the system does not tell the free space.
  if (disk === null || disk.total === 0) return;
  const kept = Math.min(KEPT, disk.total * KEPT_SHARE);
  if (disk.free - octets >= kept) return;
  const wanted = octets < 2 ** 20 ? '' : `, not enough for ${mebibytes(octets)} more`;
  throw TopologError.saying(
    'disk_full',
    `only ${mebibytes(disk.free)} are free on the disk${wanted}: ${mebibytes(kept)} are kept for the log`,
  );
};

const diskOf = async (place: string): Promise<{ free: number; total: number } | null> => {
  for (let at = place; ; at = path.dirname(at)) {
    const disk = await statfs(at).catch(() => null);
    if (disk !== null) return { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
    if (path.dirname(at) === at) return null;
  }
};

const mebibytes = (octets: number): string => `${Math.floor(octets / 2 ** 20).toLocaleString('en')} MiB`;
