import { rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../../common/durable.ts';
import { conflict, messageOf, reporting } from '../../common/errors.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext } from '../context.ts';

/** Fields of a project that its directory is made, named and removed by. */
type Owner = Pick<ProjectRecord, 'project_id' | 'path' | 'name'>;

/** Of a project that was just made, which is deleted again when it cannot have one. */
export const makeOwnDirectory = async (context: LabContext, caller: Caller, project: Owner): Promise<void> => {
  const { project_id, path: place } = project;
  try {
    await makeDirectory(place);
  } catch (error) {
    // Others know of it since its event, and may have deleted it.
    if (context.pending.get('project', project_id) !== undefined)
      await context.log.append([draft(caller, project_id, 'project.deleted', { project_id })]);
    throw conflict(`the directory ${place} cannot be made: ${messageOf(error)}`, { field: 'path' });
  }
  await removeIfDeleted(context, project);
};

/** Somebody may just be writing into it. */
const TRIES = 5;

/** Of a project that was deleted. Only a directory that we made ourselves goes; a lab that was loaded from elsewhere keeps its files. */
export const removeDirectory = async (context: LabContext, record: Owner): Promise<void> => {
  if (record.path !== path.join(context.settings.filesDir, 'projects', record.project_id)) return;
  await rm(record.path, { recursive: true, force: true, maxRetries: TRIES }).catch(
    reporting(
      context.logger,
      { project_id: record.project_id },
      `the directory of ${record.name} could not be removed`,
    ),
  );
};

/**
 * After a write into the directory of a project that may have been deleted meanwhile, which does not wait for it: the write may have made
 * the directory again.
 */
export const removeIfDeleted = async (context: LabContext, record: Owner): Promise<void> => {
  const { committed, log, pending } = context;
  if (pending.get('project', record.project_id) !== undefined) return;
  // Until its deletion is on disk it has its files.
  await log.settled().catch(() => undefined);
  if (committed.get('project', record.project_id) === undefined) await removeDirectory(context, record);
};
