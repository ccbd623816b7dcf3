import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { privateDirectory } from '../../fabric/runtime-directory.ts';
import type { EngineContext, KindNode } from '../contract.ts';

type Whose = Pick<KindNode, 'node_id' | 'project_id'>;
type Where = Pick<EngineContext, 'mark' | 'dataDir'>;

/**
 * Directories for the unix sockets of one run of a node, which only this user can enter. Paths of sockets are short (104 octets on
 * some systems), so ids are hashed; two servers may have the same lab open. `prefix`: of the engine.
 */
const nameOf = (prefix: string, { node_id, project_id }: Whose, mark: string): string =>
  `${prefix}-${createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 16)}`;

export const runFolder = async (prefix: string, node: Whose, { mark, dataDir }: Where): Promise<string> =>
  path.join(await privateDirectory(dataDir), nameOf(prefix, node, mark));

/** An empty one for a start. */
export const makeRunFolder = async (prefix: string, node: Whose, context: Where): Promise<string> => {
  const directory = await runFolder(prefix, node, context);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
  return directory;
};

/** Whether the directory of something that runs is that of this node and project. */
export const isRunFolder = (prefix: string, directory: string, node: Whose, { mark }: Where): boolean =>
  path.basename(directory) === nameOf(prefix, node, mark);

export const removeRunFolder = async (prefix: string, node: Whose, context: Where): Promise<void> => {
  await rm(await runFolder(prefix, node, context), { recursive: true, force: true });
};
