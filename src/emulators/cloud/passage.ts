import type { NodeSpec, Op, WireEnd, WireSpec } from '../../fabric/protocol.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { throwFirst, toTopologError } from '../../fabric/client/errors.ts';
import { specOf } from '../kit/fabric-node.ts';
import { type Relay, relayEnd } from '../shared/network/relay.ts';
import { udpEnd } from '../../fabric/client/nio.ts';
import { seedOf } from '../../fabric/client/plumbing.ts';
import { mappingsOf } from './lacks.ts';
import type { Mapping } from './schema.ts';

/**
 * What a cloud is in the fabric. A port takes one wire, and the link has it. So the cloud runs as a switch with a second, inner
 * port for each of its ports, which has the wire to a UDP socket. The two are QinQ ports of a VLAN of their own: whatever enters
 * one, tagged or not, leaves the other as it was, and no frame gets from one mapping to the next.
 */
export interface Passage {
  /** Brings the wires up to date; `relays`: of the ports that are not udp, by their place. */
  put(node: KindNode, relays: ReadonlyMap<number, Relay>): Promise<void>;
  /** Removes all wires of a node. */
  remove(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void>;
}

export const MODEL = 'ethernet_switch';
/** Inner ports are numbered from here on; a cloud has fewer ports than this. */
const INNER = 10_000;

type Whose = Pick<KindNode, 'node_id' | 'name'>;

export const createPassage = (context: Pick<EngineContext, 'fabric'>): Passage => {
  const run = async (node: Whose, ops: Op[]): Promise<void> => {
    try {
      throwFirst(await context.fabric.run(ops), node.name);
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  /** Ids of the wires that the cloud has now. */
  const wiresOf = async (node: Whose): Promise<string[]> => {
    try {
      const { wires } = await context.fabric.inventory();
      return wires.map((wire) => wire.wire_id).filter((id) => id.startsWith(prefix(node)));
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  const removeWires = async (node: Whose, ids: readonly string[]): Promise<void> =>
    run(
      node,
      ids.map((wire_id) => ({ op: 'wire.remove', wire_id })),
    );

  return {
    async put(node, relays) {
      const wanted = wireSpecs(node, relays);
      const ids = new Set(wanted.map((wire) => wire.wire_id));
      await removeWires(
        node,
        (await wiresOf(node)).filter((id) => !ids.has(id)),
      );
      await run(
        node,
        wanted.map((wire) => ({ op: 'wire.put', wire })),
      );
    },
    remove: async (node) => removeWires(node, await wiresOf(node)),
  };
};

const prefix = ({ node_id }: Whose): string => `cloud:${node_id}/`;

/** The switch, without a console. */
export const passageSpec = (node: KindNode, { consoles }: Pick<EngineContext, 'consoles'>): NodeSpec => {
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

const wireSpecs = (node: KindNode, relays: ReadonlyMap<number, Relay>): WireSpec[] =>
  mappingsOf(node).map((mapping, index) => {
    const wire_id = `${prefix(node)}${index}`;
    const inner = { node_id: node.node_id, adapter_number: 0, port_number: INNER + index };
    return {
      wire_id,
      project_id: node.project_id,
      ends: [{ type: 'port', ...inner }, outerEnd(mapping, relays.get(index))],
      suspend: false,
      filters: {},
      seed: seedOf(wire_id),
    };
  });

const outerEnd = (mapping: Mapping, relay: Relay = { fabric: 0, socat: 0 }): WireEnd =>
  mapping.type === 'udp' ? udpEnd(mapping) : relayEnd(relay);
