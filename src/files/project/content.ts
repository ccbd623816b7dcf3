import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

export interface Content {
  bytes: number;
  sha256: string;
}

/** Octets; the stop of a capture waits for no more than these. */
const LARGEST = 256 * 1024 * 1024;

/** What a file is, for an event; undefined for one that is not there or too large to be read while somebody waits. */
export const contentOf = async (file: string): Promise<Content | undefined> => {
  try {
    const { size } = await stat(file);
    return size > LARGEST ? undefined : { bytes: size, sha256: await digestOf(file, 'sha256') };
  } catch {
    return undefined;
  }
};

/** In hexadecimal digits. */
export const digestOf = async (file: string, algorithm: 'sha256' | 'md5'): Promise<string> => {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};
