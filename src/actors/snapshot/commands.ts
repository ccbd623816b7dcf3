import { randomUUID } from 'node:crypto';
import { conflict, reporting } from '../../common/errors.ts';
import { isOwnDirectory } from '../../files/project/parts.ts';
import {
  placeSnapshot,
  preparedSnapshot,
  prepareSnapshot,
  removeSnapshot,
} from '../../files/project/snapshot-files.ts';
import { isThere, removeTree } from '../../files/project/tree.ts';
import type { SnapshotRecord } from '../../projections/records.ts';
import type { Caller, SnapshotAddress } from '../caller.ts';
import { draft, type LabContext, openProjectOf, projectOf, recordOf } from '../context.ts';
import { takeBack } from '../runtime/outcomes.ts';
import { fetchProjectFiles } from '../compute/files.ts';
import type { Directory } from '../directory.ts';
import type { ProjectWriter } from '../project/writer.ts';
import { refuseRunning } from '../node/running-nodes.ts';
import type { SnapshotCommands } from './interface.ts';

/** How often the files are copied again because the lab has changed meanwhile. */
const TRIES = 3;

export const snapshotCommands = (directory: Directory, writer: ProjectWriter): SnapshotCommands => {
  const { context } = directory;
  const { pending, committed, log } = context;
  return {
    async createSnapshot(caller, project_id, { name, snapshot_id = randomUUID() }) {
      const project = directory.project(openProjectOf(pending, project_id));
      const at = { project_id, snapshot_id };
      return project.exclusive(async () => {
        await writer.flush(project_id);
        await fetchProjectFiles(context, project_id);
        for (let n = 0; n < TRIES; n++)
          if (await take(context, caller, at, name))
            return committed.get('snapshot', snapshot_id) ?? snapshotOf(context, at);
        throw conflict('the project changes all the time; a snapshot needs a moment of rest');
      });
    },

    async deleteSnapshot(caller, at) {
      const { project_id, snapshot_id } = at;
      await directory.project(openProjectOf(pending, project_id)).exclusive(async () => {
        const { path } = openProjectOf(pending, project_id);
        snapshotOf(context, at);
        await log.append([draft(caller, project_id, 'snapshot.deleted', { snapshot_id, project_id })]);
        await removeSnapshot(path, snapshot_id).catch(
          reporting(
            context.logger,
            { project_id, request_id: caller.request_id },
            `the files of snapshot ${snapshot_id} could not be removed`,
          ),
        );
      });
    },

    async restoreSnapshot(caller, at) {
      const { project_id } = at;
      const project = directory.project(openProjectOf(pending, project_id));
      await project.restore(caller, snapshotOf(context, at).snapshot_id);
      await writer.flush(project_id);
      return projectOf(committed, project_id);
    },
  };
};

const snapshotOf = ({ pending }: LabContext, { project_id, snapshot_id }: SnapshotAddress): SnapshotRecord =>
  recordOf(pending, 'snapshot', snapshot_id, project_id);

const checkNew = ({ pending }: LabContext, { project_id, snapshot_id: id }: SnapshotAddress, name: string): void => {
  if (pending.get('snapshot', id) !== undefined)
    throw conflict(`snapshot_id ${id} is in use`, { field: 'snapshot_id' });
  if (pending.ofProject('snapshot', project_id).some((s) => s.name === name))
    throw conflict(`another snapshot of the project is named ${name}`, { field: 'name' });
};

/** False: the lab changed while its files were copied. */
const take = async (context: LabContext, caller: Caller, at: SnapshotAddress, name: string): Promise<boolean> => {
  const { pending, log, settings } = context;
  const { project_id, snapshot_id: id } = at;
  const project = openProjectOf(pending, project_id);
  refuseRunning(context, project_id, 'be kept in a snapshot');
  checkNew(context, at, name);
  await context.placing.settled(project_id);
  const version = log.version(project_id);
  log.check();
  // The one that was refused takes its files away as soon as the log is written again.
  if (await isThere(preparedSnapshot(project.path, id)))
    throw conflict(`a snapshot with the snapshot_id ${id} is just being taken away; try again`, {
      field: 'snapshot_id',
    });
  const made = await prepareSnapshot(project.path, isOwnDirectory(settings.filesDir, project), id);
  const created_at = Math.floor(Date.now() / 1000);
  const event = draft(caller, project_id, 'snapshot.created', { ...at, name, created_at, ...made });
  if (log.version(project_id) !== version) {
    await removeTree(preparedSnapshot(project.path, id));
    return false;
  }
  try {
    await log.append([event], { expected: { project_id, version } });
  } catch (error) {
    await takeBack(log, () => removeTree(preparedSnapshot(project.path, id)));
    throw error;
  }
  await placeSnapshot(project.path, id);
  return true;
};
