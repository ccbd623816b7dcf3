import type { KindNode, Started } from '../../kit/contract.ts';
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

export const startedOf = ({ pid, started }: Running, console: number | null, command_line: string): Started => ({
  pid,
  pid_started: started,
  console,
  command_line,
});

/** Asks a program to end in its own way (a command, a button), before signals do; may take as long as it likes. */
export type Ask = (running: Running) => Promise<void>;

export interface ProcessesOptions {
  /** Name of the engine; its log is named after it. */
  engine: string;
  /** Of the data directory: see marker.ts. */
  mark: string;
  patience?: Partial<Patience>;
  /** Where a node's output goes; default: `<engine>.log` in the node's directory. */
  logOf?: (node: KindNode) => string;
}
