import { TopologError } from '../../common/errors.ts';
import { seedOf } from '../../common/forms/seed.ts';
import { throwFirst, toTopologError } from '../../fabric/client/client.ts';
import { udpEnd } from '../../fabric/client/plumbing.ts';
import type { CableEnd, CableSpec, NodeSpec, Op } from '../../fabric/protocol.ts';
import type { Engine, EngineContext, EngineFactory, KindNode, Missing, Started } from '../kit/contract.ts';
import { FabricNodes, specOf } from '../kit/fabric-node.ts';
import { type Relay, relayEnd } from '../shared/network/relay.ts';
import { OutsideEngine } from '../shared/outside-engine.ts';
import { PortHelpers } from './port-helpers.ts';
import { cloudLacks, engineLacks, linkedMappings } from './requirements.ts';
import type { Mapping, PortType } from './schema.ts';

/**
 * Engines that lead ports of a cloud out of the lab: over UDP, one raw frame a datagram, to TAP devices and to interfaces of the host. All
 * are the same class, so a cloud may have ports of each type; they differ in what they need on this machine.
 */
export const UDP: EngineFactory = { name: 'udp', create: (context) => new CloudEngine('udp', context) };
export const TAP: EngineFactory = { name: 'tap', create: (context) => new CloudEngine('tap', context) };
export const ETHERNET: EngineFactory = { name: 'ethernet', create: (context) => new CloudEngine('ethernet', context) };

const START_MS = 15_000;

class CloudEngine extends OutsideEngine implements Engine {
  readonly name: PortType;
  readonly concurrency: number;
  readonly #context: EngineContext;
  readonly #nodes: FabricNodes;
  readonly #switch: FabricSwitch;
  readonly #helpers: PortHelpers;

  constructor(name: PortType, context: EngineContext) {
    super();
    this.name = name;
    this.concurrency = name === 'udp' ? Infinity : 4;
    this.#context = context;
    this.#nodes = new FabricNodes(context, (node) => this.#commandLine(node));
    this.#switch = createFabricSwitch(context);
    this.#helpers = new PortHelpers(context);
    this.#nodes.onExit((exit) => {
      void this.reportEnd(exit, this.#helpers.end({ node_id: exit.node_id, name: exit.node_id }));
    });
    this.#helpers.onEnd(({ node_id, project_id, output }) => {
      const exit = { node_id, project_id, code: null, signal: null, output };
      void this.reportEnd(exit, this.stop({ node_id, name: node_id }));
    });
  }

  missing(node: Pick<KindNode, 'properties' | 'linked'> | null): Promise<Missing | null> {
    return node === null ? engineLacks(this.name) : cloudLacks(this.name, node);
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    await this.#nodes.start(node, switchSpec(node, this.#context), signal);
    try {
      // Helpers of a start that an earlier server did not finish.
      await this.#helpers.end(node);
      await this.#switch.put(node, await this.#ready(node, signal));
      signal.throwIfAborted();
    } catch (error) {
      await this.stop(node).catch(() => undefined);
      throw error;
    }
    return { pid: null, console: null, command_line: this.#commandLine(node) };
  }

  async stop(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void> {
    await this.#switch.remove(node);
    await this.#nodes.stop(node);
    await this.#helpers.end(node);
  }

  async update(node: KindNode, signal: AbortSignal): Promise<void> {
    const relays = await this.#ready(node, signal);
    await this.#nodes.configure(node, switchSpec(node, this.#context));
    await this.#switch.put(node, relays);
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const found = await this.#nodes.adopt(node, MODEL, () => switchSpec(node, this.#context));
    if (found === null) return null;
    const relays = await this.#helpers.adopt(node);
    if (relays === null) {
      // The helper of one of its ports has ended.
      await this.stop(node);
      return null;
    }
    await this.#switch.put(node, relays);
    return found;
  }

  override async remove(node: KindNode): Promise<void> {
    await this.stop(node);
    await this.#helpers.forget(node);
  }

  deadline(): number {
    return START_MS;
  }

  close(): Promise<void> {
    this.#nodes.close();
    this.#helpers.close();
    return Promise.resolve();
  }

  #commandLine(node: KindNode): string {
    return `${this.name} ${node.name}`;
  }

  /** Ports that were changed while it runs may lack what its start did not need. */
  async #ready(node: KindNode, signal: AbortSignal): Promise<Map<number, Relay>> {
    const lacks = await cloudLacks('ethernet', node);
    if (lacks !== null) throw new TopologError('engine_missing', { what: node.name, ...lacks });
    return this.#helpers.put(node, signal);
  }
}

/**
 * A cloud in the fabric. A port takes one cable, and the link has it. Therefore the cloud runs as a switch with a second, inner port for
 * each of its ports; the inner port has the cable to a UDP socket. The two are QinQ ports of a VLAN of their own: a frame that enters one,
 * tagged or not, leaves the other unchanged, and no frame gets from one mapping to the next.
 */
interface FabricSwitch {
  /** Brings the cables up to date; `relays`: of the ports that are not udp, by their place. */
  put(node: KindNode, relays: ReadonlyMap<number, Relay>): Promise<void>;
  /** Removes all cables of a node. */
  remove(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void>;
}

const MODEL = 'ethernet_switch';
/** Inner ports are numbered from here on; a cloud has fewer ports than this. */
const INNER = 10_000;

type NodeRef = Pick<KindNode, 'node_id' | 'name'>;

const createFabricSwitch = (context: Pick<EngineContext, 'fabric'>): FabricSwitch => {
  const run = async (node: NodeRef, ops: Op[]): Promise<void> => {
    try {
      throwFirst(await context.fabric.run(ops), node.name);
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  /** Ids of the cables that the cloud has now. */
  const cablesOf = async (node: NodeRef): Promise<string[]> => {
    try {
      const { cables } = await context.fabric.inventory();
      return cables.map((cable) => cable.cable_id).filter((id) => id.startsWith(prefix(node)));
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  const removeCables = async (node: NodeRef, ids: readonly string[]): Promise<void> =>
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

const prefix = ({ node_id }: NodeRef): string => `cloud:${node_id}/`;

/** The switch, without a console. */
const switchSpec = (node: KindNode, { consoles }: Pick<EngineContext, 'consoles'>): NodeSpec => {
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
