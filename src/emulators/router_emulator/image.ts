import { open } from 'node:fs/promises';
import { conflict } from '../../errors.ts';
import type { Missing } from '../contract.ts';
import { findImage, type ImageContext, imagePlacesOf } from '../image-files.ts';
import type { Settings } from './settings.ts';

type Where = Readonly<ImageContext & { nodeDirectory: string | null }>;

const placesOf = ({ nodeDirectory, ...context }: Where) => imagePlacesOf(context, 'IOS', nodeDirectory);

/** Absolute path of the router's image. Throws a conflict when it is not there or is none. */
export const findRouterImage = async ({ image }: Settings, where: Where): Promise<string> => {
  const file = await findImage('image', image, placesOf(where));
  if (!(await isRouterImage(file)))
    throw conflict(`image ${file} is no image of a router: it does not begin as a big-endian ELF file`, {
      field: 'image',
    });
  if (/["\r\n]/.test(file))
    throw conflict(`image ${file} has a double quote or a line end in its path; the emulator takes none`, {
      field: 'image',
    });
  return file;
};

/** null: the image is there. */
export const missingRouterImage = async ({ image }: Settings, where: Where): Promise<Missing | null> => {
  const places = placesOf(where);
  const found = await findImage('image', image, places).catch(() => null);
  return found === null ? { needs: `image ${image}`, install: `put the image into ${places.images[0]}` } : null;
};

/** ELF identification: the magic number, 32 or 64 bits, big-endian, version 1. */
const isRouterImage = async (file: string): Promise<boolean> => {
  const opened = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(7), 0, 7, 0);
    return bytesRead === 7 && /^\x7fELF[\x01\x02]\x02\x01$/.test(buffer.toString('latin1'));
  } finally {
    await opened.close();
  }
};
