import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { conflict } from '../errors.ts';

/**
 * Reads a whole file of at most `most` octets: somebody else may have written it, at any size. Throws a conflict for a larger file and for
 * one that is not regular, and the system's error where it cannot be opened. `follow` false: a symbolic link is not opened (ELOOP).
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
    // It may grow while it is read.
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

/** The same; null for one that is not there. */
export const readIfThere = (file: string, most: number): Promise<Buffer | null> =>
  readBounded(file, most).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });

export const textIfThere = async (file: string, most: number): Promise<string | null> =>
  (await readIfThere(file, most))?.toString() ?? null;
