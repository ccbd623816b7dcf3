import { existsSync } from 'node:fs';
import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import { isOwnDirectory } from '../../files/project/parts.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { appendOne, type LabCaches, type LabContext, SYSTEM_CALLER } from '../context.ts';

/** Files that records tell of and that are not there, e.g. because a project was moved by hand: nothing begins without them in silence. */

/** Throws a conflict that names what is gone. */
export const refuseGone = ({ committed, settings, caches }: LabContext, node: NodeRecord): void => {
  const directory = node.node_directory;
  if (directory === null) return;
  const project = committed.get('project', node.project_id);
  // What was in a directory of our own is told by its nodes: it is made again for those that had nothing in it.
  if (project !== undefined && !isOwnDirectory(settings.filesDir, project) && !isThere(caches, project.path))
    throw conflict(`${node.name}: ${project.path}, the directory of its project, is gone; ${ADVICE}`);
  const [file] = node.text_files ?? [];
  if (file !== undefined && !existsSync(directory))
    throw conflict(
      `${node.name}: ${path.join(directory, file)} is gone; put its directory back, or give the node its text again`,
    );
};

/** A lab that starts asks for each of its nodes: for so many milliseconds, what was there counts as there. */
const SEEN_FOR_MS = 20;

const isThere = (caches: LabCaches, directory: string): boolean => {
  const now = performance.now();
  const { path: seen, until } = caches.seenDirectory;
  if (seen === directory && now < until) return true;
  if (!existsSync(directory)) return false;
  caches.seenDirectory = { path: directory, until: now + SEEN_FOR_MS };
  return true;
};

const ADVICE = 'put it back, or load the project file from where it is now';

/** At the start: a warning for each project whose directory is gone. */
export const warnOfGone = async (context: LabContext): Promise<void> => {
  for (const project of context.committed.projects()) {
    if (existsSync(project.path) || !hadFiles(context, project)) continue;
    const message = `${project.path}, the directory of ${project.name}, is gone; ${ADVICE}`;
    context.logger.warn({ project_id: project.project_id }, message);
    await appendOne(context, SYSTEM_CALLER, project.project_id, 'warning.raised', { message, node_id: null });
  }
};

/** A directory of our own is made when something is put into it. */
const hadFiles = ({ settings }: LabContext, project: ProjectRecord): boolean =>
  project.file_sha256 !== null || !isOwnDirectory(settings.filesDir, project);
