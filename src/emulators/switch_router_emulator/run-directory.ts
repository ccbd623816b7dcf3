import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { privateDirectory } from '../../fabric/runtime-directory.ts';
import type { EngineContext, KindNode, Port } from '../contract.ts';

/** Unix stream sockets at which the relay of a node listens. */
export interface RunSockets {
  /** Raw bytes of the console. */
  console: string;
  /** JSON lines: see relay/control.ts. */
  control: string;
  /** Frames, each behind its length. */
  port(place: Pick<Port, 'adapter_number' | 'port_number'>): string;
}

type Whose = Pick<KindNode, 'node_id' | 'project_id'>;

/** Paths of sockets are short, so ids are hashed; two servers may have the same lab open. */
const folderOf = ({ node_id, project_id }: Whose, mark: string): string =>
  `iou-${createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 16)}`;

export const socketsIn = (directory: string): RunSockets => ({
  console: path.join(directory, 'console'),
  control: path.join(directory, 'control'),
  port: ({ adapter_number, port_number }) => path.join(directory, `p${adapter_number}-${port_number}`),
});

/** An empty directory for a start, that only this user can enter. */
export const makeRunDirectory = async (node: Whose, { mark, dataDir }: EngineContext): Promise<string> => {
  const directory = path.join(await privateDirectory(dataDir), folderOf(node, mark));
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
  return directory;
};

/** Whether the directory of a running relay is that of this node and project. */
export const isRunDirectory = (directory: string, node: Whose, { mark }: EngineContext): boolean =>
  path.basename(directory) === folderOf(node, mark);

export const removeRunDirectory = async (node: Whose, { mark, dataDir }: EngineContext): Promise<void> => {
  await rm(path.join(await privateDirectory(dataDir), folderOf(node, mark)), { recursive: true, force: true });
};
