import type { ConsoleSink } from '../console/console.ts';
import type { EchoRequest, FabricEvent, NodeSpec, NodeTables, EchoResult } from '../protocol.ts';

/** Services of the fabric for an embedded node. All of them end with the node. */
export interface ModelContext {
  spec: NodeSpec;
  /** Sends a frame out of a port of this node. The frame belongs to the cable from then on: never change it afterwards. */
  send(adapter: number, port: number, frame: Uint8Array): void;
  /** Monotonic clock in milliseconds, with fractions. */
  now(): number;
  /** Runs once after `ms`; cancelled when the node stops. */
  timer(ms: number, run: () => void): { cancel(): void };
  emit(event: FabricEvent): void;
  /** The node ends itself; `output` is the reason that is recorded. */
  exit(output: string): void;
}

/** An embedded node while it runs. */
export interface Model {
  /** A frame arrived at a port. Never change it: a capture or another receiver may hold it too. */
  receive(adapter: number, port: number, frame: Uint8Array): void;
  /** New settings while running; throws an Error with a sentence when they cannot be taken. */
  configure(spec: NodeSpec): void;
  /** null when the model has none. One shell for all clients: it takes the input of any, and all see its output. */
  console: ConsoleSink | null;
  /** The cable of a port was removed. */
  unplugged?(adapter: number, port: number): void;
  tables?(): NodeTables;
  /** Sends one echo request; only models with IP addresses have it. */
  probe?(address: string, echo: EchoRequest): Promise<Pick<EchoResult, 'rtt_ms' | 'why'>>;
  /** Its own IP addresses now. */
  addresses?(): string[];
  /** True while its start-up text still runs. */
  isStarting?(): boolean;
  /** Ends timers and the like. */
  stop(): void;
}

export type ModelFactory = (context: ModelContext) => Model | Promise<Model>;

export type Models = Readonly<Record<string, ModelFactory>>;
