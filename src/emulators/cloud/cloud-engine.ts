import type { Engine, EngineContext, EngineFactory, KindNode, Missing, Started } from '../kit/contract.ts';
import { OutsideEngine } from '../shared/outside-engine.ts';
import { TopologError } from '../../common/errors.ts';
import { FabricNodes } from '../kit/fabric-node.ts';
import type { Relay } from '../shared/network/relay.ts';
import { cloudLacks, engineLacks } from './lacks.ts';
import { createPassage, MODEL, type Passage, passageSpec } from './passage.ts';
import { PortHelpers } from './port-helpers.ts';
import type { PortType } from './schema.ts';

/**
 * Lead ports of a cloud out of the lab: over UDP, one raw frame a datagram, to TAP devices and to interfaces of the host. All
 * are the same engine, so a cloud may have ports of each type; they differ in what they must find on this machine.
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
  readonly #passage: Passage;
  readonly #helpers: PortHelpers;

  constructor(name: PortType, context: EngineContext) {
    super();
    this.name = name;
    this.concurrency = name === 'udp' ? Infinity : 4;
    this.#context = context;
    this.#nodes = new FabricNodes(context, (node) => this.#commandLine(node));
    this.#passage = createPassage(context);
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
    await this.#nodes.start(node, passageSpec(node, this.#context), signal);
    try {
      // Of a server that ended half-way.
      await this.#helpers.end(node);
      await this.#passage.put(node, await this.#ready(node, signal));
      signal.throwIfAborted();
    } catch (error) {
      await this.stop(node).catch(() => undefined);
      throw error;
    }
    return { pid: null, console: null, command_line: this.#commandLine(node) };
  }

  async stop(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void> {
    await this.#passage.remove(node);
    await this.#nodes.stop(node);
    await this.#helpers.end(node);
  }

  async update(node: KindNode, signal: AbortSignal): Promise<void> {
    const relays = await this.#ready(node, signal);
    await this.#nodes.configure(node, passageSpec(node, this.#context));
    await this.#passage.put(node, relays);
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const found = await this.#nodes.adopt(node, MODEL, () => passageSpec(node, this.#context));
    if (found === null) return null;
    const relays = await this.#helpers.adopt(node);
    if (relays === null) {
      // One of its ports no longer leads anywhere.
      await this.stop(node);
      return null;
    }
    await this.#passage.put(node, relays);
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
