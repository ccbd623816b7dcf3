import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { besides, makeDirectory, moveTo, writeNew } from '../../common/durable.ts';
import { isDiskFull } from '../../events/store/store.ts';
import { needRoom } from '../../common/disk-space.ts';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';

/** A file that is written, but not yet in its place. */
export interface PreparedFile {
  /** In its event as well: tells after a crash whether it is to be put there. */
  upload: string;
  place: string;
  /** Puts it there, in place of what was there. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Writes a file beside its place, down to the disk, so that its event can be appended before it counts. Makes the directory. */
export const prepareFile = async (file: string, bytes: Uint8Array, mode: number): Promise<PreparedFile> => {
  const upload = randomUUID();
  const temporary = besides(file, upload);
  const discard = (): Promise<void> => rm(temporary, { force: true });
  try {
    await needRoom(file, bytes.length);
    await makeDirectory(path.dirname(file));
    await writeNew(temporary, bytes, mode);
  } catch (error) {
    await discard().catch(() => undefined);
    throw notWritten(file, error);
  }
  return {
    upload,
    place: file,
    commit: () =>
      moveTo(temporary, file).catch(async (error: unknown) => {
        await discard().catch(() => undefined);
        throw notWritten(file, error);
      }),
    discard,
  };
};

interface Removal {
  /** Gets the name of what stands beside the file, which its event has as well. */
  append: (upload: string) => Promise<unknown>;
  /** Takes that away once the event cannot be on disk. */
  refused: (discard: () => Promise<void>) => Promise<void>;
  remove: () => Promise<void>;
}

/**
 * Takes a file away with the event that says so: what stands beside it until then tells the next start to do it where the server ended in
 * between.
 */
export const removeWith = async (file: string, { append, refused, remove }: Removal): Promise<void> => {
  const mark = await prepareFile(file, new Uint8Array(), 0o600);
  await append(mark.upload).catch(async (error: unknown) => {
    await refused(() => mark.discard());
    throw error;
  });
  // Where it fails the mark stays, and the next start tries it again.
  await remove();
  await mark.discard();
};

const notWritten = (file: string, error: unknown): TopologError =>
  error instanceof TopologError
    ? error
    : isDiskFull(error)
      ? new TopologError('disk_full', {}, { cause: error })
      : conflict(`${path.basename(file)} cannot be written: ${messageOf(error)}`);
