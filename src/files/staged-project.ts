import { lstat, mkdir, readdir, readFile, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../errors.ts';
import { codeOf, diskError } from './disk-errors.ts';
import { STAGING } from './project-parts.ts';
import { writeSynced } from './snapshot-files.ts';
import { isThere, moveTo, removeTree } from './tree.ts';

/**
 * The directory of a project that is being made: filled beside its place, and moved there by renaming once its facts are on disk. What
 * an end of the server leaves is finished or taken away at the next start.
 */
export interface StagedProject {
  /** To be filled: becomes the project's directory. */
  directory: string;
  /** For anything else that is needed meanwhile. */
  scratch: string;
  /** All is there: from now on, only the facts decide. `images`: paths in `scratch`, each with its place among the images. */
  ready(images?: readonly { from: string; to: string }[]): Promise<void>;
  /** After the facts. */
  place(): Promise<void>;
  discard(): Promise<void>;
}

interface Plan {
  /** The project's place. */
  path: string;
  images: readonly { from: string; to: string }[];
}

const PLAN = 'plan.json';
const stagingRoot = (dataDir: string): string => path.join(dataDir, 'staging');

/** In the data directory for what goes there, otherwise beside the place: renaming needs one file system. */
const stagingOf = (dataDir: string, place: string): string =>
  path.dirname(place) === path.join(dataDir, 'projects')
    ? path.join(stagingRoot(dataDir), path.basename(place))
    : path.join(path.dirname(place), `${STAGING}-${path.basename(place)}`);

/** Throws conflict when the place is taken, or just being taken. */
export const stageProject = async (dataDir: string, place: string): Promise<StagedProject> => {
  const entries = await readdir(place).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw conflict(`${place} is no directory that can be used`, { field: 'path' });
  });
  if (entries.length > 0) throw conflict(`${place} is not empty`, { field: 'path' });
  const staging = stagingOf(dataDir, place);
  try {
    await mkdir(path.dirname(staging), { recursive: true });
    await mkdir(staging);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw conflict(`a project is just being made in ${place}`, { field: 'path' });
    throw conflict(`${place} cannot be made`, { field: 'path' });
  }
  const directory = path.join(staging, 'project');
  await mkdir(directory);
  return {
    directory,
    scratch: staging,
    ready: (images = []) =>
      writeSynced(path.join(staging, PLAN), JSON.stringify({ path: place, images } satisfies Plan)).catch(
        (error: unknown) => {
          throw diskError(error, `${place} cannot be made`);
        },
      ),
    place: () => finish(staging),
    discard: () => removeTree(staging),
  };
};

/** Can be done again after it was interrupted. */
const finish = async (staging: string): Promise<void> => {
  const plan = JSON.parse(await readFile(path.join(staging, PLAN), 'utf8')) as Plan;
  for (const { from, to } of plan.images) {
    if (!(await isThere(from))) continue;
    await mkdir(path.dirname(to), { recursive: true });
    await moveTo(from, to);
  }
  const directory = path.join(staging, 'project');
  if (await isThere(directory)) {
    await mkdir(path.dirname(plan.path), { recursive: true });
    await rmdir(plan.path).catch(() => undefined);
    await moveTo(directory, plan.path);
  }
  await removeTree(staging);
};

/** At the start: what has its facts is put in its place, the rest goes. */
export const sweepStaging = async (
  dataDir: string,
  projects: readonly { project_id: string; path: string }[],
): Promise<void> => {
  const known = new Map(projects.map((project) => [stagingOf(dataDir, project.path), project]));
  const root = stagingRoot(dataDir);
  const left = (await readdir(root).catch(() => [])).map((name) => path.join(root, name));
  for (const staging of new Set([...left, ...known.keys()])) {
    if ((await lstat(staging).catch(() => null))?.isDirectory() !== true) continue;
    if (known.has(staging) && (await isThere(path.join(staging, PLAN)))) await finish(staging);
    else await removeTree(staging);
  }
};
