import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { privateDirectory } from '../../fabric/runtime-directory.ts';
import type { EngineContext, KindNode } from '../contract.ts';

/** Unix sockets that a machine listens at, in a directory that only this user can enter. */
export interface Sockets {
  directory: string;
  monitor: string;
  serial: string;
  nic(adapter: number): string;
}

type Whose = Pick<KindNode, 'node_id' | 'project_id'>;

/** Paths of sockets are short (104 octets on some systems), so ids are hashed; two servers may have the same lab open. */
const folderOf = ({ node_id, project_id }: Whose, mark: string): string =>
  `qemu-${createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 16)}`;

const socketsIn = (directory: string): Sockets => ({
  directory,
  monitor: path.join(directory, 'monitor'),
  serial: path.join(directory, 'serial'),
  nic: (adapter) => path.join(directory, `n${adapter}`),
});

/** An empty directory for a start. */
export const makeSockets = async (node: Whose, { mark, dataDir }: EngineContext): Promise<Sockets> => {
  const directory = path.join(await privateDirectory(dataDir), folderOf(node, mark));
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
  return socketsIn(directory);
};

/** Where a running machine listens, by its arguments; null when they are not a machine's of this node and project. */
export const socketsOf = (argv: readonly string[], node: Whose, { mark }: EngineContext): Sockets | null => {
  const monitor = /^unix:(.+),server=on,wait=off$/.exec(argv[argv.indexOf('-qmp') + 1] ?? '')?.[1];
  const directory = monitor === undefined ? '' : path.dirname(monitor.replaceAll(',,', ','));
  return path.basename(directory) === folderOf(node, mark) ? socketsIn(directory) : null;
};

export const removeSockets = async (node: Whose, { mark, dataDir }: EngineContext): Promise<void> => {
  await rm(path.join(await privateDirectory(dataDir), folderOf(node, mark)), { recursive: true, force: true });
};
