import { readdir } from 'node:fs/promises';
import { ip } from './ip.ts';

/** ip-netns(8). */
const PLACE = '/run/netns';

/**
 * Name of a node's network namespace. It carries the mark of the data directory, so that a later server knows which are its own.
 * `sort`: what makes it; `hash`: of the node.
 */
export const namespaceName = (sort: string, mark: string, hash: string): string =>
  `topolog-${sort}-${mark}-${hash.slice(0, 8)}`;

/** Those that servers of a data directory have made. */
export const ownNamespaces = async (sort: string, mark: string): Promise<string[]> =>
  (await readdir(PLACE).catch(() => [])).filter((name) => name.startsWith(`topolog-${sort}-${mark}-`)).sort();

/** With everything in it. */
export const removeNamespace = (name: string): Promise<void> => ip(['netns', 'delete', name]);
