import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { rename, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { LENGTHS } from '../../../common/bounds.ts';
import { textIfThere } from '../../../common/file.ts';
import { besides } from '../../../common/durable.ts';
import { conflict } from '../../../common/errors.ts';
import type { Kind, KindNode } from '../../kit/contract.ts';
import { findImage, type ImageContext, imagePlacesOf } from './image-files.ts';

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
  const text = ((await textIfThere(kept, LENGTHS.line).catch(() => null)) ?? '').trim().toLowerCase();
  return /^[0-9a-f]{32}$/.test(text) ? text : null;
};

/** Puts a checksum beside a file. */
export const keepSum = async (file: string, sum: string): Promise<void> => {
  const kept = `${file}${SUM}`;
  // The temporary name does not contain the file's name, which may be as long as a name can be.
  const part = besides(file);
  await writeFile(part, sum, { flush: true });
  await rename(part, kept);
};

/**
 * A sentence for each image of a node that is another than the record means: it names the file and both sums. `strict`: such an image is
 * a conflict. One that is not there is left to the engine, which says what it needs.
 */
export const otherImages = async (
  { images }: Pick<Kind, 'images'>,
  { properties, node_directory }: Pick<KindNode, 'properties' | 'node_directory'>,
  { strict, ...context }: ImageContext & { strict: boolean },
): Promise<string[]> => {
  const found: string[] = [];
  if (images === undefined) return found;
  const places = imagePlacesOf(context, images.folder, node_directory);
  for (const field of images.fields) {
    const sumField = images.sum ?? `${field}_md5sum`;
    const [name, wanted] = [properties[field], properties[sumField]];
    if (typeof name !== 'string' || name === '' || typeof wanted !== 'string' || wanted.trim() === '') continue;
    const file = await findImage(field, name, places).catch(() => null);
    const sum = file === null ? null : await md5Of(file);
    if (file === null || sum === wanted.trim().toLowerCase()) continue;
    const sentence = `${field} ${file} has the MD5 sum ${sum}, and ${sumField} of the node is ${wanted}`;
    if (strict) throw conflict(sentence, { field: sumField });
    found.push(`${sentence}: it is another image than the node was made with`);
  }
  return found;
};
