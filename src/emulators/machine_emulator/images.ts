import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { conflict, messageOf } from '../../common/errors.ts';
import type { Missing } from '../kit/contract.ts';
import {
  findImage,
  type ImageContext,
  type ImagePlaces,
  imagePlacesOf,
  isAmong,
  isWithin,
} from '../shared/images/image-files.ts';
import { type ImageField, IMAGES, type Settings } from './schema.ts';
import { type ImageHead, readHead } from './image-head.ts';

export const imagePlaces = (context: ImageContext, nodeDirectory: string | null): ImagePlaces =>
  imagePlacesOf(context, 'QEMU', nodeDirectory);

/** Paths of all images of a machine, empty where it has none. Throws a conflict that names the image and where it was looked for. */
export const findImages = async (settings: Settings, places: ImagePlaces): Promise<Record<ImageField, string>> => {
  const found = {} as Record<ImageField, string>;
  for (const field of IMAGES) {
    const name = settings.images[field];
    found[field] = name === '' ? '' : await findImage(field, name, places);
  }
  return found;
};

/** Finds an image that the settings name and that is not there; null: all are there. */
export const missingImage = async (settings: Settings, places: ImagePlaces): Promise<Missing | null> => {
  for (const field of IMAGES) {
    const name = settings.images[field];
    const found = name === '' ? name : await findImage(field, name, places).catch(() => null);
    if (found === null) return { needs: `${field} ${name}`, install: `put the image into ${places.images[0]}` };
  }
  return null;
};

/** Files that one image may lead to. */
const MOST = 64;

/** Formats of QEMU whose images name no other files. */
const ALONE = ['raw', 'vdi', 'vpc', 'vhdx', 'parallels', 'luks', 'bochs', 'cloop', 'dmg'];

/**
 * Reads the header of an image once it is certain that opening the image opens nothing but regular files among the images, in the project
 * or, on a local server, beside the image. Every file is checked before a program of QEMU runs: otherwise the author of an image could have
 * files, devices and networks of this machine read as a part of it. Throws a conflict that names the file and its part.
 */
export const checkedImage = async (image: string, places: ImagePlaces): Promise<ImageHead> => {
  const beside = path.dirname(await realpath(image).catch(() => image));
  const left = [{ file: image, head: await readHead(image) }];
  const [first] = left;
  for (let n = 0; left.length > 0; n++) {
    const { file, head } = left.shift() as (typeof left)[number];
    if (n === MOST) throw conflict(`the image ${image} refers to more than ${MOST} files`, { image });
    for (const { name, format } of named(head)) {
      const part = partOf(image, file, name);
      await checkPlace(image, file, part, { places, beside });
      const next = await readHead(part).catch((error: unknown) => {
        throw refused(image, file, part, `which is of no use: ${messageOf(error)}`);
      });
      if (format === null || next.format === format) left.push({ file: part, head: next });
      // Octets, whatever they begin with; what has to be of another format than it seems would be read as that.
      else if (!ALONE.includes(format)) throw refused(image, file, part, `as ${format}, which it is not`);
    }
  }
  return (first as (typeof left)[number]).head;
};

/** The data of a qcow2 is octets; extents of a VMDK may be VMDKs. */
const named = ({ format, parts, backing }: ImageHead): { name: string; format: string | null }[] => [
  ...parts.map((name) => ({ name, format: format === 'vmdk' ? null : 'raw' })),
  ...(backing === null ? [] : [backing]),
];

/** Path of what an image names. A colon before any slash ends the name of a protocol, of which `file:` alone is a path. */
const partOf = (image: string, file: string, name: string): string => {
  const [, protocol, rest = name] = /^([^/:]*):(.*)$/s.exec(name) ?? [];
  if ((protocol !== undefined && protocol !== 'file') || /[\0\ufffd]/.test(rest) || rest === '')
    throw refused(image, file, name, 'which is no path of a file');
  return path.resolve(path.dirname(file), rest);
};

const checkPlace = async (
  image: string,
  file: string,
  part: string,
  { places, beside }: { places: ImagePlaces; beside: string },
): Promise<void> => {
  if (await isWithin(part, places)) return;
  const real = await realpath(part).catch(() => null);
  // Links among the images are those of who runs the server.
  const isOwn = isAmong(part, places) || (real !== null && path.dirname(real) === beside);
  if (places.local && isOwn) return;
  throw refused(image, file, part, 'which is neither among the images nor in the project');
};

const refused = (image: string, file: string, part: string, why: string): Error =>
  conflict(`${file === image ? '' : `${image}: `}${file} refers to ${part}, ${why}`, { image, part });
