import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { settleNames } from '../../common/durable.ts';
import { messageOf } from '../../common/errors.ts';
import { isUuid } from '../fields/identity.ts';
import { SNAPSHOTS, STAGING } from './parts.ts';
import { placeSnapshot, snapshotDirectory } from './snapshot-files.ts';
import { isAside, putAside, removeTree } from './tree.ts';

/** State of a project's directory by its records. */
interface ProjectState {
  /** Existing snapshots. */
  snapshots: ReadonlySet<string>;
  /** Restore whose files are not in place yet; null: none. */
  staged: string | null;
  /** The directory belongs to the project alone. */
  own: boolean;
}

/**
 * Completes or removes unfinished data in a project's directory after a crash, except uploads and deleted nodes. What
 * fails is moved aside and logged.
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
  // Syncs a snapshot that was moved into place right before the crash.
  if (snapshots.size > 0) await settleNames(path.join(projectPath, SNAPSHOTS));
  if (!own) return;
  // Snapshots whose deletion was recorded but interrupted.
  for (const id of await readdir(path.join(projectPath, SNAPSHOTS)).catch(() => []))
    if (isUuid(id) && !snapshots.has(id)) await removeTree(snapshotDirectory(projectPath, id));
};
