import { existsSync } from 'node:fs';
import path from 'node:path';
import { conflict } from '../errors.ts';
import { isOwnDirectory } from '../files/project-parts.ts';
import type { NodeRecord, ProjectRecord } from '../projections/records.ts';
import { appendOne, type LabContext, SYSTEM_CALLER } from './context.ts';

/** Files that records tell of and that are not there, e.g. because a project was moved by hand: nothing starts silently without them. */

/** Throws a conflict that names what is gone. Looks at once: a lab that starts asks for thousands. */
export const refuseGone = ({ committed, settings }: LabContext, node: NodeRecord): void => {
  const directory = node.node_directory;
  if (directory === null || existsSync(directory)) return;
  const project = committed.get('project', node.project_id);
  // The nodes name what was in a directory of our own: it is made again for those that had nothing in it.
  if (project !== undefined && !isOwnDirectory(settings.dataDir, project) && !existsSync(project.path))
    throw conflict(`${node.name}: ${project.path}, the directory of its project, is gone; ${ADVICE}`);
  const [file] = node.text_files ?? [];
  if (file !== undefined)
    throw conflict(
      `${node.name}: ${path.join(directory, file)} is gone; put its directory back, or give the node its text again`,
    );
};

const ADVICE = 'put it back, or load the project file from where it is now';

/** At the start: a warning for each project whose directory is gone. */
export const warnOfGone = async (context: LabContext): Promise<void> => {
  for (const project of context.committed.projects()) {
    if (existsSync(project.path) || !hadFiles(context, project)) continue;
    const message = `${project.path}, the directory of ${project.name}, is gone; ${ADVICE}`;
    context.report(message);
    await appendOne(context, SYSTEM_CALLER, project.project_id, 'warning.raised', { message, node_id: null });
  }
};

/** A directory of our own is made when something is put into it. */
const hadFiles = ({ settings }: LabContext, project: ProjectRecord): boolean =>
  project.file_sha256 !== null || !isOwnDirectory(settings.dataDir, project);
