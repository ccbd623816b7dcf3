import type { ConsoleHandle, OpenConsole } from '../console/console.ts';
import type { PortTable } from '../frames/ports.ts';
import type { Timers } from '../frames/timers.ts';
import type { FabricEvent, NodeSpec, NodeTables } from '../protocol.ts';
import type { Model } from './model.ts';
import type { NodeTimers } from './node-timers.ts';

export interface NodeParts {
  ports: PortTable;
  timers: Timers;
  openConsole: OpenConsole;
  emit(event: FabricEvent): void;
  /** The node runs. */
  started(node: RunningNode): void;
  /** The node has ended by itself, with what it said last. */
  ended(node: RunningNode, output: string): void;
}

export interface RunningNode {
  readonly spec: NodeSpec;
  readonly state: 'started' | 'suspended';
  readonly console: ConsoleHandle | null;
  /** While it runs and is not suspended. */
  readonly model: Pick<Model, 'probe' | 'addresses' | 'isStarting'> | null;
  configure(spec: NodeSpec): void;
  /** What its model has learned and been given. */
  tables(): NodeTables;
  suspend(): void;
  resume(): void;
  /** Resolves once its console's port is free again. */
  stop(): Promise<void>;
}

/** What the parts of one node share while it runs. */
export interface Life {
  spec: NodeSpec;
  model: Model | null;
  console: ConsoleHandle | null;
  suspended: boolean;
  /** Set once it ends; nothing of it is called again. */
  over: boolean;
  /** What it ended with by itself. */
  output: string | null;
  timers: NodeTimers;
  /** Bytes typed while it was suspended; null: none. */
  typed: Uint8Array[] | null;
  node: RunningNode | null;
}

/** Runs the model's code; an exception ends the node and nothing else. */
export function guard(life: Life, parts: NodeParts, run: () => void): void {
  if (life.over) return;
  try {
    run();
  } catch (error) {
    fail(life, parts, error);
  }
}

export function fail(life: Life, parts: NodeParts, error: unknown): void {
  life.output ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
  finish(life, parts);
}

/** The node has ended by itself. While it still starts, `startNode` sees to it. */
export function finish(life: Life, parts: NodeParts): void {
  if (life.over || life.node === null) return;
  parts.ended(life.node, life.output ?? '');
}
