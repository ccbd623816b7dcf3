import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { privateDirectory } from '../../../fabric/client/runtime-directory.ts';
import type { EngineContext, KindNode } from '../../kit/contract.ts';

type NodeRef = Pick<KindNode, 'node_id' | 'project_id'>;
type Where = Pick<EngineContext, 'mark' | 'dataDir'>;

const ownPrefix = (prefix: string, mark: string): string => `${prefix}-${mark.slice(0, 8)}-`;

/**
 * Directories for the unix sockets of one run of a node, which only this user can enter. Paths of sockets are short (104 octets on
 * some systems), so ids are hashed; two servers may have the same lab open. `prefix`: of the engine. The beginning of the data directory's
 * mark tells whose directories are left over.
 */
const nameOf = (prefix: string, { node_id, project_id }: NodeRef, mark: string): string =>
  `${ownPrefix(prefix, mark)}${createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 16)}`;

export const runFolder = async (prefix: string, node: NodeRef, { mark, dataDir }: Where): Promise<string> =>
  path.join(await privateDirectory(dataDir), nameOf(prefix, node, mark));

/** An empty one for a start. */
export const makeRunFolder = async (prefix: string, node: NodeRef, context: Where): Promise<string> => {
  const directory = await runFolder(prefix, node, context);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
  return directory;
};

/** Whether the directory of something that runs is that of this node and project. */
export const isRunFolder = (prefix: string, directory: string, node: NodeRef, { mark }: Where): boolean =>
  path.basename(directory) === nameOf(prefix, node, mark);

export const removeRunFolder = async (prefix: string, node: NodeRef, context: Where): Promise<void> => {
  await rm(await runFolder(prefix, node, context), { recursive: true, force: true });
};

/** As `sweep` of an engine: directories of other nodes than these. */
export const sweepRunFolders = async (
  prefix: string,
  keep: readonly NodeRef[],
  { mark, dataDir }: Where,
  remove: boolean,
): Promise<string[]> => {
  // Without a data directory there were no servers of it.
  if (!existsSync(dataDir)) return [];
  const place = await privateDirectory(dataDir);
  const kept = new Set(keep.map((node) => nameOf(prefix, node, mark)));
  const left = (await readdir(place)).filter((name) => name.startsWith(ownPrefix(prefix, mark)) && !kept.has(name));
  for (const name of remove ? left : []) await rm(path.join(place, name), { recursive: true, force: true });
  return left.map((name) => `directory of sockets ${path.join(place, name)}`);
};
