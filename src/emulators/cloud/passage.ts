import type { NodeSpec, Op, CableEnd, CableSpec } from '../../fabric/protocol.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { throwFirst, toTopologError } from '../../fabric/client/client.ts';
import { specOf } from '../kit/fabric-node.ts';
import { type Relay, relayEnd } from '../shared/network/relay.ts';
import { udpEnd } from '../../fabric/client/plumbing.ts';
import { seedOf } from '../../common/forms/seed.ts';
import { linkedMappings } from './lacks.ts';
import type { Mapping } from './schema.ts';

/**
 * What a cloud is in the fabric. A port takes one cable, and the link has it. So the cloud runs as a switch with a second, inner
 * port for each of its ports, which has the cable to a UDP socket. The two are QinQ ports of a VLAN of their own: whatever enters
 * one, tagged or not, leaves the other as it was, and no frame gets from one mapping to the next.
 */
export interface Passage {
  /** Brings the cables up to date; `relays`: of the ports that are not udp, by their place. */
  put(node: KindNode, relays: ReadonlyMap<number, Relay>): Promise<void>;
  /** Removes all cables of a node. */
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
  /** Ids of the cables that the cloud has now. */
  const cablesOf = async (node: Whose): Promise<string[]> => {
    try {
      const { cables } = await context.fabric.inventory();
      return cables.map((cable) => cable.cable_id).filter((id) => id.startsWith(prefix(node)));
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  const removeCables = async (node: Whose, ids: readonly string[]): Promise<void> =>
    run(
      node,
      ids.map((cable_id) => ({ op: 'cable.remove', cable_id })),
    );

  return {
    async put(node, relays) {
      const wanted = cableSpecs(node, relays);
      const ids = new Set(wanted.map((cable) => cable.cable_id));
      await removeCables(
        node,
        (await cablesOf(node)).filter((id) => !ids.has(id)),
      );
      await run(
        node,
        wanted.map((cable) => ({ op: 'cable.put', cable })),
      );
    },
    remove: async (node) => removeCables(node, await cablesOf(node)),
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

const cableSpecs = (node: KindNode, relays: ReadonlyMap<number, Relay>): CableSpec[] =>
  linkedMappings(node).map(([index, mapping]) => {
    const cable_id = `${prefix(node)}${index}`;
    const inner = { node_id: node.node_id, adapter_number: 0, port_number: INNER + index };
    return {
      cable_id,
      project_id: node.project_id,
      ends: [{ type: 'port', ...inner }, outerEnd(mapping, relays.get(index))],
      suspend: false,
      filters: {},
      seed: seedOf(cable_id),
    };
  });

const outerEnd = (mapping: Mapping, relay: Relay = { fabric: 0, socat: 0 }): CableEnd =>
  mapping.type === 'udp' ? udpEnd(mapping) : relayEnd(relay);
