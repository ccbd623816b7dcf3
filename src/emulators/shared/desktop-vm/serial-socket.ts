import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { privateDirectory } from '../../../fabric/client/runtime-directory.ts';
import type { EngineContext, KindNode } from '../../kit/contract.ts';

/** Paths of sockets are short, so ids are hashed; the same node has the same one at every start, as a saved machine knows it. */
export const serialSocket = async (
  { node_id, project_id }: Pick<KindNode, 'node_id' | 'project_id'>,
  { mark, dataDir }: EngineContext,
): Promise<string> => {
  const hash = createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return String.raw`\\.\pipe\topolog-serial-${hash}`;
  return path.join(await privateDirectory(dataDir), `serial-${hash}`);
};

export const removeSocket = async (socket: string): Promise<void> => {
  if (process.platform !== 'win32') await rm(socket, { force: true });
};
