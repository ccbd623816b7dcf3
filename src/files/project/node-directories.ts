import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { moveTo } from '../../common/durable.ts';
import { isUuid } from '../fields/identity.ts';
import { NODE_FILES } from './parts.ts';
import { isThere, removeTree } from './tree.ts';

/** A copy that is to take the place of a node's directory, and where what was there waits until it has. */
export const besideDirectory = (directory: string): { part: string; old: string } => {
  const part = `${directory}.${randomUUID()}.tmp`;
  return { part, old: `${part}${OLD}` };
};

const OLD = '.old';
/** The other way round: the name of the node's directory, and `.old`. */
const BESIDE = /^([0-9a-f-]{36})\.[0-9a-f-]{36}\.tmp(\.old)?$/;

/** Ids of nodes that have a directory in a project's, with where that is. Symbolic links are not followed. */
export const nodeDirectories = async (projectPath: string): Promise<Map<string, string>> =>
  new Map((await belowKinds(projectPath)).filter(([name]) => isUuid(name)));

/** Before anything reads a node's directory: takes copies away that an end of the server has cut off; what was there is back. */
export const sweepBeside = async (projectPath: string): Promise<void> => {
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
