import path from 'node:path';
import type { EngineContext, KindNode } from '../../kit/contract.ts';
import { runFolders } from '../../shared/process/run-folders.ts';

/** Unix sockets that a machine listens at, in a directory that only this user can enter. */
export interface Sockets {
  directory: string;
  monitor: string;
  serial: string;
  nic(adapter: number): string;
}

type NodeRef = Pick<KindNode, 'node_id' | 'project_id'>;

export const folders = runFolders('qemu');

const socketsIn = (directory: string): Sockets => ({
  directory,
  monitor: path.join(directory, 'monitor'),
  serial: path.join(directory, 'serial'),
  nic: (adapter) => path.join(directory, `n${adapter}`),
});

/** An empty directory for a start. */
export const makeSockets = async (node: NodeRef, context: EngineContext): Promise<Sockets> =>
  socketsIn(await folders.make(node, context));

/** Sockets of a running machine, by its arguments; null when they are not a machine's of this node and project. */
export const socketsOf = (argv: readonly string[], node: NodeRef, context: EngineContext): Sockets | null => {
  const monitor = /^unix:(.+),server=on,wait=off$/.exec(argv[argv.indexOf('-qmp') + 1] ?? '')?.[1];
  const directory = monitor === undefined ? '' : path.dirname(monitor.replaceAll(',,', ','));
  return folders.isOf(directory, node, context) ? socketsIn(directory) : null;
};
