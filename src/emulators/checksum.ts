import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { besides } from '../durable.ts';
import { conflict } from '../errors.ts';

export const SUM = '.md5sum';

/** Hex MD5 of a file, kept in `<file>.md5sum` beside it as long as the file is not newer than that. */
export const md5Of = async (file: string): Promise<string> => {
  const known = await readKept(file, `${file}${SUM}`);
  if (known !== null) return known;
  const before = await stat(file);
  const hash = createHash('md5');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  const sum = hash.digest('hex');
  // A directory of images that cannot be written only costs the time again.
  if (isSame(before, await stat(file))) await keepSum(file, sum).catch(() => undefined);
  return sum;
};

/** Another file may have taken its place while it was read. */
const isSame = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;

const readKept = async (file: string, kept: string): Promise<string | null> => {
  const [image, sum] = await Promise.all([stat(file), stat(kept).catch(() => null)]);
  if (sum === null || sum.mtimeMs < image.mtimeMs) return null;
  const text = (await readFile(kept, 'latin1').catch(() => '')).trim().toLowerCase();
  return /^[0-9a-f]{32}$/.test(text) ? text : null;
};

/** Puts a checksum beside a file. */
export const keepSum = async (file: string, sum: string): Promise<void> => {
  const kept = `${file}${SUM}`;
  // Not made of the file's name, which may be as long as a name can be.
  const part = besides(file);
  await writeFile(part, sum, { flush: true });
  await rename(part, kept);
};

/** Throws a conflict that names both sums when the image is not the one that the record means. `wanted` null: any will do. */
export const checkedSum = async (field: string, file: string, wanted: string | null): Promise<void> => {
  if (wanted === null) return;
  const sum = await md5Of(file);
  if (sum === wanted.trim().toLowerCase()) return;
  throw conflict(`${field} ${file} has the MD5 sum ${sum}, and ${field}_md5sum of the node is ${wanted}`, {
    field: `${field}_md5sum`,
  });
};
