import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDiskFull } from '../events/database.ts';
import { needRoom } from '../disk-space.ts';
import { conflict, messageOf, TopologError } from '../errors.ts';

/** A file that is written, but not yet in its place. */
export interface PreparedFile {
  /** Puts it there, in place of what was there. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Ends the names of files that are being written: no listing shows them. */
const UNFINISHED = '.topolog-tmp';

/** Writes a file beside its place, down to the disk, so that its fact can be appended before it counts. Makes the directory. */
export const prepareFile = async (file: string, bytes: Uint8Array, mode: number): Promise<PreparedFile> => {
  const temporary = path.join(path.dirname(file), `.${randomUUID()}${UNFINISHED}`);
  const discard = (): Promise<void> => rm(temporary, { force: true });
  try {
    await needRoom(file, bytes.length);
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await discard().catch(() => undefined);
    throw notWritten(file, error);
  }
  return {
    commit: () =>
      rename(temporary, file).catch(async (error: unknown) => {
        await discard().catch(() => undefined);
        throw notWritten(file, error);
      }),
    discard,
  };
};

const notWritten = (file: string, error: unknown): TopologError =>
  error instanceof TopologError
    ? error
    : isDiskFull(error)
      ? new TopologError('disk_full', {}, { cause: error })
      : conflict(`${path.basename(file)} cannot be written: ${messageOf(error)}`);
