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

/** Temporary names for replacing a node's directory: of the copy, and of the original until the copy is in place. */
export const replacementOf = (directory: string): { part: string; old: string } => {
  const part = `${directory}.${randomUUID()}.tmp`;
  return { part, old: `${part}${OLD}` };
};

/**
 * Copies the files of a node as they are now, as the log has no earlier ones; as reflinks where possible. Failures
 * are only logged: the new node exists in any case.
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
/** Parses those names: the node's id, and `.old`. */
const BESIDE = /^([0-9a-f-]{36})\.[0-9a-f-]{36}\.tmp(\.old)?$/;

/** Directories in a project's by the ids of their nodes. Symbolic links are not followed. */
export const nodeDirectories = async (projectPath: string): Promise<Map<string, string>> =>
  new Map((await belowKinds(projectPath)).filter(([name]) => isUuid(name)));

/**
 * Removes copies that a crash has interrupted, and restores originals. Called before anything reads a node's
 * directory.
 */
export const sweepReplacements = async (projectPath: string): Promise<void> => {
  for (const [name, place] of await belowKinds(projectPath)) {
    const [, node, old] = BESIDE.exec(name) ?? [];
    if (node === undefined) continue;
    const directory = path.join(path.dirname(place), node);
    if (old !== undefined && !(await isThere(directory))) await moveTo(place, directory);
    else await removeTree(place);
  }
};

/** Name and path of each directory below those of the kinds. */
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
