import { randomBytes } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory, syncPath, writeNew } from '../../durable.ts';
import { conflict } from '../../errors.ts';

const BYTES = 32;

/** The secret that cookies are signed with, made on first use and readable by its owner only. Throws `conflict` for what is none. */
export const ticketKey = async (dataDir: string): Promise<Buffer> => {
  const file = path.join(dataDir, 'keys', 'login.key');
  const known = await read(file);
  if (known !== null) return known;
  const next = `${file}.${randomBytes(6).toString('hex')}`;
  await makeDirectory(path.dirname(file));
  await writeNew(next, randomBytes(BYTES), 0o600);
  try {
    // Whole or not at all, and never in the place of one that somebody else has just made.
    await link(next, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    await syncPath(path.dirname(file));
  } finally {
    await rm(next, { force: true });
  }
  const made = await read(file);
  if (made === null) throw conflict(`${file} cannot be made`);
  return made;
};

const read = async (file: string): Promise<Buffer | null> => {
  const found = await readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (found !== null && found.length !== BYTES) throw conflict(`${file} is no key of ${BYTES} bytes; remove it`);
  return found;
};
