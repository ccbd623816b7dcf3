import { type LabContext, projectOf } from '../context.ts';
import { duplicateProject } from './duplicate-project.ts';
import { fetchProjectFiles } from '../compute/files.ts';
import { exportProject } from './export-project.ts';
import { importProject } from './import-project.ts';
import type { TransferCommands } from './interface.ts';
import type { ProjectWriter } from '../project/writer.ts';

/** Whole projects: copied, out as archives and in again. Their files are up to date before and after. */
export const archiveCommands = (context: LabContext, writer: ProjectWriter): Omit<TransferCommands, 'writeImage'> => ({
  async duplicateProject(caller, projectId, input) {
    await fetchProjectFiles(context, projectId);
    const { project_id } = await duplicateProject(context, caller, projectId, input);
    await writer.flush(project_id);
    return projectOf(context.committed, project_id);
  },

  async exportProject(projectId, options) {
    projectOf(context.committed, projectId);
    await writer.flush(projectId);
    await fetchProjectFiles(context, projectId);
    return exportProject(context, projectId, options);
  },

  async importProject(caller, projectId, input, archive) {
    await importProject(context, caller, { project_id: projectId, ...input }, archive);
    await writer.flush(projectId);
    return projectOf(context.committed, projectId);
  },
});
