import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { makeDirectory, moveTo, UNFINISHED } from '../../common/durable.ts';
import { messageOf } from '../../common/errors.ts';
import { codeOf } from './disk-errors.ts';
import { isUuid } from '../fields/identity.ts';
import { NODE_FILES } from './parts.ts';
import { isThere, removeTree, syncTree } from './tree.ts';

/** A copy that is to take the place of a node's directory, and where what was there waits until it has. */
export const replacementOf = (directory: string): { part: string; old: string } => {
  const part = `${directory}.${randomUUID()}.tmp`;
  return { part, old: `${part}${OLD}` };
};

/**
 * Copies the files of a node as they are now; the log knows no older ones. Copied on write where the file system can. What cannot be
 * copied is reported: the copy is there in any case.
 */
export const copyNodeDirectory = async (
  logger: Pick<Logger, 'warn'>,
  from: string | null,
  to: string | null,
  what: string,
): Promise<void> => {
  if (from === null || to === null) return;
  try {
    const filter = (file: string): boolean => !file.endsWith(UNFINISHED);
    const how = { recursive: true, verbatimSymlinks: true, errorOnExist: true, mode: constants.COPYFILE_FICLONE };
    await cp(from, to, { ...how, filter });
    await syncTree(to, { files: true });
    await makeDirectory(to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') logger.warn(`files of ${what}: ${messageOf(error)}`);
  }
};

const OLD = '.old';
/** The other way round: the name of the node's directory, and `.old`. */
const BESIDE = /^([0-9a-f-]{36})\.[0-9a-f-]{36}\.tmp(\.old)?$/;

/** Ids of nodes that have a directory in a project's, with where that is. Symbolic links are not followed. */
export const nodeDirectories = async (projectPath: string): Promise<Map<string, string>> =>
  new Map((await belowKinds(projectPath)).filter(([name]) => isUuid(name)));

/** Before anything reads a node's directory: takes copies away that an end of the server has cut off; what was there is back. */
export const sweepReplacements = async (projectPath: string): Promise<void> => {
  for (const [name, place] of await belowKinds(projectPath)) {
    const [, node, old] = BESIDE.exec(name) ?? [];
    if (node === undefined) continue;
    const directory = path.join(path.dirname(place), node);
    if (old !== undefined && !(await isThere(directory))) await moveTo(place, directory);
    else await removeTree(place);
  }
};

/** Name and place of each directory in those of the kinds. */
const belowKinds = async (projectPath: string): Promise<[string, string][]> => {
  const found: [string, string][] = [];
  if (!(await directoriesIn(projectPath)).includes(NODE_FILES)) return found;
  const root = path.join(projectPath, NODE_FILES);
  for (const kind of await directoriesIn(root))
    for (const name of await directoriesIn(path.join(root, kind))) found.push([name, path.join(root, kind, name)]);
  return found;
};

const directoriesIn = async (place: string): Promise<string[]> =>
  (await readdir(place, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
