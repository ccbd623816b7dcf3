import type { Hash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { makeDirectory, removeDurably } from '../common/durable.ts';
import { notFound, TopologError } from '../common/errors.ts';
import type { FileSort } from '../common/file-sort.ts';
import { keepSum, md5Of, SUM } from '../emulators/shared/images/checksum.ts';
import { filesBelow, type ImagePlaces, isWithin } from '../emulators/shared/images/image-files.ts';
import { openProjectFile } from './project/files.ts';
import { type Incoming, placeUpload, stageUpload, type UploadTarget } from './uploads.ts';

/** Images of a kind: `<files>/images/<folder>` with subfolders. `<image>.md5sum` beside an image has its checksum. */

export interface ImageFile {
  filename: string;
  /** Path below the folder, with slashes. */
  path: string;
  filesize: number;
  md5sum: string;
}

export const IMAGE_FILES: FileSort = {
  name: 'images',
  what: 'images, and their checksums beside them',
  at: ['images/**'],
  changed: 'named',
  unless: 'somebody put it there without the server',
};

export const imageFolder = (filesDir: string, folder: string): string => path.join(filesDir, 'images', folder);

/** Folder of the images of a kind; null: the kind has none. */
export const imageFolderOf =
  (filesDir: string, kinds: { get(kind: string): { images?: { folder: string } } | undefined }) =>
  (kind: string): string | null => {
    const folder = kinds.get(kind)?.images?.folder;
    return folder === undefined ? null : imageFolder(filesDir, folder);
  };

/** Octets at the beginning of a file that show its type. */
const HEAD = 16;

/** Sorted by name. A file without a stored checksum is read completely once. */
export const listImages = async (
  places: ImagePlaces,
  isImage: (head: Uint8Array) => boolean = () => true,
): Promise<ImageFile[]> => {
  const found = new Map<string, ImageFile>();
  for await (const { root, inside } of imagesIn(places)) {
    if (found.has(inside) || inside.endsWith(SUM)) continue;
    const file = path.join(root, inside);
    // As for starting nodes: links may lead out of the folders only on a server whose clients may use its machine.
    if (!places.local && !(await isWithin(file, places))) continue;
    const image = await readImage(file, inside, isImage).catch(() => null);
    if (image !== null) found.set(inside, image);
  }
  return [...found.values()].sort((a, b) => (a.filename < b.filename ? -1 : a.filename > b.filename ? 1 : 0));
};

/** Other image directories have images at their top level, without a folder per kind. */
async function* imagesIn({
  images,
  roots: [, ...others],
}: ImagePlaces): AsyncGenerator<{ root: string; inside: string }> {
  for (const root of images) for await (const inside of filesBelow(root)) yield { root, inside };
  for (const root of others)
    for await (const inside of filesBelow(root)) {
      if (inside.includes('/')) break;
      yield { root, inside };
    }
}

/** null: no image. */
const readImage = async (
  file: string,
  inside: string,
  isImage: (head: Uint8Array) => boolean,
): Promise<ImageFile | null> => {
  if (!isImage(await headOf(file))) return null;
  const { size: filesize } = await stat(file);
  return { filename: path.posix.basename(inside), path: inside, filesize, md5sum: await md5Of(file) };
};

/** Content of an image; the server's own directory has priority. Throws `not_found`. */
export const openImage = async ({ images, roots }: ImagePlaces, name: string): Promise<Readable> => {
  const flat = name.includes('/') ? [] : roots.slice(1);
  for (const root of [...images, ...flat]) {
    const there = await openProjectFile(root, name).catch(unlessMissing);
    if (there !== null) return there;
  }
  throw notFound('File', name);
};

const unlessMissing = (error: unknown): null => {
  if (error instanceof TopologError && error.code === 'not_found') return null;
  throw error;
};

const headOf = async (file: string): Promise<Uint8Array> => {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** Called after its event. Removes the checksum first, as when an image is replaced. */
export const removeImage = async (file: string): Promise<void> => {
  await removeDurably(`${file}${SUM}`);
  await removeDurably(file);
};

/** `target.root`: the folder. `md5` has the checksum afterwards. */
export const stageImage = async (
  id: string,
  target: UploadTarget,
  { content, limit }: Incoming,
  md5: Hash,
): ReturnType<typeof stageUpload> => {
  await makeDirectory(target.root);
  const hashed = Readable.from(tapped(content, md5), { objectMode: false });
  return stageUpload(target.root, id, target, { content: hashed, limit });
};

async function* tapped(content: Readable, md5: Hash): AsyncGenerator<Buffer> {
  for await (const block of content) {
    md5.update(block as Buffer);
    yield block as Buffer;
  }
}

/** Called after its event. Removes the old checksum first, so that it never lies beside the new image. */
export const placeImage = async (root: string, id: string, file: string, md5sum: string): Promise<void> => {
  await removeDurably(`${file}${SUM}`);
  await placeUpload(root, id, file);
  // Without a stored checksum the image is only read again when it is needed.
  if ((await stat(file).catch(() => null)) !== null) await keepSum(file, md5sum).catch(() => undefined);
};
