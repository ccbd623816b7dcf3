import { createHash } from 'node:crypto';
import { promises as files } from 'node:fs';
import path from 'node:path';
import { readBounded } from '../../common/file.ts';
import { syncPath, UNFINISHED } from '../../common/durable.ts';
import { Mailboxes } from '../../common/mailbox.ts';
import { conflict, fileTroubleOf, invalid, TopologError } from '../../common/errors.ts';

/** Bytes; far more than any lab. */
const MAX_SIZE = 64 * 1024 * 1024;

/** File system as used for saving; tests substitute one that fails. */
export type Disk = Pick<typeof files, 'open' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'stat'>;

/** Serialises saves of a file: the temporary file has one name, so that a crash leaves at most one behind. */
const saves = new Mailboxes();

interface Saving {
  disk?: Disk;
  /**
   * Records the checksum of the new file, which is complete beside its place then, and moved into place afterwards.
   * When this fails, the new file stays for `settleProjectFile`, as the record may have been written all the same.
   */
  record?: (sha256: string) => Promise<unknown>;
}

/**
 * Replaces a project file by `text`, all or nothing: the old file stays until the new one is on disk and has been
 * read back. `file` is absolute. Throws TopologError disk_full or conflict, and what `record` throws; the old file is
 * untouched then.
 */
export const saveProjectFile = (file: string, text: string, how: Saving = {}): Promise<{ sha256: string }> =>
  saves.run(file, () => replace(file, text, how));

/** A symbolic link is kept: the file that it leads to is replaced. */
const placesOf = async (file: string, disk: Disk): Promise<{ target: string; temporary: string }> => {
  const target = await disk.realpath(file).catch(() => file);
  return { target, temporary: `${target}${UNFINISHED}` };
};

const replace = async (file: string, text: string, { disk = files, record }: Saving): Promise<{ sha256: string }> => {
  const bytes = Buffer.from(text);
  const sum = sha256(bytes);
  const { target, temporary } = await placesOf(file, disk);
  // After the rename there is none. Failures are ignored in favour of the first error.
  const discard = (): Promise<void> => disk.rm(temporary, { force: true }).catch(() => undefined);
  try {
    await disk.rm(temporary, { force: true });
    await writeThrough(temporary, bytes, await modeOf(target, disk), disk);
    await check(temporary, bytes, disk);
    if (record !== undefined) await syncPath(path.dirname(target), disk);
  } catch (error) {
    await discard();
    throw notSaved(file, error);
  }
  await record?.(sum);
  try {
    await disk.rename(temporary, target);
    await syncPath(path.dirname(target), disk);
  } catch (error) {
    if (record === undefined) await discard();
    throw notSaved(file, error);
  }
  return { sha256: sum };
};

/**
 * Completes or undoes a save that a crash has interrupted, or whose record was refused: the new file is moved into
 * place if its SHA-256 (hex) is on record, and is removed if not. Not while the file is being saved. Throws as
 * `saveProjectFile`.
 */
export const settleProjectFile = async (file: string, recorded: string | null): Promise<void> => {
  const { target, temporary } = await placesOf(file, files);
  try {
    const sum = await readBounded(temporary, MAX_SIZE).then(sha256, unreadSum);
    if (sum === null) return;
    if (sum !== recorded) return await files.rm(temporary, { force: true });
    await files.rename(temporary, target);
    await syncPath(path.dirname(target));
  } catch (error) {
    throw notSaved(file, error);
  }
};

/** null for a missing file, and an empty text for what is no regular file, such as a pipe. */
const unreadSum = (error: unknown): string | null => {
  if (codeOf(error) === 'ENOENT') return null;
  if (error instanceof TopologError) return '';
  throw error;
};

const modeOf = async (file: string, disk: Disk): Promise<number> => {
  const stat = await disk.stat(file).catch(() => undefined);
  return stat === undefined ? 0o644 : stat.mode & 0o777;
};

const writeThrough = async (file: string, bytes: Buffer, mode: number, disk: Disk): Promise<void> => {
  const handle = await disk.open(file, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Reads the file back, as a full or failing disk may accept a write and lose part of it. */
const check = async (file: string, bytes: Buffer, disk: Disk): Promise<void> => {
  const read = await disk.readFile(file);
  if (!read.equals(bytes)) throw conflict(`${file} does not read back as it was written`);
  JSON.parse(read.toString());
};

const notSaved = (file: string, error: unknown): TopologError => {
  if (['ENOSPC', 'EDQUOT'].includes(codeOf(error)))
    return new TopologError('disk_full', { path: file }, { cause: error });
  const reason = `The project file ${file} cannot be written: ${fileTroubleOf(error)}`;
  return new TopologError('conflict', { reason, path: file }, { cause: error });
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Text of a project file and the SHA-256 (hex) of its bytes. Throws TopologError: invalid for a path, conflict for a file. */
export const loadProjectFile = async (file: string): Promise<{ text: string; sha256: string }> => {
  if (!path.isAbsolute(file) || file.includes('\0')) {
    throw invalid(`path must be the absolute path of a project file, not ${JSON.stringify(file)}`);
  }
  const bytes = await readBounded(file, MAX_SIZE, { called: 'it' }).catch((error: unknown) => {
    throw notRead(file, error instanceof TopologError ? error.message : fileTroubleOf(error), error);
  });
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), sha256: sha256(bytes) };
  } catch (error) {
    throw notRead(file, 'it is not UTF-8 text', error);
  }
};

const notRead = (file: string, why: string, cause: unknown): TopologError =>
  new TopologError('conflict', { reason: `path ${file} cannot be read: ${why}`, path: file }, { cause });
