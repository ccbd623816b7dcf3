import { messageOf } from '../../common/errors.ts';
import { FabricError } from '../client/client.ts';
import type { ConsoleHandle, ConsoleSink, OpenConsole } from '../console/console.ts';
import { type Port, type PortTable, type Receiver, sendFrom } from '../frames/ports.ts';
import type { Timer, Timers } from '../frames/timers.ts';
import { type FabricEvent, type NodeSpec, type NodeTables, portKey } from '../protocol.ts';
import type { Model, ModelContext, ModelFactory } from './model.ts';

export interface NodeParts {
  ports: PortTable;
  timers: Timers;
  openConsole: OpenConsole;
  emit(event: FabricEvent): void;
  started(node: RunningNode): void;
  /** The node has ended by itself; `output`: its last words or the failure. */
  ended(node: RunningNode, output: string): void;
}

export interface RunningNode {
  readonly spec: NodeSpec;
  readonly state: 'started' | 'suspended';
  readonly console: ConsoleHandle | null;
  /** null while it is suspended. */
  readonly model: Pick<Model, 'probe' | 'addresses' | 'isStarting'> | null;
  configure(spec: NodeSpec): void;
  tables(): NodeTables;
  suspend(): void;
  resume(): void;
  /** Resolves once its console's port is free again. */
  stop(): Promise<void>;
}

/** State that the parts of one node share while it runs. */
interface Life {
  spec: NodeSpec;
  model: Model | null;
  console: ConsoleHandle | null;
  suspended: boolean;
  /** Set once it ends; nothing of it is called again. */
  over: boolean;
  /** Reason for which it ended by itself. */
  output: string | null;
  timers: NodeTimers;
  /** Bytes typed while it was suspended. */
  typed: Uint8Array[] | null;
  had: NodeTables['had'] | null;
  node: RunningNode | null;
}

/** Runs the model's code; an exception ends the node and nothing else. */
function guard(life: Life, parts: NodeParts, run: () => void): void {
  if (life.over) return;
  try {
    run();
  } catch (error) {
    fail(life, parts, error);
  }
}

function fail(life: Life, parts: NodeParts, error: unknown): void {
  life.output ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
  finish(life, parts);
}

/** Reports that the node has ended by itself. While it is still starting, `startNode` throws instead. */
function finish(life: Life, parts: NodeParts): void {
  if (life.over || life.node === null) return;
  parts.ended(life.node, life.output ?? '');
}

/** Inputs kept for a suspended node. */
const MOST_TYPED = 1000;

/** Starts a node: resolves once its model runs, its console listens and its ports receive. Leaves nothing behind when it fails. */
export async function startNode(spec: NodeSpec, factory: ModelFactory, parts: NodeParts): Promise<RunningNode> {
  const life: Life = {
    spec,
    model: null,
    console: null,
    suspended: false,
    over: false,
    output: null,
    timers: new NodeTimers(parts.timers),
    typed: null,
    had: null,
    node: null,
  };
  try {
    life.model = await factory(new NodeContext(life, parts));
    life.console = await openConsole(life, parts);
    checkPorts(life, parts, spec.ports);
    attachPorts(life, parts, spec.ports);
    if (life.output !== null) throw new Error(life.output);
  } catch (error) {
    await end(life, parts);
    throw startError(error);
  }
  life.node = new Handle(life, parts);
  parts.started(life.node);
  return life.node;
}

const startError = (error: unknown): FabricError =>
  error instanceof FabricError
    ? error
    : isTaken(error)
      ? new FabricError('port_taken', error.message)
      : new FabricError('failed', messageOf(error));

const isTaken = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'port_taken' || error.code === 'EADDRINUSE');

/** A class, as those below: each node has one, and an accessor in an object literal gives every object a hidden class of its own. */
class Handle implements RunningNode {
  readonly #life: Life;
  readonly #parts: NodeParts;

  constructor(life: Life, parts: NodeParts) {
    this.#life = life;
    this.#parts = parts;
  }

  get spec(): NodeSpec {
    return this.#life.spec;
  }

  get state(): 'started' | 'suspended' {
    return this.#life.suspended ? 'suspended' : 'started';
  }

  get console(): ConsoleHandle | null {
    return this.#life.console;
  }

  get model(): RunningNode['model'] {
    return this.#life.suspended ? null : this.#life.model;
  }

  configure(spec: NodeSpec): void {
    const life = this.#life;
    life.model?.configure(spec);
    detachPorts(life, this.#parts);
    life.spec = spec;
    attachPorts(life, this.#parts, spec.ports);
  }

  tables(): NodeTables {
    const { model, had } = this.#life;
    return { ...model?.tables?.(), ...(had == null ? {} : { had }) };
  }

  suspend(): void {
    this.#life.suspended = true;
    this.#life.timers.pause();
  }

  resume(): void {
    const life = this.#life;
    life.suspended = false;
    life.timers.resume();
    const typed = life.typed ?? [];
    life.typed = null;
    for (const bytes of typed) guard(life, this.#parts, () => life.model?.console?.input(bytes));
  }

  stop(): Promise<void> {
    return end(this.#life, this.#parts);
  }
}

class NodeContext implements ModelContext {
  readonly spec: NodeSpec;
  readonly #life: Life;
  readonly #parts: NodeParts;
  /** The port sent from first. The table forgets unused ports, so it is valid only while this node is its receiver. */
  #first: Port | undefined;
  #firstIndex = -1;
  /** Other ports that were sent from; most nodes have none. */
  #others: Map<number, Port> | null = null;

  constructor(life: Life, parts: NodeParts) {
    this.spec = life.spec;
    this.#life = life;
    this.#parts = parts;
  }

  send(adapter: number, port: number, frame: Uint8Array): void {
    if (this.#life.over || this.#life.suspended) return;
    const from = this.#portOf(adapter, port);
    if (from !== undefined) sendFrom(from, frame);
  }

  now(): number {
    return this.#parts.timers.now();
  }

  timer(ms: number, run: () => void): { cancel(): void } {
    const life = this.#life;
    return life.over ? NO_TIMER : life.timers.after(ms, () => guard(life, this.#parts, run));
  }

  emit(event: FabricEvent): void {
    this.#parts.emit(event);
  }

  exit(output: string): void {
    const life = this.#life;
    if (life.over || life.output !== null) return;
    life.output = output;
    // Only once the model's own code has returned.
    queueMicrotask(() => finish(life, this.#parts));
  }

  #portOf(adapter: number, port: number): Port | undefined {
    const index = adapter * 65_536 + port;
    const known = index === this.#firstIndex ? this.#first : this.#others?.get(index);
    if (known !== undefined && known.receiver !== null) return known;
    const { node_id } = this.#life.spec;
    const found = this.#parts.ports.find(portKey({ node_id, adapter_number: adapter, port_number: port }));
    if (found === undefined) return undefined;
    if (this.#firstIndex < 0) this.#firstIndex = index;
    if (this.#firstIndex === index) this.#first = found;
    else (this.#others ??= new Map()).set(index, found);
    return found;
  }
}

const NO_TIMER = { cancel: () => undefined };

async function end(life: Life, parts: NodeParts): Promise<void> {
  if (!life.over) {
    life.over = true;
    life.timers.cancelAll();
    detachPorts(life, parts);
    try {
      life.model?.stop();
    } catch {
      // The node ends either way.
    }
  }
  await life.console?.close();
}

/** A port has one receiver: an embedded node or an external process. */
function checkPorts(life: Life, parts: NodeParts, ports: NodeSpec['ports']): void {
  for (const port of ports) {
    const key = portKey({ node_id: life.spec.node_id, ...port });
    if ((parts.ports.find(key)?.receiver ?? null) !== null)
      throw new FabricError('exists', `Something else is attached to port ${key}`);
  }
}

function attachPorts(life: Life, parts: NodeParts, ports: NodeSpec['ports']): void {
  for (const port of ports) {
    const key = portKey({ node_id: life.spec.node_id, ...port });
    parts.ports.set(key, { receiver: new PortReceiver(life, parts, port) });
  }
}

function detachPorts(life: Life, parts: NodeParts): void {
  for (const port of life.spec.ports) {
    parts.ports.set(portKey({ node_id: life.spec.node_id, ...port }), { receiver: null });
  }
}

/** Passes frames that arrive at a port of the node to its model. */
class PortReceiver implements Receiver {
  readonly #life: Life;
  readonly #parts: NodeParts;
  readonly #adapter: number;
  readonly #port: number;

  constructor(life: Life, parts: NodeParts, { adapter_number, port_number }: NodeSpec['ports'][number]) {
    this.#life = life;
    this.#parts = parts;
    this.#adapter = adapter_number;
    this.#port = port_number;
  }

  take(frame: Uint8Array): void {
    const life = this.#life;
    if (life.suspended || life.over) return;
    // Like `guard`, without a closure for each frame.
    try {
      life.model?.receive(this.#adapter, this.#port, frame);
    } catch (error) {
      fail(life, this.#parts, error);
    }
  }

  unplugged(): void {
    guard(this.#life, this.#parts, () => this.#life.model?.unplugged?.(this.#adapter, this.#port));
  }
}

async function openConsole(life: Life, parts: NodeParts): Promise<ConsoleHandle | null> {
  const sink = life.model?.console ?? null;
  const { console: wish, node_id: nodeId, name } = life.spec;
  if (sink === null || wish === null) return null;
  return parts.openConsole({ nodeId, name, sink: new GuardedSink(life, parts, sink), ...wish });
}

const RETURN = 0x0d;
/** Most routes, and addresses of an interface, that are remembered. */
const MOST_HAD = 200;

/** Keeps what a node has before a typed line takes it away. */
function remember(life: Life): void {
  const { interfaces, routes = [] } = life.model?.tables?.() ?? {};
  if (interfaces === undefined) return;
  const all = new Map([...(life.had?.routes ?? []), ...routes].map((one) => [`${one.to} ${one.via}`, one]));
  life.had = {
    interfaces: interfaces.map((one, n) => {
      const addresses = new Set([...(life.had?.interfaces?.[n]?.addresses ?? []), ...one.addresses]);
      return { ...one, addresses: [...addresses].slice(-MOST_HAD) };
    }),
    routes: [...all.values()].slice(-MOST_HAD),
  };
}

/** The model's console with its exceptions caught; input for a suspended node waits. */
class GuardedSink implements ConsoleSink {
  readonly #life: Life;
  readonly #parts: NodeParts;
  readonly #sink: ConsoleSink;

  constructor(life: Life, parts: NodeParts, sink: ConsoleSink) {
    this.#life = life;
    this.#parts = parts;
    this.#sink = sink;
  }

  get output(): ConsoleSink['output'] {
    return this.#sink.output;
  }

  set output(write: ConsoleSink['output']) {
    this.#sink.output = write;
  }

  input(bytes: Uint8Array): void {
    const life = this.#life;
    if (bytes.includes(RETURN)) guard(life, this.#parts, () => remember(life));
    if (!life.suspended) guard(life, this.#parts, () => this.#sink.input(bytes));
    else if ((life.typed ??= []).length < MOST_TYPED) life.typed.push(bytes);
  }

  attached(): void {
    guard(this.#life, this.#parts, () => this.#sink.attached?.());
  }
}

interface NodeTimer {
  timer: Timer | null;
  /** Milliseconds left when the node was suspended. */
  remaining: number;
  run: () => void;
}

/** The timers of one node: they stand still while it is suspended and go with it. */
class NodeTimers {
  readonly #timers: Timers;
  readonly #set = new Set<NodeTimer>();
  #paused = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  after(ms: number, run: () => void): { cancel(): void } {
    const entry: NodeTimer = { timer: null, remaining: ms, run };
    this.#set.add(entry);
    if (!this.#paused) this.#schedule(entry);
    return { cancel: () => this.#cancel(entry) };
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    for (const entry of this.#set) {
      entry.remaining = (entry.timer?.due ?? 0) - this.#timers.now();
      entry.timer?.cancel();
    }
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    for (const entry of this.#set) this.#schedule(entry);
  }

  cancelAll(): void {
    for (const entry of this.#set) this.#cancel(entry);
  }

  #schedule(entry: NodeTimer): void {
    entry.timer = this.#timers.after(entry.remaining, () => {
      this.#set.delete(entry);
      entry.run();
    });
  }

  #cancel(entry: NodeTimer): void {
    entry.timer?.cancel();
    this.#set.delete(entry);
  }
}
