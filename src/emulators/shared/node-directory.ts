import { engineFailed } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';

/** Where a node's files are. Throws `engine_failed` for one that has none. */
export const directoryOf = ({ name, node_directory }: Pick<KindNode, 'name' | 'node_directory'>): string => {
  if (node_directory === null) throw engineFailed(name, 'it has no directory for its files');
  return node_directory;
};
