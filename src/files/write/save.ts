import { createHash } from 'node:crypto';
import { promises as files } from 'node:fs';
import path from 'node:path';
import { readBounded } from '../../common/file.ts';
import { syncPath, UNFINISHED } from '../../common/durable.ts';
import { conflict, fileTroubleOf, invalid, TopologError } from '../../common/errors.ts';

/** Far more than any lab; what is larger is not a project file. Bytes. */
const MAX_SIZE = 64 * 1024 * 1024;

/** What saving needs of the file system; tests give one that fails. */
export type Disk = Pick<typeof files, 'open' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'stat'>;

/** One at a time per file: the temporary has one name, so that a crash leaves at most one behind. */
const saving = new Map<string, Promise<unknown>>();

interface Saving {
  disk?: Disk;
  /**
   * Puts on record what the file is to be. By then the new one is whole beside its place; it takes the place afterwards. Where this fails, it
   * stays beside for `settleProjectFile`, as the record may be there all the same.
   */
  record?: (sha256: string) => Promise<unknown>;
}

/**
 * Replaces a project file by `text`, all or nothing: what was there stays until the new one is on disk and has been read back.
 * `file` is absolute. Throws TopologError disk_full or conflict, and what `record` throws; the old file is untouched then.
 */
export const saveProjectFile = async (file: string, text: string, how: Saving = {}): Promise<{ sha256: string }> => {
  const before = saving.get(file) ?? Promise.resolve();
  const turn = before.then(() => replace(file, text, how));
  const settled = turn.catch(() => undefined);
  saving.set(file, settled);
  try {
    return await turn;
  } finally {
    if (saving.get(file) === settled) saving.delete(file);
  }
};

/** A link keeps pointing where it did: the file behind it is replaced. */
const placesOf = async (file: string, disk: Disk): Promise<{ target: string; temporary: string }> => {
  const target = await disk.realpath(file).catch(() => file);
  return { target, temporary: `${target}${UNFINISHED}` };
};

const replace = async (file: string, text: string, { disk = files, record }: Saving): Promise<{ sha256: string }> => {
  const bytes = Buffer.from(text);
  const sum = sha256(bytes);
  const { target, temporary } = await placesOf(file, disk);
  // After the rename there is none; and when it cannot be removed, the first failure is the one to tell.
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
 * Finishes or takes back a save that an end of the server has cut off, or whose record its log has refused: the new file takes its place if
 * its SHA-256 (hex) is on record, and is removed if not. Never while the file is being saved. Throws as `saveProjectFile`.
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

/** Answers null where there is no file, and an empty text for what no save can have left, such as a pipe. */
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

/** A full or failing disk can take a write and keep less of it. */
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
