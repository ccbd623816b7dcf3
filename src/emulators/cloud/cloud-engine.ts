import type { NodeSpec, Op, WireSpec } from '../../fabric/protocol.ts';
import type { Engine, EngineContext, EngineFactory, KindNode } from '../contract.ts';
import { throwFirst, toTopologError } from '../fabric-errors.ts';
import { createFabricNodes, specOf } from '../fabric-node.ts';
import { mappingOf } from '../mapped-ports.ts';
import { udpEnd } from '../nio.ts';
import { seedOf } from '../plumbing.ts';
import type { UdpMapping } from './schema.ts';

/**
 * Leads ports of a cloud out of the lab over UDP, one raw frame a datagram.
 *
 * A port takes one wire, and the link has it. So the cloud runs as a switch with a second, inner port for each of its ports,
 * which has the wire to the UDP socket. The two are QinQ ports of a VLAN of their own: whatever enters one, tagged or not,
 * leaves the other as it was, and no frame gets from one mapping to the next.
 */
export const UDP: EngineFactory = { name: 'udp', create: (context) => createUdp(context) };

/** Inner ports are numbered from here on; a cloud has fewer ports than this. */
const INNER = 10_000;
const START_MS = 15_000;

const createUdp = (context: EngineContext): Engine => {
  const nodes = createFabricNodes(context, commandLine);
  const run = async (node: KindNode, ops: Op[]): Promise<void> => {
    try {
      throwFirst(await context.fabric.run(ops), node.name);
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  /** Ids of the wires that the cloud has now. */
  const wiresOf = async (node: KindNode): Promise<string[]> => {
    try {
      const { wires } = await context.fabric.inventory();
      return wires.map((wire) => wire.wire_id).filter((id) => id.startsWith(prefix(node)));
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  const removeWires = async (node: KindNode, ids: readonly string[]): Promise<void> =>
    run(
      node,
      ids.map((wire_id) => ({ op: 'wire.remove', wire_id })),
    );
  const putWires = async (node: KindNode): Promise<void> => {
    const wanted = wireSpecs(node);
    const ids = new Set(wanted.map((wire) => wire.wire_id));
    await removeWires(
      node,
      (await wiresOf(node)).filter((id) => !ids.has(id)),
    );
    await run(
      node,
      wanted.map((wire) => ({ op: 'wire.put', wire })),
    );
  };
  const stop = async (node: KindNode): Promise<void> => {
    await removeWires(node, await wiresOf(node));
    await nodes.stop(node);
  };

  return {
    name: 'udp',
    concurrency: Infinity,
    missing: (node) => Promise.resolve(node === null ? null : lacks(node)),
    async start(node, _args, signal) {
      await nodes.start(node, spec(node, context), signal);
      try {
        await putWires(node);
        signal.throwIfAborted();
      } catch (error) {
        await stop(node).catch(() => undefined);
        throw error;
      }
      return { pid: null, console: null, command_line: commandLine(node) };
    },
    stop,
    async update(node) {
      await nodes.configure(node, spec(node, context));
      await putWires(node);
    },
    async adopt(node) {
      const found = await nodes.adopt(node, MODEL, () => spec(node, context));
      if (found !== null) await putWires(node);
      return found;
    },
    remove: stop,
    deadline: () => START_MS,
    onExit: (listener) => nodes.onExit(listener),
    close: () => Promise.resolve(nodes.close()),
  };
};

const MODEL = 'ethernet_switch';
const commandLine = (node: KindNode): string => `udp ${node.name}`;
const prefix = (node: KindNode): string => `cloud:${node.node_id}/`;

const lacks = ({ properties }: Pick<KindNode, 'properties'>) => {
  const other = mappingOf(properties).find(({ type }) => type !== 'udp');
  if (other === undefined) return null;
  return {
    needs: `an engine for port ${String(other['name'])} of type ${String(other['type'])}`,
    install:
      'this version of Topolog has only udp ports; make it one, or set properties.engine to "simulated" to go on without it',
  };
};

const spec = (node: KindNode, { consoles }: EngineContext): NodeSpec => {
  const numbers = node.ports.map((port) => port.port_number);
  const pair = (number: number, port_number: number) => ({
    port_number,
    name: `${port_number}`,
    type: 'qinq',
    vlan: number + 1,
    ethertype: '0x8100',
  });
  const ports_mapping = numbers.flatMap((number) => [pair(number, number), pair(number, INNER + number)]);
  const base = specOf(node, MODEL, { ports_mapping }, consoles);
  const inner = numbers.map((number) => ({ adapter_number: 0, port_number: INNER + number }));
  return { ...base, console: null, ports: [...base.ports, ...inner] };
};

const wireSpecs = (node: KindNode): WireSpec[] =>
  (mappingOf(node.properties) as unknown as UdpMapping[]).map((mapping, index) => {
    const wire_id = `${prefix(node)}${index}`;
    const inner = { node_id: node.node_id, adapter_number: 0, port_number: INNER + index };
    return {
      wire_id,
      project_id: node.project_id,
      ends: [{ type: 'port', ...inner }, udpEnd(mapping)],
      suspend: false,
      filters: {},
      seed: seedOf(wire_id),
    };
  });
