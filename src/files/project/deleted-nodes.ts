import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { syncPath } from '../../common/durable.ts';
import { digestOf } from './content.ts';
import { codeOf, diskError } from './disk-errors.ts';
import { STAGING } from './parts.ts';
import { isThere, removeTree, sizeBelow } from './tree.ts';

/**
 * Directories of deleted nodes are kept until their project is closed: an undo brings them back. Renames are not waited for on disk, as
 * `sweepDeleted` finishes them.
 */
export const keptDirectory = (projectPath: string, nodeId: string): string =>
  path.join(projectPath, STAGING, `${SORT}${nodeId}`);
const SORT = 'node-';

/** Of larger ones nothing is kept: who deletes a disk wants its room. Bytes. */
const MOST_BYTES = 256 << 20;

/** Takes a node's directory away, and keeps it. */
export const keepDeleted = async (projectPath: string, nodeId: string, directory: string): Promise<void> => {
  if (!(await isThere(directory))) return;
  const place = keptDirectory(projectPath, nodeId);
  await removeTree(place);
  try {
    if ((await sizeBelow(directory, ['.'])) > MOST_BYTES) return await removeTree(directory);
    await mkdir(path.dirname(place), { recursive: true });
    await rename(directory, place);
  } catch {
    // It lies on another disk, or cannot be read: nothing of it is kept.
    await removeTree(directory);
  }
};

export const isDeletedKept = (projectPath: string, nodeId: string): Promise<boolean> =>
  isThere(keptDirectory(projectPath, nodeId));

/** Which of its files, by their paths in it, is not what it was; null: none. One that is gone was taken away by somebody. */
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

/** Gives a node that is there again what is kept of it. */
export const restoreDeleted = async (projectPath: string, nodeId: string, directory: string): Promise<void> => {
  const place = keptDirectory(projectPath, nodeId);
  if (!(await isThere(place)) || (await isThere(directory))) return;
  await mkdir(path.dirname(directory), { recursive: true });
  await rename(place, directory);
};

/** Nothing is kept any more of one node. */
export const dropDeleted = (projectPath: string, nodeId: string): Promise<void> =>
  removeTree(keptDirectory(projectPath, nodeId));

/** Nothing is kept any more of any node, also after a power cut: no start could tell that it was to go. */
export const dropAllDeleted = async (projectPath: string): Promise<void> => {
  const ids = await keptNodes(projectPath);
  for (const id of ids) await dropDeleted(projectPath, id);
  if (ids.length > 0) await syncPath(path.join(projectPath, STAGING));
};

const keptNodes = async (projectPath: string): Promise<string[]> => {
  const names = await readdir(path.join(projectPath, STAGING)).catch(() => []);
  return names.filter((name) => name.startsWith(SORT)).map((name) => name.slice(SORT.length));
};

/** At the start: what the end of a server has cut off. `directoryOf`: of a node that there is. */
export const sweepDeleted = async (
  projectPath: string,
  isOpen: boolean,
  directoryOf: (nodeId: string) => string | null,
): Promise<void> => {
  for (const id of await keptNodes(projectPath)) {
    const directory = directoryOf(id);
    if (directory !== null) await restoreDeleted(projectPath, id, directory);
    if (directory !== null || !isOpen) await dropDeleted(projectPath, id);
  }
};
