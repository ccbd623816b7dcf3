import { open } from 'node:fs/promises';
import { conflict } from '../../common/errors.ts';
import type { Missing } from '../kit/contract.ts';
import { findImage, type ImageContext, imagePlacesOf } from '../shared/images/image-files.ts';
import type { Settings } from './settings.ts';

type Where = Readonly<ImageContext & { nodeDirectory: string | null }>;

const placesOf = ({ nodeDirectory, ...context }: Where) => imagePlacesOf(context, 'IOS', nodeDirectory);

/** Absolute path of the router's image. Throws a conflict when it is not there or is none. */
export const findRouterImage = async ({ image }: Settings, where: Where): Promise<string> => {
  const file = await findImage('image', image, placesOf(where));
  const wrong = await flawOf(file);
  if (wrong !== null) throw conflict(`image ${file} ${wrong}`, { field: 'image' });
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

/** Octets of an ELF file's head: the magic number, 32 bits, big-endian, version 1, and where its table of sections is. */
const HEAD = 52;

/** null: none that can be seen. The emulator crashes over a file that ends before its sections. */
const flawOf = async (file: string): Promise<string | null> => {
  const opened = await open(file, 'r');
  try {
    const { buffer: head, bytesRead } = await opened.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    if (!/^\x7fELF\x01\x02\x01/.test(head.toString('latin1')))
      return 'is no image of a router: it does not begin as a big-endian ELF file of 32 bits';
    const { size } = await opened.stat();
    const needed = Math.max(HEAD, head.readUInt32BE(32) + head.readUInt16BE(46) * head.readUInt16BE(48));
    return bytesRead < HEAD || size < needed ? `is not whole: it has ${size} bytes of at least ${needed}` : null;
  } finally {
    await opened.close();
  }
};
