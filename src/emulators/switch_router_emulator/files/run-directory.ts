import path from 'node:path';
import type { EngineContext, KindNode, Port } from '../../kit/contract.ts';
import { isRunFolder, makeRunFolder, removeRunFolder, sweepRunFolders } from '../../shared/process/run-folder.ts';

/** Unix stream sockets at which the relay of a node listens. */
export interface RunSockets {
  /** Raw bytes of the console. */
  console: string;
  /** JSON lines: see relay/control.ts. */
  control: string;
  /** Frames, each behind its length. */
  port(place: Pick<Port, 'adapter_number' | 'port_number'>): string;
}

type NodeRef = Pick<KindNode, 'node_id' | 'project_id'>;

const PREFIX = 'iou';

export const socketsIn = (directory: string): RunSockets => ({
  console: path.join(directory, 'console'),
  control: path.join(directory, 'control'),
  port: ({ adapter_number, port_number }) => path.join(directory, `p${adapter_number}-${port_number}`),
});

/** An empty directory for a start, that only this user can enter. */
export const makeRunDirectory = (node: NodeRef, context: EngineContext): Promise<string> =>
  makeRunFolder(PREFIX, node, context);

/** Whether the directory of a running relay is that of this node and project. */
export const isRunDirectory = (directory: string, node: NodeRef, context: EngineContext): boolean =>
  isRunFolder(PREFIX, directory, node, context);

export const removeRunDirectory = (node: NodeRef, context: EngineContext): Promise<void> =>
  removeRunFolder(PREFIX, node, context);

export const sweepRunDirectories = (
  keep: readonly NodeRef[],
  context: EngineContext,
  remove: boolean,
): Promise<string[]> => sweepRunFolders(PREFIX, keep, context, remove);
