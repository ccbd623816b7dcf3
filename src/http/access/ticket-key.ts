import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { makeDirectory, syncPath, writeNew } from '../../common/durable.ts';
import { conflict, messageOf } from '../../common/errors.ts';

const BYTES = 32;
const SUM_BYTES = 8;

/**
 * The secret that cookies are signed with, made on first use and readable by its owner only. Throws `conflict` for what is none.
 * `logger`: told why there is none that can be used; the key is then of this process.
 */
export const ticketKey = (dataDir: string, logger: Logger | null = null): Promise<Buffer> =>
  keptKey(path.join(dataDir, 'keys', 'login.key')).catch((error: unknown) => {
    if (logger === null) throw error;
    logger.warn(`logins end with this server: ${messageOf(error)}`);
    return randomBytes(BYTES);
  });

/** Throws `conflict` for one that is damaged; fine where there is none. */
export const checkTicketKey = async (dataDir: string): Promise<void> => {
  await read(path.join(dataDir, 'keys', 'login.key'));
};

const keptKey = async (file: string): Promise<Buffer> => {
  const known = await read(file);
  if (known !== null) return known;
  const next = `${file}.${randomBytes(6).toString('hex')}`;
  await makeDirectory(path.dirname(file));
  const fresh = randomBytes(BYTES);
  await writeNew(next, Buffer.concat([fresh, sumOf(fresh)]), 0o600);
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

/** 8 octets that tell whether the key is as it was written. */
const sumOf = (key: Buffer): Buffer => createHash('sha256').update(key).digest().subarray(0, SUM_BYTES);

const read = async (file: string): Promise<Buffer | null> => {
  const found = await readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  const key = found.subarray(0, BYTES);
  // The first versions wrote none.
  const isWhole = found.length === BYTES || found.subarray(BYTES).equals(sumOf(key));
  if (key.length !== BYTES || !isWhole) throw conflict(`${file} is no key of ${BYTES} bytes, or damaged; remove it`);
  return key;
};
