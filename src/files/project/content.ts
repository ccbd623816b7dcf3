import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

export interface Content {
  bytes: number;
  sha256: string;
}

/** Octets; bounds the time for which stopping a capture waits. */
const LARGEST = 256 * 1024 * 1024;

/** Size and checksum of a file for an event; undefined: missing, or too large to be read while a client waits. */
export const contentOf = async (file: string): Promise<Content | undefined> => {
  try {
    const { size } = await stat(file);
    return size > LARGEST ? undefined : { bytes: size, sha256: await digestOf(file, 'sha256') };
  } catch {
    return undefined;
  }
};

/** Checksum in hexadecimal digits. */
export const digestOf = async (file: string, algorithm: 'sha256' | 'md5'): Promise<string> => {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};
