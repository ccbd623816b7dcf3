import type { ConsoleSink } from '../console/console.ts';
import type { Echo, Probed } from '../questions.ts';
import type { FabricEvent, NodeSpec, NodeTables } from '../protocol.ts';

/** What a running embedded node may use. All of it ends with the node. */
export interface ModelContext {
  spec: NodeSpec;
  /** Sends a frame out of a port of this node. The frame belongs to the cable from then on: never change it afterwards. */
  send(adapter: number, port: number, frame: Uint8Array): void;
  /** Monotonic clock in milliseconds, with fractions. */
  now(): number;
  /** Runs once after `ms`; cancelled when the node stops. */
  timer(ms: number, run: () => void): { cancel(): void };
  emit(event: FabricEvent): void;
  /** The node ends itself; what it printed last goes with it. */
  exit(output: string): void;
}

/** An embedded node while it runs. */
export interface Model {
  /** A frame arrived at a port. Never change it: a capture or another receiver may hold it too. */
  receive(adapter: number, port: number, frame: Uint8Array): void;
  /** New settings while running; throws an Error with a sentence when they cannot be taken. */
  configure(spec: NodeSpec): void;
  /** Opens a session for the node's console; null when the model has none. One shell for all clients: input of any, output to all. */
  console: ConsoleSink | null;
  /** The cable of a port was taken away. */
  unplugged?(adapter: number, port: number): void;
  /** What it has learned and been given; absent: nothing. */
  tables?(): NodeTables;
  /** Of a model with addresses of its own: one echo request from it. */
  probe?(address: string, echo: Echo): Promise<Pick<Probed, 'rtt_ms' | 'why'>>;
  /** Those that it answers for at the moment. */
  addresses?(): string[];
  /** Of a model with a start-up text: it is not what that makes of it yet. */
  isStarting?(): boolean;
  /** Ends timers and the like. */
  stop(): void;
}

export type ModelFactory = (context: ModelContext) => Model | Promise<Model>;

export type Models = Readonly<Record<string, ModelFactory>>;
