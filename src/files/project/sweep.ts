import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { settleNames } from '../../common/durable.ts';
import { messageOf } from '../../common/errors.ts';
import { isUuid } from '../fields/identity.ts';
import { SNAPSHOTS, STAGING } from './parts.ts';
import { placeSnapshot, snapshotDirectory } from './snapshot-files.ts';
import { isAside, putAside, removeTree } from './tree.ts';

/** What a project's records say of its directory. */
interface ProjectState {
  /** Snapshots that there are. */
  snapshots: ReadonlySet<string>;
  /** Restore whose files still have to take their places; null: none. */
  staged: string | null;
  /** The directory is the project's own. */
  own: boolean;
}

/**
 * Finishes or takes away what an end of the server has left half done in a project's directory, each by itself; uploads and deleted nodes
 * excepted. What cannot be is put aside and reported.
 */
export const sweepProject = async (
  projectPath: string,
  { snapshots, staged, own }: ProjectState,
  logger: Logger,
): Promise<void> => {
  const place = path.join(projectPath, STAGING);
  const names = await readdir(place).catch(() => []);
  for (const name of names.filter((name) => !isAside(name))) {
    const [, sort = '', id = ''] = /^([a-z]+)-(.*)$/.exec(name) ?? [];
    try {
      if (sort === 'snapshot' && snapshots.has(id)) await placeSnapshot(projectPath, id);
      else if (sort !== 'upload' && sort !== 'node' && !(sort === 'restore' && id === staged))
        await removeTree(path.join(place, name));
    } catch (error) {
      logger.error(
        `${path.join(place, name)} could not be finished and is kept as ${await putAside(path.join(place, name))}: ${messageOf(error)}`,
      );
    }
  }
  // One that was put in its place when the server ended.
  if (snapshots.size > 0) await settleNames(path.join(projectPath, SNAPSHOTS));
  if (!own) return;
  // A snapshot whose deletion is on record and was cut off.
  for (const id of await readdir(path.join(projectPath, SNAPSHOTS)).catch(() => []))
    if (isUuid(id) && !snapshots.has(id)) await removeTree(snapshotDirectory(projectPath, id));
};
