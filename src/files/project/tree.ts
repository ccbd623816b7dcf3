import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, readdir, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { needRoom } from '../../common/file.ts';
import { moveTo, syncPath } from '../../common/durable.ts';
import { conflict } from '../../common/errors.ts';
import { codeOf } from './disk-errors.ts';

/**
 * Directory trees of a project: walking, copying with checksums, putting in place. Paths inside them have slashes.
 */

export type TreeEntry =
  | { path: string; type: 'directory' }
  | { path: string; type: 'file'; bytes: number }
  /** A symbolic link; its target is not resolved. */
  | { path: string; type: 'link'; target: string };

/** An entry of a copy, with checksums. */
export type CopiedEntry =
  Exclude<TreeEntry, { type: 'file' }> | { path: string; type: 'file'; bytes: number; sha256: string };

/**
 * Everything at and below `inside` (relative to `root`), parents first, sorted by name. Symbolic links are not
 * followed; pipes and sockets are skipped. Missing files, including those that disappear meanwhile, are no error.
 */
export async function* walk(root: string, inside: string): AsyncGenerator<TreeEntry> {
  const place = path.join(root, inside);
  const stat = await lstat(place).catch(absent);
  if (stat === null) return;
  if (stat.isSymbolicLink()) {
    const target = await readlink(place).catch(absent);
    if (target !== null) yield { path: inside, type: 'link', target };
  }
  if (stat.isFile()) yield { path: inside, type: 'file', bytes: stat.size };
  if (!stat.isDirectory()) return;
  yield { path: inside, type: 'directory' };
  for (const name of ((await readdir(place).catch(absent)) ?? []).sort()) yield* walk(root, `${inside}/${name}`);
}

/** Total size in octets of all files at and below these paths. */
export const sizeBelow = async (root: string, inside: readonly string[]): Promise<number> => {
  let sum = 0;
  for (const part of inside) for await (const entry of walk(root, part)) sum += entry.type === 'file' ? entry.bytes : 0;
  return sum;
};

const absent = (error: unknown): null => {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
  throw error;
};

export const isThere = async (file: string): Promise<boolean> => (await lstat(file).catch(absent)) !== null;

/** SHA-256 (hex) of a file's bytes. */
export const sha256File = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  for await (const block of handle.createReadStream()) hash.update(block as Buffer);
  return hash.digest('hex');
};

interface CopyOptions {
  /** Expected checksum of the copy; default: that of the original. */
  expected?: string | null;
  /** Path in the new tree, where it differs. */
  as?: string;
}

/**
 * Copies and syncs one entry from tree to tree, as a reflink where possible. The copy of a file is read back and its
 * checksum verified.
 */
export const copyEntry = async (
  entry: TreeEntry,
  from: string,
  to: string,
  { expected = null, as = entry.path }: CopyOptions = {},
): Promise<CopiedEntry> => {
  const place = path.join(to, as);
  if (entry.type === 'directory') {
    await mkdir(place, { recursive: true });
    return entry;
  }
  await mkdir(path.dirname(place), { recursive: true });
  if (entry.type === 'link') {
    await symlink(entry.target, place);
    return entry;
  }
  const source = path.join(from, entry.path);
  await needRoom(place, entry.bytes);
  const wanted = expected ?? (await sha256File(source));
  await copyFile(source, place, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  const sha256 = await sha256File(place);
  if (sha256 !== wanted) throw conflict(`${entry.path} does not read back as it should: its checksum is another one`);
  await syncPath(place);
  return { path: as, type: 'file', bytes: (await lstat(place)).size, sha256 };
};

/** Syncs the directories of a tree, deepest first, and its files with `files`; but not the name of its root. */
export const syncTree = async (root: string, { files = false } = {}): Promise<void> => {
  const directories: string[] = [];
  for await (const entry of walk(root, '.')) {
    const place = path.join(root, entry.path);
    if (entry.type === 'directory') directories.push(place);
    else if (files && entry.type === 'file') await syncPath(place);
  }
  for (const directory of directories.reverse()) await syncPath(directory);
};

/** Prefix of names of unfinished data that is kept for a person. */
const ASIDE = 'broken-';
export const isAside = (name: string): boolean => name.startsWith(ASIDE);

/** Renames data that cannot be completed, so that later starts ignore it; returns its new path. */
export const putAside = async (place: string): Promise<string> => {
  const aside = path.join(path.dirname(place), `${ASIDE}${path.basename(place)}`);
  await removeTree(aside);
  await moveTo(place, aside);
  return aside;
};

export const removeTree = (place: string): Promise<void> => rm(place, { recursive: true, force: true, maxRetries: 3 });
