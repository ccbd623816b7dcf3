import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { confined } from '../confined.ts';
import { conflict } from '../errors.ts';
import type { EngineContext } from './contract.ts';

/** Where the images of a kind may be. Absolute. */
export interface ImagePlaces {
  /** `<data-dir>/images`: of all kinds. */
  root: string;
  /** Where bare names are looked for, in every folder below. */
  images: string;
  /** Directory of the project; null: the node has none. */
  project: string | null;
  /** Links among the images may lead anywhere: only who runs the server makes them, and its clients may use its machine. */
  local: boolean;
}

/** `folder`: of the kind's images, below `<data-dir>/images`. */
export const imagePlacesOf = (
  { dataDir, local = true }: Pick<EngineContext, 'dataDir' | 'local'>,
  folder: string,
  nodeDirectory: string | null,
): ImagePlaces => ({
  local,
  root: path.join(dataDir, 'images'),
  images: path.join(dataDir, 'images', folder),
  // `<project>/project-files/<kind>/<node>`
  project: nodeDirectory === null ? null : path.resolve(nodeDirectory, '..', '..', '..'),
});

/** How programs for 32-bit big-endian processors, and for 32- or 64-bit little-endian ones, begin (ELF, gABI 4.1, e_ident). */
export const BIG_ENDIAN_ELF = [0x7f, 0x45, 0x4c, 0x46, 1, 2, 1];
export const LITTLE_ENDIAN_ELFS = [1, 2].map((width) => [0x7f, 0x45, 0x4c, 0x46, width, 1, 1]);

export const startsWith = (head: Uint8Array, begin: readonly number[]): boolean =>
  begin.every((octet, i) => head[i] === octet);

/** Folders within folders that are looked into. */
const DEEPEST = 8;

/**
 * Path of an image. Throws a conflict that names the field, the image and where it was looked for. The directories may be links; a
 * link inside the project, which can have come with it, must not lead out of them.
 */
export const findImage = async (field: string, name: string, places: ImagePlaces): Promise<string> => {
  const file = await named(field, name, places);
  if (places.local && file.startsWith(places.root + path.sep)) return file;
  if (await isWithin(file, places)) return file;
  throw conflict(`${field} ${name} is a link that leads out of ${rootsOf(places).join(' and ')}; put the image there`, {
    field,
  });
};

/** Whether a file is really among the images or in the project. */
export const isWithin = async (file: string, places: ImagePlaces): Promise<boolean> => {
  for (const root of [...rootsOf(places), places.images]) if ((await confined(root, file)) !== null) return true;
  return false;
};

const rootsOf = ({ root, project }: ImagePlaces): string[] => [root, ...(project === null ? [] : [project])];

const named = async (field: string, name: string, places: ImagePlaces): Promise<string> => {
  const { images, project } = places;
  if (path.isAbsolute(name)) return absolute(field, path.normalize(name), places);
  const normal = path.normalize(name);
  if (normal.startsWith('..')) throw conflict(`${field} ${name} leads out of the directory of images`, { field });
  const found =
    (await fileAt(path.join(images, normal))) ??
    (await below(images, path.basename(normal), 0)) ??
    (project === null ? null : await fileAt(path.join(project, normal)));
  if (found === null) throw missing(field, name, [images, ...(project === null ? [] : [project])]);
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

const below = async (directory: string, name: string, depth: number): Promise<string | null> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const folder of depth < DEEPEST ? folders : []) {
    const inside = path.join(directory, folder.name);
    const found = (await fileAt(path.join(inside, name))) ?? (await below(inside, name, depth + 1));
    if (found !== null) return found;
  }
  return null;
};
