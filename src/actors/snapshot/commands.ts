import { randomUUID } from 'node:crypto';
import { conflict, notFound, reporting, TopologError } from '../../common/errors.ts';
import { isOwnDirectory } from '../../files/project/parts.ts';
import {
  placeSnapshot,
  preparedSnapshot,
  prepareSnapshot,
  removeSnapshot,
} from '../../files/project/snapshot-files.ts';
import { removeTree } from '../../files/project/tree.ts';
import type { SnapshotRecord } from '../../projections/records.ts';
import type { Caller, Commands } from '../commands.ts';
import { draft, type LabContext, openProjectOf, projectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { ProjectWriter } from '../project/writer.ts';
import { refuseRunning } from '../node/running-nodes.ts';

type SnapshotCommands = Pick<Commands, 'createSnapshot' | 'deleteSnapshot' | 'restoreSnapshot'>;

/** How often the files are copied again because the lab has changed meanwhile. */
const TRIES = 3;

export const snapshotCommands = (
  context: LabContext,
  directory: Directory,
  writer: ProjectWriter,
): SnapshotCommands => {
  const { pending, committed, log, settings } = context;

  const find = (projectId: string, id: string): SnapshotRecord => {
    const record = pending.get('snapshot', id);
    if (record?.project_id !== projectId) throw notFound('Snapshot', id);
    return record;
  };

  const checkNew = (projectId: string, name: string, id: string): void => {
    if (pending.get('snapshot', id) !== undefined)
      throw conflict(`snapshot_id ${id} is in use`, { field: 'snapshot_id' });
    if (pending.ofProject('snapshot', projectId).some((s) => s.name === name))
      throw conflict(`another snapshot of the project is named ${name}`, { field: 'name' });
  };

  /** False: the lab changed while its files were copied. */
  const take = async (caller: Caller, projectId: string, name: string, id: string): Promise<boolean> => {
    const project = openProjectOf(pending, projectId);
    refuseRunning(context, projectId, 'be kept in a snapshot');
    checkNew(projectId, name, id);
    const version = log.version(projectId);
    context.log.check();
    const made = await prepareSnapshot(project.path, isOwnDirectory(settings.dataDir, project), id);
    const created_at = Math.floor(Date.now() / 1000);
    const event = draft(caller, projectId, 'snapshot.created', {
      ...{ snapshot_id: id, project_id: projectId, name, created_at },
      ...made,
    });
    if (log.version(projectId) !== version) {
      await removeTree(preparedSnapshot(project.path, id));
      return false;
    }
    try {
      await log.append([event], { expected: { project_id: projectId, version } });
    } catch (error) {
      await removeTree(preparedSnapshot(project.path, id));
      throw error;
    }
    await placeSnapshot(project.path, id);
    return true;
  };

  return {
    async createSnapshot(caller, projectId, { name, snapshot_id: id = randomUUID() }) {
      const project = directory.project(openProjectOf(pending, projectId));
      return project.exclusive(async () => {
        await writer.flush(projectId);
        for (let n = 0; n < TRIES; n++)
          if (await take(caller, projectId, name, id)) return committed.get('snapshot', id) ?? find(projectId, id);
        throw conflict('the project changes all the time; a snapshot needs a moment of rest');
      });
    },

    async deleteSnapshot(caller, projectId, id) {
      openProjectOf(pending, projectId);
      await directory.project(projectOf(pending, projectId)).exclusive(async () => {
        const { path } = openProjectOf(pending, projectId);
        find(projectId, id);
        await log.append([draft(caller, projectId, 'snapshot.deleted', { snapshot_id: id, project_id: projectId })]);
        await removeSnapshot(path, id).catch(
          reporting(context.logger, { project_id: projectId }, `the files of snapshot ${id} could not be removed`),
        );
      });
    },

    async restoreSnapshot(caller, projectId, id) {
      openProjectOf(pending, projectId);
      find(projectId, id);
      await directory.project(projectOf(pending, projectId)).restore(caller, id);
      await writer.flush(projectId);
      const record = committed.get('project', projectId);
      if (record === undefined) throw new TopologError('not_found', { what: 'Project', id: projectId });
      return record;
    },
  };
};
