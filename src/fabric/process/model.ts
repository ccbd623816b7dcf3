import type { ConsoleSink } from '../console/console.ts';
import type { FabricEvent, NodeSpec } from '../protocol.ts';

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
  /** Of a model with addresses of its own: one echo request from it. */
  probe?(address: string, timeoutMs: number, sequence: number): Promise<{ rtt_ms: number | null; why: string | null }>;
  /** Those that it answers for at the moment. */
  addresses?(): string[];
  /** Ends timers and the like. */
  stop(): void;
}

export type ModelFactory = (context: ModelContext) => Model | Promise<Model>;

export type Models = Readonly<Record<string, ModelFactory>>;
