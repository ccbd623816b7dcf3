import { portsInRound } from '../../fabric/console/listen.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { portIsFree } from './host/leases.ts';
import { noConsolePort } from './outside-lines.ts';

/**
 * A port for a console that a program serves by itself: the node's own when it is free and at least `least`, or another of the
 * range. Throws a conflict when none is free.
 */
export const freeConsolePort = async (
  node: Pick<KindNode, 'name' | 'console'>,
  { consoles }: Pick<EngineContext, 'consoles'>,
  least = 0,
): Promise<number> => {
  const { host, range } = consoles;
  if (node.console !== null && node.console >= least && (await portIsFree(host, node.console))) return node.console;
  const first = Math.max(range[0], least);
  for (const port of portsInRound([first, range[1]])) if (await portIsFree(host, port)) return port;
  throw noConsolePort(node, { consoles }, first);
};
