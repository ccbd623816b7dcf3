import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Directory of what is only half there: uploads, prepared snapshots, restores that are under way. Swept at the start. */
export const STAGING = '.topolog';
export const SNAPSHOTS = 'snapshots';
/** Name of the project file in an archive. */
export const ARCHIVED = 'project.gns3';
export const NODE_FILES = 'project-files';

/** Not the lab itself: what captures and recordings saw stays, whatever the lab goes back to. */
const TRACES = new Set(['captures', 'recordings', 'tmp']);
const RESERVED = [STAGING, SNAPSHOTS, NODE_FILES];
const OURS = new Set([...RESERVED, 'tmp', '.DS_Store']);
/** Project files, and what stands beside them, are projections; existing tools leave copies of theirs behind. */
const PROJECT_FILE = /\.gns3(\.topolog\.json)?(\.tmp|\.backup\d*|\.topolog-tmp)?$/i;
export const isProjectFile = (name: string): boolean => PROJECT_FILE.test(name);

/** Entries of a project's directory that are its own. */
export const isReserved = (name: string): boolean => RESERVED.includes(name);

const namesIn = async (directory: string): Promise<string[]> => (await readdir(directory).catch(() => [])).sort();

/**
 * The parts of a project's directory that are its content, each to be taken as a whole: `README.txt`, `project-files/qemu`. A
 * directory that is not the project's `own` may hold anything else, so only the known ones are parts of it.
 */
export const projectParts = async (projectPath: string, own: boolean): Promise<string[]> => {
  const top = (await namesIn(projectPath)).filter((name) => !OURS.has(name) && !isProjectFile(name));
  const files = (await namesIn(path.join(projectPath, NODE_FILES))).filter((name) => !TRACES.has(name));
  return [...top.filter((name) => own || name === 'README.txt'), ...files.map((name) => `${NODE_FILES}/${name}`)];
};

/** Whether a directory was made for the project alone. */
export const isOwnDirectory = (filesDir: string, project: { project_id: string; path: string }): boolean =>
  project.path === path.join(filesDir, 'projects', project.project_id);
