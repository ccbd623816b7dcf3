import { Emitter } from '../../common/emitter.ts';
import { engineFailed, type TopologError } from '../../common/errors.ts';
import { unlessAborted } from '../../common/promises.ts';
import { type FabricClient, FabricError, throwFirst, toTopologError } from '../../fabric/client/client.ts';
import { forgetInventory, nodesOf } from '../../fabric/client/inventory.ts';
import type { FabricEvent, NodeSpec, Op, StartedNode } from '../../fabric/protocol.ts';
import type { EngineContext, Exit, KindNode, Started } from './contract.ts';

type NodeRef = Pick<KindNode, 'node_id' | 'name'>;

/** Runs nodes inside the fabric, for the engines whose nodes live there. */
export class FabricNodes {
  readonly #context: EngineContext;
  readonly #commandLine: (node: KindNode) => string;
  /** Nodes of this engine that run: the fabric tells of all that end. */
  readonly #running = new Set<string>();
  readonly #listened = new WeakSet<FabricClient>();
  readonly #events = new Emitter<{ exit: [Exit] }>();
  readonly onExit = this.#events.subscriber('exit');
  #closed = false;

  constructor(context: EngineContext, commandLine: (node: KindNode) => string) {
    this.#context = context;
    this.#commandLine = commandLine;
  }

  async start(node: KindNode, spec: NodeSpec, signal: AbortSignal): Promise<number | null> {
    signal.throwIfAborted();
    const fabric = this.#client();
    forgetInventory(fabric);
    // Registered before the start, so that an end right after it is not missed.
    this.#running.add(node.node_id);
    try {
      const started = await unlessAborted(startNode(fabric, spec, signal), signal);
      return started.console;
    } catch (error) {
      this.#running.delete(node.node_id);
      // Ops are done in order: this undoes the start, also one that is still under way. A lost fabric has nothing to undo.
      fabric.run([{ op: 'node.stop', node_id: node.node_id }]).catch(() => undefined);
      if (signal.aborted) throw error;
      throw startError(error, node, spec);
    }
  }

  async stop(node: NodeRef): Promise<void> {
    this.#running.delete(node.node_id);
    await this.#run(node, { op: 'node.stop', node_id: node.node_id }, ['not_found']);
  }

  act(node: KindNode, op: 'node.suspend' | 'node.resume'): Promise<void> {
    return this.#run(node, { op, node_id: node.node_id });
  }

  configure(node: KindNode, spec: NodeSpec): Promise<void> {
    return this.#run(node, configureOp(spec));
  }

  /** The node when the fabric has it with this model; brings its settings up to date with `specFor` what was found. */
  async adopt(
    node: KindNode,
    model: NodeSpec['model'],
    specFor: (found: NodeSpec) => NodeSpec,
  ): Promise<{ state: 'started' | 'suspended'; started: Started } | null> {
    const found = await lookUp(this.#client(), node);
    if (found?.spec.model !== model || found.spec.project_id !== node.project_id) return null;
    this.#running.add(node.node_id);
    const spec = specFor(found.spec);
    if (settingsOf(found.spec) !== settingsOf(spec)) await this.configure(node, spec);
    // The command line has the name that the node was started with.
    const command_line = this.#commandLine({ ...node, name: found.spec.name });
    return { state: found.state, started: { pid: null, console: found.console, command_line } };
  }

  close(): void {
    this.#closed = true;
  }

  /** Current client: it changes when the fabric had to be started again. */
  #client(): FabricClient {
    const now = this.#context.fabric;
    if (!this.#listened.has(now)) {
      this.#listened.add(now);
      now.onEvent((event) => this.#exited(event));
    }
    return now;
  }

  #exited(event: FabricEvent): void {
    if (this.#closed || event.type !== 'node.exited' || !this.#running.delete(event.node_id)) return;
    const { node_id, project_id, output } = event;
    this.#events.emit('exit', { node_id, project_id, code: 0, signal: null, output });
  }

  async #run(node: NodeRef, op: Op, harmless: string[] = []): Promise<void> {
    const fabric = this.#client();
    forgetInventory(fabric);
    try {
      throwFirst(await fabric.run([op]), node.name, harmless);
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  }
}

const startNode = async (fabric: FabricClient, spec: NodeSpec, signal: AbortSignal): Promise<StartedNode> => {
  try {
    return await fabric.one<StartedNode>({ op: 'node.start', node: spec });
  } catch (error) {
    if (!(error instanceof FabricError) || error.code !== 'exists') throw error;
    // Left over from a server that ended between the start and its event.
    await fabric.one({ op: 'node.stop', node_id: spec.node_id });
    signal.throwIfAborted();
    return fabric.one<StartedNode>({ op: 'node.start', node: spec });
  }
};

const startError = (error: unknown, node: KindNode, spec: NodeSpec): TopologError => {
  if (error instanceof FabricError && error.code === 'port_taken' && spec.console !== null) {
    const [from, to] = spec.console.range;
    return engineFailed(node.name, `no console port of ${from} to ${to} is free on ${spec.console.host}`);
  }
  return toTopologError(error, node.name);
};

const lookUp = async (fabric: FabricClient, node: KindNode) => {
  try {
    return (await nodesOf(fabric)).get(node.node_id);
  } catch (error) {
    throw toTopologError(error, node.name);
  }
};

const configureOp = ({ node_id, name, config, ports }: NodeSpec): Op => ({
  op: 'node.configure',
  node_id,
  name,
  config,
  ports,
});

const settingsOf = ({ name, config, ports }: NodeSpec): string => JSON.stringify(canonical([name, config, ports]));

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, of]) => [key, canonical(of)]));
};

/** Builds the description of any node for the fabric. */
export const specOf = (
  node: KindNode,
  model: NodeSpec['model'],
  config: Record<string, unknown>,
  consoles: EngineContext['consoles'],
): NodeSpec => ({
  node_id: node.node_id,
  project_id: node.project_id,
  name: node.name,
  model,
  ports: node.ports.map(({ adapter_number, port_number }) => ({ adapter_number, port_number })),
  console:
    node.console_type === 'telnet' ? { host: consoles.host, port: node.console ?? 0, range: consoles.range } : null,
  directory: node.node_directory,
  config,
});
