import { messageOf } from '../../common/errors.ts';
import { FabricError } from '../client/client.ts';
import type { ConsoleHandle, ConsoleSink } from '../console/console.ts';
import type { ModelContext, ModelFactory } from './model.ts';
import { fail, finish, guard, type Life, type NodeParts, type RunningNode } from './node-life.ts';
import { NodeTimers } from './node-timers.ts';
import { sendFrom, type Port, type Receiver } from '../frames/ports.ts';
import { portKey, type FabricEvent, type NodeSpec } from '../protocol.ts';

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
    node: null,
  };
  try {
    life.model = await factory(new ContextOfNode(life, parts));
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

/** As those below a class: each node has one, and an accessor in an object literal gives every object a hidden class of its own. */
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

class ContextOfNode implements ModelContext {
  readonly spec: NodeSpec;
  readonly #life: Life;
  readonly #parts: NodeParts;
  /** A port at which nothing is left is forgotten, so one is kept only while this node's receiver holds it in the table. */
  #first: Port | undefined;
  #firstIndex = -1;
  /** Those after the first that was sent from: most nodes have one. */
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
    // Once the model's own code has returned.
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
      // It is gone either way.
    }
  }
  await life.console?.close();
}

/** A port receives for one node: this model's, or a process outside. */
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

/** What a port of the node receives goes to its model. */
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
    // As `guard`, without a closure for each frame.
    try {
      life.model?.receive(this.#adapter, this.#port, frame);
    } catch (error) {
      fail(life, this.#parts, error);
    }
  }
}

async function openConsole(life: Life, parts: NodeParts): Promise<ConsoleHandle | null> {
  const sink = life.model?.console ?? null;
  const { console: wish, node_id: nodeId, name } = life.spec;
  if (sink === null || wish === null) return null;
  return parts.openConsole({ nodeId, name, sink: new GuardedSink(life, parts, sink), ...wish });
}

/** The model's console with its failures caught; what is typed while the node is suspended waits. */
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
    if (!life.suspended) guard(life, this.#parts, () => this.#sink.input(bytes));
    else if ((life.typed ??= []).length < MOST_TYPED) life.typed.push(bytes);
  }

  attached(): void {
    guard(this.#life, this.#parts, () => this.#sink.attached?.());
  }
}
