import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { FileSort } from '../../common/file-sort.ts';

/** Directory for incomplete data: uploads, prepared snapshots, restores in progress. Swept at the start. */
export const STAGING = '.topolog';
export const SNAPSHOTS = 'snapshots';
/** Name of the project file in an archive. */
export const ARCHIVED = 'project.gns3';
export const NODE_FILES = 'project-files';

/** Results of runs, which a restore leaves alone. */
const TRACES = new Set(['captures', 'recordings', 'tmp']);
const RESERVED = [STAGING, SNAPSHOTS, NODE_FILES];
const OURS = new Set([...RESERVED, 'tmp', '.DS_Store']);
/** Names of project files and their companions, which are projections of the log, and of copies by existing tools. */
const PROJECT_FILE = /\.gns3(\.topolog\.json)?(\.tmp|\.backup\d*|\.topolog-tmp)?$/i;
export const isProjectFile = (name: string): boolean => PROJECT_FILE.test(name);

/** Entries of a project's directory that belong to the server. */
export const isReserved = (name: string): boolean => RESERVED.includes(name);

const given = { unless: 'of a node that has run, or that came with an archive or a copy' } as const;

/** Files that the server writes in the directory of a project. */
export const PROJECT_FILES: readonly FileSort[] = [
  { name: 'project file', what: 'the lab for existing tools', at: ['projects/*/*.gns3'], changed: 'named' },
  {
    name: 'beside it',
    what: 'what existing tools do not know of the lab: made of the log again, and not read for a lab that is in it',
    at: ['projects/*/*.gns3.topolog.json'],
    changed: 'idle',
  },
  {
    name: 'captures',
    what: 'frames',
    at: [`projects/*/${NODE_FILES}/captures/**`],
    changed: 'named',
    unless: 'it still grows, or a crash cut it off',
  },
  {
    name: 'recordings',
    what: 'consoles',
    at: [`projects/*/${NODE_FILES}/recordings/**`],
    changed: 'named',
    unless: 'it still grows, or a crash cut it off',
  },
  {
    name: 'files of nodes',
    what: 'texts and uploads',
    at: [`projects/*/${NODE_FILES}/*/*/**`],
    changed: 'named',
    ...given,
  },
  {
    name: 'deleted nodes',
    what: 'their files, for an undo, which refuses those that have changed',
    at: [`projects/*/${STAGING}/node-*/**`],
    changed: 'named',
    ...given,
  },
  {
    name: 'snapshots',
    what: 'files, and the list of them',
    at: [`projects/*/${SNAPSHOTS}/**`],
    changed: 'named',
  },
  {
    name: 'on their way',
    what: 'uploads, snapshots and restores that are under way, each with a sealed plan',
    at: [`projects/*/${STAGING}/**`, `images/*/${STAGING}/**`, 'staging/**'],
    changed: 'log',
    unless: 'of a restore or of a new project, between its event and its place',
  },
  {
    name: 'project',
    what: 'files that clients wrote',
    at: ['projects/*/**'],
    changed: 'named',
    unless: 'it came with an archive or a copy',
  },
];

const namesIn = async (directory: string): Promise<string[]> => (await readdir(directory).catch(() => [])).sort();

/**
 * Parts of a project's directory that are its content, each copied as a whole: `README.txt`, `project-files/qemu`. A
 * directory that is not the project's `own` may hold anything else, so only known names count there.
 */
export const projectParts = async (projectPath: string, own: boolean): Promise<string[]> => {
  const top = (await namesIn(projectPath)).filter((name) => !OURS.has(name) && !isProjectFile(name));
  const files = (await namesIn(path.join(projectPath, NODE_FILES))).filter((name) => !TRACES.has(name));
  return [...top.filter((name) => own || name === 'README.txt'), ...files.map((name) => `${NODE_FILES}/${name}`)];
};

/** Whether a directory was made for the project alone. */
export const isOwnDirectory = (filesDir: string, project: { project_id: string; path: string }): boolean =>
  project.path === path.join(filesDir, 'projects', project.project_id);
