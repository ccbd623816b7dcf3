import { conflict } from '../../common/errors.ts';
import { throwFirst, toTopologError } from '../../fabric/client/client.ts';
import { portsInRound } from '../../fabric/console/listen.ts';
import type { AttachmentSpec, Op, OpResult, OutsideConsole, StartedNode } from '../../fabric/protocol.ts';
import type { EngineContext, KindNode, Port } from '../kit/contract.ts';
import { portIsFree } from './host/ports-in-use.ts';

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

type Place = Pick<Port, 'adapter_number' | 'port_number'>;
type NodeRef = Pick<KindNode, 'node_id' | 'project_id' | 'name'>;

/** Connection of a program outside to the fabric: its ports, and its console when the fabric serves that over telnet. */
export interface FabricConnection {
  /** `to` tells where the program's end of a port is. The same again is fine. */
  attach(node: KindNode, ports: readonly Place[], to: (port: Place) => AttachmentSpec['to']): Promise<void>;
  /** Does nothing for ports that are not attached. */
  detach(node: Pick<KindNode, 'node_id'>, ports: readonly Place[]): Promise<void>;
  /**
   * Serves the program's console at `port` (default: the node's own) or, when that is taken, at another of the range. Resolves
   * with the port in use; null when the node has no telnet console. The same again is fine, and gives it the node's new name.
   */
  openConsole(node: KindNode, to: OutsideConsole['to'], port?: number | null): Promise<number | null>;
  /** Fine where there is none. */
  closeConsole(node: Pick<KindNode, 'node_id'>): Promise<void>;
}

export const connectToFabric = (context: EngineContext): FabricConnection => {
  const run = async (ops: Op[], what: string): Promise<OpResult[]> => {
    if (ops.length === 0) return [];
    try {
      return await context.fabric.run(ops);
    } catch (error) {
      throw toTopologError(error, what);
    }
  };

  return {
    async attach(node, ports, to) {
      const { node_id, project_id } = node;
      const ops = ports.map((port): Op => ({
        op: 'port.attach',
        attachment: { port: placeOf(node_id, port), project_id, to: to(port) },
      }));
      throwFirst(await run(ops, node.name), node.name);
    },
    async detach({ node_id }, ports) {
      const ops = ports.map((port): Op => ({ op: 'port.detach', port: placeOf(node_id, port) }));
      throwFirst(await run(ops, 'The node'), 'The node');
    },
    async openConsole(node, to, port = node.console) {
      if (node.console_type !== 'telnet') return null;
      const results = await run([consoleOp(node, to, port, context)], node.name);
      if (results.some((result) => !result.ok && result.code === 'port_taken')) throw noConsolePort(node, context);
      throwFirst(results, node.name);
      const [opened] = results;
      return opened?.ok === true ? (opened.value as StartedNode).console : null;
    },
    async closeConsole({ node_id }) {
      throwFirst(await run([{ op: 'console.close', node_id }], 'The console'), 'The console');
    },
  };
};

const placeOf = (node_id: string, { adapter_number, port_number }: Place) => ({ node_id, adapter_number, port_number });

const consoleOp = (
  { node_id, project_id, name }: NodeRef,
  to: OutsideConsole['to'],
  port: number | null,
  { consoles: { host, range } }: EngineContext,
): Op => ({ op: 'console.open', node_id, project_id, name, to, console: { host, port: port ?? 0, range } });

const noConsolePort = (
  { name }: Pick<KindNode, 'name'>,
  { consoles: { host, range } }: Pick<EngineContext, 'consoles'>,
  first = range[0],
): Error => conflict(`${name}: no console port of ${first} to ${range[1]} is free on ${host}`);
