import type { Exit, KindNode } from '../../kit/contract.ts';
import type { Patience } from '../../../processes/end.ts';
import type { ProcessIdentity } from '../../../processes/identity.ts';

export interface Launch {
  program: string;
  args: readonly string[];
  /** Working directory; default: the node's directory. */
  cwd?: string;
  /** Added to the server's own environment. */
  environment?: Readonly<Record<string, string>>;
  /** The program goes into the background by itself: what is started ends at once, and what it leaves is the node's process. */
  forks?: boolean;
}

/** A running process of a node. */
export interface Running extends ProcessIdentity {
  /** The program and its arguments, as they were started. */
  argv: readonly string[];
}

/** Asks a program to end in its own way (a command, a button), before signals do; may take as long as it likes. */
export type Ask = (running: Running) => Promise<void>;

/**
 * The processes that one engine runs for its nodes, one each. They are detached and outlive the server: a later one finds them
 * again by their marker.
 */
export interface Processes {
  /**
   * Ends what an earlier server may have left of the node, and starts the program. Resolves once it runs, which says nothing of
   * its being ready. Its output goes to `<engine>.log` in the node's directory, or where the options say.
   */
  start(node: KindNode, launch: Launch, signal: AbortSignal): Promise<Running>;
  /** The node's process when it runs, and this engine started it here or in an earlier server; it is watched from now on. */
  adopt(node: KindNode): Promise<Running | null>;
  /**
   * Waits for what shows that a started program is ready; fails with its last output when it ends first. `work` gets a signal
   * that is aborted then, or with the one given.
   */
  ready<T>(node: KindNode, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  find(nodeId: string): Running | undefined;
  /** Resolves once nothing of the node runs: asked (when it can be), then SIGTERM, then SIGKILL, to its whole group. */
  stop(node: Pick<KindNode, 'node_id' | 'name'>, ask?: Ask): Promise<void>;
  /** What the node has printed last. */
  output(node: KindNode): Promise<string>;
  /** Gets processes that end by themselves. */
  onExit(listener: (exit: Exit) => void): void;
  /** Watches no more. Everything goes on running. */
  close(): void;
}

export interface ProcessesOptions {
  /** Name of the engine; its log is named after it. */
  engine: string;
  /** Of the data directory: see marker.ts. */
  mark: string;
  patience?: Partial<Patience>;
  /** Where a node's output goes; default: `<engine>.log` in the node's directory. */
  logOf?: (node: KindNode) => string;
}
