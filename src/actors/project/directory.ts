import { rm } from 'node:fs/promises';
import path from 'node:path';
import { reporting } from '../../common/errors.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';

/** Somebody may just be writing into it. */
const TRIES = 5;

/** Of a project that was deleted. Only a directory that we made ourselves goes; a lab that was loaded from elsewhere keeps its files. */
export const removeDirectory = async (context: LabContext, record: ProjectRecord): Promise<void> => {
  if (record.path !== path.join(context.settings.filesDir, 'projects', record.project_id)) return;
  await rm(record.path, { recursive: true, force: true, maxRetries: TRIES }).catch(
    reporting(
      context.logger,
      { project_id: record.project_id },
      `the directory of ${record.name} could not be removed`,
    ),
  );
};

/** After a failed write into its directory: it may have made the directory of a deleted project again. */
export const removeIfDeleted = async (context: LabContext, record: ProjectRecord): Promise<void> => {
  if (context.pending.get('project', record.project_id) === undefined) await removeDirectory(context, record);
};
