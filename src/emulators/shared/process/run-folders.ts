import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { privateDirectory } from '../../../fabric/client/runtime-directory.ts';
import type { EngineContext, KindNode } from '../../kit/contract.ts';

type NodeRef = Pick<KindNode, 'node_id' | 'project_id'>;
type FolderContext = Pick<EngineContext, 'mark' | 'dataDir'>;

/** Directories for the unix sockets of one engine's nodes, one a run. */
interface RunFolders {
  path(node: NodeRef, context: FolderContext): Promise<string>;
  /** An empty one for a start. */
  make(node: NodeRef, context: FolderContext): Promise<string>;
  /** Whether the directory of something that runs is that of this node and project. */
  isOf(directory: string, node: NodeRef, context: FolderContext): boolean;
  remove(node: NodeRef, context: FolderContext): Promise<void>;
  /** As `sweep` of an engine: directories of other nodes than these. */
  sweep(keep: readonly NodeRef[], context: FolderContext, remove: boolean): Promise<string[]>;
}

/**
 * Only the user of the server can enter them. Paths of sockets are short (104 octets on some systems), so ids are hashed; two servers may
 * have the same lab open. `engine` begins their names, and then the mark of the data directory, which tells whose directories are left over.
 */
export const runFolders = (engine: string): RunFolders => {
  const prefixOf = (mark: string): string => `${engine}-${mark.slice(0, 8)}-`;
  const nameOf = ({ node_id, project_id }: NodeRef, mark: string): string =>
    `${prefixOf(mark)}${createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 16)}`;
  const pathOf = async (node: NodeRef, { mark, dataDir }: FolderContext): Promise<string> =>
    path.join(await privateDirectory(dataDir), nameOf(node, mark));
  return {
    path: pathOf,
    async make(node, context) {
      const directory = await pathOf(node, context);
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { mode: 0o700 });
      return directory;
    },
    isOf: (directory, node, { mark }) => path.basename(directory) === nameOf(node, mark),
    async remove(node, context) {
      await rm(await pathOf(node, context), { recursive: true, force: true });
    },
    async sweep(keep, { mark, dataDir }, remove) {
      // Without a data directory there were no servers of it.
      if (!existsSync(dataDir)) return [];
      const place = await privateDirectory(dataDir);
      const kept = new Set(keep.map((node) => nameOf(node, mark)));
      const left = (await readdir(place)).filter((name) => name.startsWith(prefixOf(mark)) && !kept.has(name));
      for (const name of remove ? left : []) await rm(path.join(place, name), { recursive: true, force: true });
      return left.map((name) => `directory of sockets ${path.join(place, name)}`);
    },
  };
};
