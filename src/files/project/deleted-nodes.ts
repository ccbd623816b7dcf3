import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { syncPath } from '../../common/durable.ts';
import { digestOf } from './content.ts';
import { codeOf, diskError } from './disk-errors.ts';
import { STAGING } from './parts.ts';
import { isThere, removeTree, sizeBelow } from './tree.ts';

/**
 * Directory of a deleted node, kept for an undo until its project is closed. Renames are not synced, as
 * `restoreKept` and `sweepDeleted` complete them.
 */
export const keptDirectory = (projectPath: string, nodeId: string): string =>
  path.join(projectPath, STAGING, `${SORT}${nodeId}`);
const SORT = 'node-';

/** Larger directories are not kept, as disks are usually deleted to free space. Bytes. */
const MOST_BYTES = 256 << 20;

/** Moves the directory of a deleted node aside. */
export const keepDeleted = async (projectPath: string, nodeId: string, directory: string): Promise<void> => {
  if (!(await isThere(directory))) return;
  const place = keptDirectory(projectPath, nodeId);
  await removeTree(place);
  try {
    if ((await sizeBelow(directory, ['.'])) > MOST_BYTES) return await removeTree(directory);
    await mkdir(path.dirname(place), { recursive: true });
    await rename(directory, place);
  } catch {
    // On another file system, or unreadable: deleted at once.
    await removeTree(directory);
  }
};

export const isDeletedKept = (projectPath: string, nodeId: string): Promise<boolean> =>
  isThere(keptDirectory(projectPath, nodeId));

/** Name of a kept file that has changed; null: none. Missing files do not count, as somebody deleted them. */
export const changedSinceDeletion = async (
  projectPath: string,
  nodeId: string,
  given: ReadonlyMap<string, { sha256: string }>,
): Promise<string | null> => {
  const place = keptDirectory(projectPath, nodeId);
  for (const [name, { sha256 }] of given) {
    const now = await digestOf(path.join(place, name), 'sha256').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return sha256;
      throw diskError(error, `${path.join(place, name)} cannot be read`);
    });
    if (now !== sha256) return name;
  }
  return null;
};

/** Restores the directory of a node. */
export const restoreDeleted = async (projectPath: string, nodeId: string, directory: string): Promise<void> => {
  const place = keptDirectory(projectPath, nodeId);
  if (!(await isThere(place)) || (await isThere(directory))) return;
  await mkdir(path.dirname(directory), { recursive: true });
  await rename(place, directory);
};

/** Deletes the kept directory of one node. */
export const dropDeleted = (projectPath: string, nodeId: string): Promise<void> =>
  removeTree(keptDirectory(projectPath, nodeId));

/** Deletes all kept directories, synced: after a power cut, a start could not tell that they were to be deleted. */
export const dropAllDeleted = async (projectPath: string): Promise<void> => {
  const ids = await keptNodes(projectPath);
  for (const id of ids) await dropDeleted(projectPath, id);
  if (ids.length > 0) await syncPath(path.join(projectPath, STAGING));
};

const keptNodes = async (projectPath: string): Promise<string[]> => {
  const names = await readdir(path.join(projectPath, STAGING)).catch(() => []);
  return names.filter((name) => name.startsWith(SORT)).map((name) => name.slice(SORT.length));
};

/** Restores the directories of nodes that are there again. `directoryOf`: directory of an existing node. */
export const restoreKept = async (
  projectPath: string,
  directoryOf: (nodeId: string) => string | null,
): Promise<void> => {
  for (const id of await keptNodes(projectPath)) {
    const directory = directoryOf(id);
    if (directory !== null) await restoreDeleted(projectPath, id, directory);
  }
};

/** Drops, at the start, what `restoreKept` has left and no undo can want. `directoryOf`: directory of an existing node. */
export const sweepDeleted = async (
  projectPath: string,
  isOpen: boolean,
  directoryOf: (nodeId: string) => string | null,
): Promise<void> => {
  for (const id of await keptNodes(projectPath))
    if (directoryOf(id) !== null || !isOpen) await dropDeleted(projectPath, id);
};
