import path from 'node:path';
import type { KindNode } from '../kit/contract.ts';

/** Where the helpers of a container print. */
export const logOf = ({ node_directory }: Pick<KindNode, 'node_directory'>): string =>
  path.join(node_directory ?? '', 'docker.log');
