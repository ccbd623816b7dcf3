import type { EngineContext, KindNode } from './contract.ts';
import { portIsFree } from './leases.ts';
import { noConsolePort } from './outside-lines.ts';

/**
 * A port for a console that a program serves by itself: the node's own when it is free and at least `least`, or another of the
 * range, looked for from a random place on. Throws a conflict when none is free.
 */
export const freeConsolePort = async (
  node: Pick<KindNode, 'name' | 'console'>,
  { consoles }: Pick<EngineContext, 'consoles'>,
  least = 0,
): Promise<number> => {
  const { host, range } = consoles;
  if (node.console !== null && node.console >= least && (await portIsFree(host, node.console))) return node.console;
  const first = Math.max(range[0], least);
  const count = Math.max(0, range[1] - first + 1);
  const start = Math.floor(Math.random() * count);
  for (let n = 0; n < count; n++) {
    const port = first + ((start + n) % count);
    if (await portIsFree(host, port)) return port;
  }
  throw noConsolePort(node, { consoles }, first);
};
