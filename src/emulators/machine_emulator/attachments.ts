import type { Op, StartedNode } from '../../fabric/protocol.ts';
import { conflict } from '../../errors.ts';
import type { EngineContext, KindNode } from '../contract.ts';
import { throwFirst, toTopologError } from '../fabric-errors.ts';
import type { Sockets } from './sockets.ts';

type Place = Pick<KindNode, 'node_id' | 'ports'>;

/** Connects the fabric to a machine's adapters and its serial line. */
export interface Attachments {
  /** The console port in use; null without a telnet console. The same again is fine. */
  attach(node: KindNode, sockets: Sockets): Promise<number | null>;
  detach(node: Place): Promise<void>;
  rename(node: KindNode, sockets: Sockets, port: number): Promise<void>;
}

export const createAttachments = (context: EngineContext): Attachments => {
  const run = async (ops: Op[], what: string) => {
    try {
      return await context.fabric.run(ops);
    } catch (error) {
      throw toTopologError(error, what);
    }
  };
  const consoleOp = (node: KindNode, sockets: Sockets, port: number): Op => ({
    op: 'console.open',
    node_id: node.node_id,
    project_id: node.project_id,
    name: node.name,
    to: { path: sockets.serial },
    console: { host: context.consoles.host, port, range: context.consoles.range },
  });

  return {
    async attach(node, sockets) {
      const ports = node.ports.map((port): Op => ({
        op: 'port.attach',
        attachment: {
          port: placeOf(node, port),
          project_id: node.project_id,
          to: { type: 'stream', path: sockets.nic(port.adapter_number), listen: false },
        },
      }));
      throwFirst(await run(ports, node.name), node.name);
      if (node.console_type !== 'telnet') return null;
      const [opened] = await run([consoleOp(node, sockets, node.console ?? 0)], node.name);
      if (opened?.ok === false && opened.code === 'port_taken') throw noPort(node, context);
      throwFirst(opened === undefined ? [] : [opened], node.name);
      return opened?.ok === true ? (opened.value as StartedNode).console : null;
    },
    async detach(node) {
      const ports = node.ports.map((port): Op => ({ op: 'port.detach', port: placeOf(node, port) }));
      throwFirst(await run([...ports, { op: 'console.close', node_id: node.node_id }], 'The node'), 'The node');
    },
    async rename(node, sockets, port) {
      throwFirst(await run([consoleOp(node, sockets, port)], node.name), node.name);
    },
  };
};

const placeOf = ({ node_id }: Place, { adapter_number, port_number }: KindNode['ports'][number]) => ({
  node_id,
  adapter_number,
  port_number,
});

const noPort = ({ name }: KindNode, { consoles: { host, range } }: EngineContext): Error =>
  conflict(`${name}: no console port of ${range[0]} to ${range[1]} is free on ${host}`);
