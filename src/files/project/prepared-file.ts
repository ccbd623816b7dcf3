import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { besides, makeDirectory, moveTo, writeNew } from '../../common/durable.ts';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import { needRoom } from '../../common/file.ts';
import { isDiskFull } from '../../events/store/store.ts';

/** A file that is written beside its place. */
export interface PreparedFile {
  /** Id that its event has as well, to decide after a crash whether to move it into place. */
  upload: string;
  place: string;
  /** Moves it into place, replacing an earlier file. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Writes and syncs a file beside its place, so that its event can be appended before it takes effect. Creates the
 * directory.
 */
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
  /** Appends the event of the removal, with the id of the mark. */
  append: (upload: string) => Promise<unknown>;
  /** Discards the mark once the event cannot be on disk. */
  refused: (discard: () => Promise<void>) => Promise<void>;
  remove: () => Promise<void>;
}

/**
 * Removes a file together with an event: until both are done a mark lies beside the file, by which the next start
 * completes an interrupted removal.
 */
export const removeWith = async (file: string, { append, refused, remove }: Removal): Promise<void> => {
  const mark = await prepareFile(file, new Uint8Array(), 0o600);
  await append(mark.upload).catch(async (error: unknown) => {
    await refused(() => mark.discard());
    throw error;
  });
  // After a failure the mark stays, and the next start retries.
  await remove();
  await mark.discard();
};

const notWritten = (file: string, error: unknown): TopologError =>
  error instanceof TopologError
    ? error
    : isDiskFull(error)
      ? new TopologError('disk_full', {}, { cause: error })
      : conflict(`${path.basename(file)} cannot be written: ${messageOf(error)}`);
