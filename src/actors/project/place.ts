import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { conflict, invalid } from '../../common/errors.ts';
import { FOLDERS } from '../../files/project/data-directory.ts';
import { isOwnDirectory, isReserved } from '../../files/project/parts.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import { checkServerRoom, type LabContext } from '../context.ts';
import { projectFileName } from './names.ts';

type Settings = LabContext['settings'];

export const usualPlace = ({ filesDir }: Settings, id: string): string => path.join(filesDir, 'projects', id);

/** The directory of a new project, without `..` and a slash at its end. */
export const placeOf = (settings: Settings, id: string, wished: string | undefined): string => {
  if (wished === undefined) return usualPlace(settings, id);
  if (!path.isAbsolute(wished)) throw invalid('path must be absolute', { field: 'path' });
  return path.resolve(wished);
};

/** Throws where a project file would be replaced that no project of this server wrote. */
export const refuseOverwrite = (place: string, name: string): void => {
  const filename = projectFileName(name);
  if (existsSync(path.join(place, filename)))
    throw refused(
      `path: ${place} has a project file ${filename} already; load that (POST /v2/projects/load), or name another directory`,
    );
};

const refused = (reason: string): Error => conflict(reason, { field: 'path' });

/**
 * Throws where the server has no room for another project, or the place is taken: projects that share a directory would take each other's
 * files along with a snapshot or a deletion. Asked again right before the events, and at once: nothing may come in between.
 */
export const refuseTaken = (context: Context, id: string, place: string): void => {
  const { pending, settings } = context;
  checkServerRoom(pending, 'project');
  const isUsual = place === usualPlace(settings, id);
  const real = isUsual ? place : realOf(place);
  if (!isUsual && isOfServer(settings, real))
    throw refused(
      `path: ${place} is a directory that the server keeps its own files in; leave path out, or name a directory that is a project’s alone`,
    );
  const other = otherProject(context, id, (project) =>
    isUsual ? project.path === place : real === realPlace(settings, project) || goesAlong(settings, project, real),
  );
  if (other !== undefined)
    throw refused(`path: ${place} is in use by the project ${nameOf(other)}; name a directory that is no project’s`);
};

/** Directories may have several project files, as people keep them; one that was made for a project goes with that. */
export const refuseInside = (context: Context, id: string, file: string): void => {
  const real = realOf(path.dirname(file));
  const other = otherProject(context, id, (project) => goesAlong(context.settings, project, real));
  if (other !== undefined)
    throw refused(
      `path: ${file} lies in the directory of the project ${nameOf(other)}, and would go with that; move it elsewhere`,
    );
};

type Context = Pick<LabContext, 'pending' | 'settings'>;

const otherProject = (
  { pending }: Context,
  id: string,
  holds: (project: ProjectRecord) => boolean,
): ProjectRecord | undefined => pending.projects().find((project) => project.project_id !== id && holds(project));

const nameOf = ({ name, project_id }: ProjectRecord): string => `${name} (${project_id})`;

const isOfServer = ({ filesDir, dataDir }: Settings, real: string): boolean => {
  const [files, data] = [realOf(filesDir), realOf(dataDir)];
  if ([data, files, path.join(files, 'projects')].some((place) => isInside(place, real))) return true;
  const folders = FOLDERS.filter((name) => name !== 'projects').map((name) => path.join(files, name));
  const own = ['keys', 'log', 'run', 'spool'].map((name) => path.join(data, name));
  return [...folders, ...own].some((folder) => isInside(real, folder));
};

/** Asks the disk only about directories that were named: those that the server made may be thousands. */
const realPlace = ({ filesDir }: Settings, project: ProjectRecord): string =>
  isOwnDirectory(filesDir, project)
    ? path.join(realOf(filesDir), 'projects', project.project_id)
    : realOf(project.path);

/** Whether a directory is one that snapshots, copies or the deletion of a project take along. */
const goesAlong = (settings: Settings, project: ProjectRecord, real: string): boolean => {
  const there = realPlace(settings, project);
  if (!isInside(real, there)) return false;
  const [first = ''] = path.relative(there, real).split(path.sep);
  return isOwnDirectory(settings.filesDir, project) || isReserved(first);
};

const isInside = (place: string, directory: string): boolean =>
  place === directory || place.startsWith(directory === path.sep ? directory : directory + path.sep);

/** Without symbolic links; of what is not there, the part that is. */
const realOf = (place: string): string => {
  try {
    return realpathSync.native(place);
  } catch {
    const above = path.dirname(place);
    return above === place ? place : path.join(realOf(above), path.basename(place));
  }
};
