import { lstat, mkdir, readdir, readFile, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { sealed, unsealed } from '../../common/sealed.ts';
import { makeDirectory, moveTo, settleNames, writeDurably } from '../../common/durable.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { codeOf, diskError } from './disk-errors.ts';
import { STAGING } from './parts.ts';
import { isAside, isThere, putAside, removeTree, syncTree } from './tree.ts';

/**
 * The directory of a new project: filled beside its place, and renamed once its events are on disk. An interruption
 * is completed or undone at the next start.
 */
export interface StagedProject {
  /** To be filled; becomes the project's directory. */
  directory: string;
  /** For other temporary files. */
  scratch: string;
  /**
   * Marks the directory as complete: from now on, the events decide. `images`: paths in `scratch`, with their places
   * among the images.
   */
  ready(images?: readonly { from: string; to: string }[]): Promise<void>;
  /** Called after the events. */
  place(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Plans have relative paths, as the directory of files may have moved when one is carried out; those of earlier
 * versions are absolute.
 */
const plan = z.strictObject({
  /** `from`: in the staging directory. `to`: in the directory of files. */
  images: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  /** In plans of earlier versions. */
  path: z.string().exactOptional(),
});

const PLAN = 'plan.json';
const stagingRoot = (filesDir: string): string => path.join(filesDir, 'staging');

/**
 * Staging directory: in the directory of files for projects there, otherwise beside the place, as renaming needs one
 * file system.
 */
const stagingOf = (filesDir: string, place: string): string =>
  path.dirname(place) === path.join(filesDir, 'projects')
    ? path.join(stagingRoot(filesDir), path.basename(place))
    : path.join(path.dirname(place), `${STAGING}-${path.basename(place)}`);

/** Throws conflict when the place is taken, or being taken. */
export const stageProject = async (filesDir: string, place: string): Promise<StagedProject> => {
  const entries = await readdir(place).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw conflict(`${place} is no directory that can be used`, { field: 'path' });
  });
  if (entries.length > 0) throw conflict(`${place} is not empty`, { field: 'path' });
  const staging = stagingOf(filesDir, place);
  try {
    await makeDirectory(path.dirname(staging));
    await mkdir(staging);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw conflict(`a project is just being made in ${place}`, { field: 'path' });
    throw conflict(`${place} cannot be made`, { field: 'path' });
  }
  const directory = path.join(staging, 'project');
  await makeDirectory(directory);
  return {
    directory,
    scratch: staging,
    async ready(images = []) {
      await syncTree(staging);
      const relative = images.map(({ from, to }) => ({
        from: path.relative(staging, from),
        to: path.relative(filesDir, to),
      }));
      await writeDurably(path.join(staging, PLAN), sealed({ images: relative } satisfies z.infer<typeof plan>)).catch(
        (error: unknown) => {
          throw diskError(error, `${place} cannot be made`);
        },
      );
    },
    place: () => finish(filesDir, staging, place),
    discard: () => removeTree(staging),
  };
};

/** Idempotent, also after an interruption. */
const finish = async (filesDir: string, staging: string, place: string): Promise<void> => {
  const file = path.join(staging, PLAN);
  const { images } = unsealed(await readFile(file, 'utf8'), plan, file, 'the files are kept beside');
  for (const image of images) {
    const [from, to] = [path.resolve(staging, image.from), path.resolve(filesDir, image.to)];
    // An existing image was uploaded later, and its upload was answered.
    if (!(await isThere(from)) || (await isThere(to))) {
      await settleNames(path.dirname(to));
      continue;
    }
    await makeDirectory(path.dirname(to));
    await moveTo(from, to);
  }
  const directory = path.join(staging, 'project');
  if (await isThere(directory)) {
    await makeDirectory(path.dirname(place));
    await takePlace(directory, place);
  } else await settleNames(path.dirname(place));
  await removeTree(staging);
};

/** A client may have written into the directory of the new project already: its files are newer, and stay. */
const takePlace = async (from: string, to: string): Promise<void> => {
  if (!(await lstat(from)).isDirectory()) {
    if (!(await isThere(to))) await moveTo(from, to);
    return;
  }
  await rmdir(to).catch(() => undefined);
  await moveTo(from, to).catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    for (const name of await readdir(from)) await takePlace(path.join(from, name), path.join(to, name));
  });
};

/**
 * At the start: completes projects whose events are on record and deletes others; failures are moved aside and
 * logged.
 */
export const sweepStaging = async (
  filesDir: string,
  projects: readonly { project_id: string; path: string }[],
  logger: Logger,
): Promise<void> => {
  const known = new Map(projects.map((project) => [stagingOf(filesDir, project.path), project]));
  const root = stagingRoot(filesDir);
  const names = await readdir(root).catch(() => []);
  const left = names.filter((name) => !isAside(name)).map((name) => path.join(root, name));
  for (const staging of new Set([...left, ...known.keys()])) {
    if ((await lstat(staging).catch(() => null))?.isDirectory() !== true) continue;
    const place = known.get(staging)?.path;
    try {
      if (place !== undefined && (await isThere(path.join(staging, PLAN)))) await finish(filesDir, staging, place);
      else await removeTree(staging);
    } catch (error) {
      const aside = await putAside(staging);
      logger.error(
        `the files of a new project could not take their place in ${place}, and are in ${aside}: ${messageOf(error)}`,
      );
    }
  }
};
