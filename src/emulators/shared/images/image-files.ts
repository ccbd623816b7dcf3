import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { confined } from '../../../common/file.ts';
import { conflict } from '../../../common/errors.ts';
import type { EngineContext } from '../../kit/contract.ts';

/** Directories of the images of a kind. Absolute. */
export interface ImagePlaces {
  /** `<files>/images` and the directories of `--images`: of all kinds. */
  roots: readonly string[];
  /** The kind's folder in each of them, the server's own first. Bare names are looked for there, in every folder below. */
  images: readonly [own: string, ...others: string[]];
  /** Directory of the project; null: the node has none. */
  project: string | null;
  /** Links among the images may lead anywhere: only who runs the server makes them, and its clients may use its machine. */
  local: boolean;
}

export type ImageContext = Pick<EngineContext, 'filesDir' | 'local' | 'imageDirectories'>;

/** `folder`: of the kind's images, below `<files>/images`. */
export const imagePlacesOf = (
  { filesDir, local = true, imageDirectories = [] }: ImageContext,
  folder: string,
  nodeDirectory: string | null,
): ImagePlaces => {
  const own = path.join(filesDir, 'images');
  return {
    local,
    roots: [own, ...imageDirectories],
    images: [path.join(own, folder), ...imageDirectories.map((directory) => path.join(directory, folder))],
    // `<project>/project-files/<kind>/<node>`
    project: nodeDirectory === null ? null : path.resolve(nodeDirectory, '..', '..', '..'),
  };
};

/** How programs for 32-bit big-endian processors, and for 32- or 64-bit little-endian ones, begin (ELF, gABI 4.1, e_ident). */
export const BIG_ENDIAN_ELF = [0x7f, 0x45, 0x4c, 0x46, 1, 2, 1];
export const LITTLE_ENDIAN_ELFS = [1, 2].map((width) => [0x7f, 0x45, 0x4c, 0x46, width, 1, 1]);

export const startsWith = (head: Uint8Array, begin: readonly number[]): boolean =>
  begin.every((octet, i) => head[i] === octet);

/** Folders within folders that are looked into, and how many of all. */
const DEEPEST = 8;
const MOST_FOLDERS = 10_000;

/**
 * Files below a directory with their paths from there, those of a folder before those of its folders, sorted. Links are followed, and
 * a folder that several lead to is looked into once; what begins with a dot is left out.
 */
export async function* filesBelow(directory: string, inside = '', seen = new Set<string>()): AsyncGenerator<string> {
  const place = path.join(directory, inside);
  const real = await realpath(place).catch(() => place);
  if (seen.has(real) || seen.size === MOST_FOLDERS) return;
  seen.add(real);
  const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
  const folders: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
    const what = entry.isSymbolicLink() ? await stat(path.join(directory, name)).catch(() => null) : entry;
    if (what?.isFile() === true) yield name;
    if (what?.isDirectory() === true) folders.push(name);
  }
  if (inside.split('/').length > DEEPEST) return;
  for (const folder of folders) yield* filesBelow(directory, folder, seen);
}

/**
 * Path of an image. Throws a conflict that names the field, the image and where it was looked for. The directories may be links; a
 * link inside the project, which can have come with it, must not lead out of them.
 */
export const findImage = async (field: string, name: string, places: ImagePlaces): Promise<string> => {
  const file = await named(field, name, places);
  if (places.local && isAmong(file, places)) return file;
  if (await isWithin(file, places)) return file;
  throw conflict(`${field} ${name} is a link that leads out of ${rootsOf(places).join(' and ')}; put the image there`, {
    field,
  });
};

/** Whether a path is one of the images, wherever its links lead. */
export const isAmong = (file: string, { roots }: Pick<ImagePlaces, 'roots'>): boolean =>
  roots.some((root) => file.startsWith(root + path.sep));

/** Whether a file is really among the images or in the project. */
export const isWithin = async (file: string, places: ImagePlaces): Promise<boolean> => {
  for (const root of [...rootsOf(places), ...places.images]) if ((await confined(root, file)) !== null) return true;
  return false;
};

const rootsOf = ({ roots, project }: ImagePlaces): string[] => [...roots, ...(project === null ? [] : [project])];

const named = async (field: string, name: string, places: ImagePlaces): Promise<string> => {
  const { images, roots, project } = places;
  if (path.isAbsolute(name)) return absolute(field, path.normalize(name), places);
  const normal = path.normalize(name);
  if (normal.startsWith('..')) throw conflict(`${field} ${name} leads out of the directory of images`, { field });
  const [, ...others] = roots;
  // Other directories can have the images without a folder for each kind.
  for (const place of [...images, ...others]) {
    const found = (await fileAt(path.join(place, normal))) ?? (await below(place, path.basename(normal)));
    if (found !== null) return found;
  }
  const found = project === null ? null : await fileAt(path.join(project, normal));
  if (found === null) throw missing(field, name, [...images, ...(project === null ? [] : [project])]);
  return found;
};

const absolute = async (field: string, file: string, places: ImagePlaces): Promise<string> => {
  const allowed = rootsOf(places);
  if (!allowed.some((directory) => file.startsWith(directory + path.sep)))
    throw conflict(`${field} ${file} is outside ${allowed.join(' and ')}; put the image into one of them`, { field });
  if ((await fileAt(file)) === null) throw missing(field, file, [path.dirname(file)]);
  return file;
};

const missing = (field: string, name: string, places: string[]): Error =>
  conflict(`${field} ${name} is not there; looked for in ${places.join(' and ')}`, { field, image: name });

const fileAt = async (file: string): Promise<string | null> =>
  (await stat(file).catch(() => null))?.isFile() === true ? file : null;

const below = async (directory: string, name: string): Promise<string | null> => {
  for await (const file of filesBelow(directory)) if (path.basename(file) === name) return path.join(directory, file);
  return null;
};

/** Whether one of these directories has anything that could be an image. */
export const hasImages = async (directories: readonly string[]): Promise<boolean> => {
  for (const directory of directories)
    for await (const file of filesBelow(directory)) if (!file.endsWith('.md5sum')) return true;
  return false;
};
