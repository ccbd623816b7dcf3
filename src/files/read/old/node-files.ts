import { constants, promises as files } from 'node:fs';
import path from 'node:path';
import { confined } from '../../../common/file.ts';
import { makeDirectory, syncPath, writeDurably } from '../../../common/durable.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { OldFile } from '../../../emulators/kit/old-nodes.ts';
import { FORM_OF_TODAY } from '../convert.ts';
import { codeOf, diskError } from '../../project/disk-errors.ts';
import type { ParsedNode, ParsedProject } from '../parsed.ts';
import { NODE_FILES, SNAPSHOTS } from '../../project/parts.ts';
import { isThere } from '../../project/tree.ts';

/** Moves files of old projects to today's places by copying; neither originals nor existing files are overwritten. */

interface Kinds {
  get(kind: string): Pick<Kind, 'directory' | 'sharedFile'> | undefined;
}

/** Last revision in which nodes shared directories. */
const SHARED_UNTIL = 6;

/** Text about the project, and its former name. */
const README = 'README.txt';
const INSTRUCTIONS = 'instructions.txt';

/**
 * Copies the files of each node into its own directory: those that its project file names (before revision 5), and
 * its part of a directory shared by all nodes of its kind (up to revision 6). Idempotent. `directory`: absolute path
 * of the project's. Returns the number of new files.
 */
export const gatherNodeFiles = async (project: ParsedProject, directory: string, kinds: Kinds): Promise<number> => {
  if (project.revision > SHARED_UNTIL) return 0;
  let copied = 0;
  for (const node of project.nodes) {
    const kind = kinds.get(node.kind);
    if (kind === undefined) continue;
    const own = path.join(directory, NODE_FILES, kind.directory, node.node_id);
    for (const file of project.oldFiles.get(node.node_id) ?? []) copied += await gatherOne(file, directory, own);
    const shared = path.join(directory, NODE_FILES, kind.directory);
    if (kind.sharedFile !== undefined) copied += await gatherShared(shared, own, node, kind.sharedFile);
  }
  if (project.revision < FORM_OF_TODAY) {
    const text = await found(directory, [INSTRUCTIONS]);
    if (text !== null) copied += await copyNew(text, path.join(directory, README));
  }
  return copied;
};

/** Adds warnings about files that the project names and its directory lacks. */
export const withMissingFiles = async (
  project: ParsedProject,
  directory: string,
  kinds: Kinds,
): Promise<ParsedProject> => {
  const warnings: string[] = [];
  for (const { node_id, name, kind } of project.nodes) {
    const own = path.join(directory, NODE_FILES, kinds.get(kind)?.directory ?? '', node_id);
    for (const file of project.oldFiles.get(node_id) ?? []) {
      if (file.named === null || file.content !== undefined || (await isThere(path.join(own, file.name)))) continue;
      if ((await found(directory, file.places)) === null)
        warnings.push(`${name}: its file ${file.named} is not in the project’s directory`);
    }
  }
  for (const snapshot of await oldSnapshots(project, directory))
    warnings.push(`the snapshot ${snapshot} is none of the project; an archive of the directory brings it along`);
  return { ...project, warnings: [...project.warnings, ...warnings] };
};

/** Directories with snapshots of GNS3 1.x, relative to the project's. */
export const oldSnapshots = async ({ revision }: ParsedProject, directory: string): Promise<string[]> => {
  if (revision >= FORM_OF_TODAY) return [];
  const places = [SNAPSHOTS, `${NODE_FILES}/${SNAPSHOTS}`];
  const lists = places.map(async (place) => {
    const entries = await files.readdir(path.join(directory, place), { withFileTypes: true }).catch(() => []);
    return entries.flatMap((entry) => (entry.isDirectory() ? [`${place}/${entry.name}`] : []));
  });
  return (await Promise.all(lists)).flat().sort();
};

/**
 * Keeps the file of an old revision under the name that existing tools use, as it will be overwritten in another
 * form.
 */
export const keepOriginal = async (file: string, { revision }: ParsedProject): Promise<void> => {
  await copyNew(file, `${file}.backup${revision}`);
  await syncPath(path.dirname(file));
};

const gatherOne = async ({ name, places, content }: OldFile, directory: string, own: string): Promise<number> => {
  const to = path.join(own, name);
  const from = await found(directory, places);
  if (from === null && (content === undefined || (await isThere(to)))) return 0;
  await makeDirectory(path.dirname(to));
  if (from !== null) return copyNew(from, to);
  await writeDurably(to, content ?? '');
  return 1;
};

/** First of these paths that is a regular file of the project. Neither names nor links lead out of it. */
const found = async (directory: string, places: readonly string[]): Promise<string | null> => {
  for (const place of places) {
    const file = await confined(directory, path.join(directory, place));
    if (file !== null && (await files.stat(file).catch(() => null))?.isFile() === true) return file;
  }
  return null;
};

const gatherShared = async (
  shared: string,
  own: string,
  { properties }: ParsedNode,
  isOwn: NonNullable<Kind['sharedFile']>,
): Promise<number> => {
  let copied = 0;
  for (const folder of ['', 'configs']) {
    const entries = await files.readdir(path.join(shared, folder), { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isFile()).map((entry) => path.posix.join(folder, entry.name));
    const wanted = names.filter((name) => isOwn(name, properties));
    if (wanted.length === 0) continue;
    await makeDirectory(path.join(own, folder));
    for (const name of wanted) copied += await copyNew(path.join(shared, name), path.join(own, name));
    await syncPath(path.join(own, folder));
  }
  return copied;
};

const copyNew = async (from: string, to: string): Promise<0 | 1> => {
  try {
    await files.copyFile(from, to, constants.COPYFILE_EXCL);
    await syncPath(to);
    return 1;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 0;
    throw diskError(error, `${to} cannot be written`);
  }
};
