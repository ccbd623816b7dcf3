import type { FabricClient } from '../../fabric/client/client.ts';
import type { FabricEvent } from '../../fabric/protocol.ts';
import type { KindOptions } from '../options.ts';

export type Properties = Record<string, unknown>;

export interface Port {
  name: string;
  short_name: string;
  adapter_number: number;
  port_number: number;
  link_type: 'ethernet' | 'serial';
  /** Label to DLT name, e.g. `{Ethernet: 'DLT_EN10MB'}`. */
  data_link_types: Record<string, string>;
  adapter_type?: string | undefined;
  mac_address?: string | undefined;
}

/** A text that a kind keeps in the node's directory instead of its properties. */
export interface NodeFile {
  /** Relative to the node's directory, with `/`. */
  name: string;
  content: string;
}

/** Naming of a kind's ports beside its properties. */
export interface PortNaming {
  node_id: string;
  port_name_format: string;
  port_segment_size: number;
  first_port_name: string | null;
  custom_adapters: {
    adapter_number: number;
    port_name?: string | undefined;
    adapter_type?: string | undefined;
    mac_address?: string | undefined;
  }[];
}

/** A node as kinds and engines see it. */
export interface KindNode extends PortNaming {
  project_id: string;
  name: string;
  status: 'stopped' | 'started' | 'suspended';
  console: number | null;
  console_type: string | null;
  command_line: string;
  node_directory: string | null;
  properties: Properties;
  ports: Port[];
  /** Ports that have a link or a NIO, for a kind that serves no other; absent: any may. */
  linked?: readonly Pick<Port, 'adapter_number' | 'port_number'>[];
  /** Process of its run as the record has it, for `adopt`. */
  pid?: number | null;
  pid_started?: string | null;
  /** Where it runs; absent: on this server. */
  compute_id?: string;
  /** Position of the event that asks for what is done to it; absent: none does. */
  asked?: number;
  /** Its project, for placeholders in settings. */
  project?: { name: string; path: string; variables: readonly { name: string; value?: string }[] | null };
}

/** Parts of a node that decide whether it can run here. */
export type NodeNeeds = Pick<KindNode, 'name' | 'properties' | 'node_directory' | 'compute_id' | 'linked'>;

export interface Missing {
  /** Name of the missing thing, e.g. `qemu-system-x86_64`. */
  needs: string;
  /** The exact command or step that installs or permits it. */
  install: string;
}

export interface EngineContext {
  fabric: FabricClient;
  /** Ports that consoles may take. */
  consoles: { host: string; range: [number, number] };
  /** Stands for the data directory in the marker of every process that an engine starts: see process/marker.ts. */
  mark: string;
  /** Data directory of the server, absolute: what its machine needs while nodes run is below it. */
  dataDir: string;
  /** Directory of the files of labs, absolute: images are below it. */
  filesDir: string;
  /** Directories with more images, absolute, each with the folders of the kinds in it. Absent: none. */
  imageDirectories?: readonly string[];
  /** False: what images refer to must be among the images or in the project as well. Absent: true. */
  local?: boolean;
  /** Absent: none was given. */
  kindOptions?: KindOptions;
}

export interface Started {
  pid: number | null;
  /** When that process was started, as process/identity.ts tells it: a pid alone may be another's one day. */
  pid_started?: string | null;
  console: number | null;
  command_line: string;
  /** Sentences about requests of the node's files that were not fulfilled; each goes on record. */
  warnings?: string[];
  /** Warnings that tell how a command of its start failed. */
  failed_commands?: string[];
  /** Where it runs; absent: on this server. */
  compute_id?: string;
}

/** How a command line in a node has ended. */
export interface Ran {
  /** null: it has none, as a signal ended it. */
  code: number | null;
  /** It took too long, and was ended. */
  isLate?: true;
  /** Its output with errors, and without. */
  output: string;
  stdout: string;
}

export interface Exit {
  node_id: string;
  project_id: string;
  code: number | null;
  signal: string | null;
  /** Tail of the engine's own output. */
  output: string;
}

/** A sentence about a node that goes on, which goes on record. */
export interface NodeWarning {
  node_id: string;
  message: string;
}

/** Result of a trace that the fabric did not make, as in `trace.finished`. */
export type Trace = Omit<Extract<FabricEvent, { type: 'trace.finished' }>, 'type'>;

/**
 * Runs nodes of a kind. Every call takes a signal and must end soon after it is aborted, leaving nothing of its own behind;
 * a start that fails leaves nothing behind either. Calls for one node never overlap. Failures are TopologErrors
 * (`engine_failed`, `engine_missing`, `conflict`) whose sentence a user understands.
 */
export interface Engine {
  readonly name: string;
  /** null when it can run here. Cheap; asked at start-up and before each start. */
  missing(node: Pick<KindNode, 'properties' | 'linked'> | null): Promise<Missing | null>;
  /**
   * Finds what this node needs beside the engine and is not on this machine: its images. Its start says so; with `--simulate` such a node
   * is simulated instead. Absent: nodes of this engine need nothing more.
   */
  incomplete?(node: NodeNeeds): Promise<Missing | null>;
  /**
   * Finds what every node of this engine needs beside the engine, when this machine has none of it: images without which nothing starts.
   * For reports only. Absent: nodes of this engine can start without.
   */
  unprovided?(): Promise<Missing | null>;
  /** Version of the program that it drives, in the program's words; null when it does not say. Absent: there is no program. */
  version?(): Promise<string | null>;
  /** `args` is the body of the start request (a destination, a licence). Resolves once the engine really runs. */
  start(node: KindNode, args: Properties, signal: AbortSignal): Promise<Started>;
  /** Resolves once nothing of it runs. Does nothing for a node that does not run. */
  stop(node: KindNode, signal: AbortSignal): Promise<void>;
  suspend?: ((node: KindNode, signal: AbortSignal) => Promise<void>) | undefined;
  resume?: ((node: KindNode, signal: AbortSignal) => Promise<void>) | undefined;
  /** Reloads in place; without it, reload is stop and start. */
  reload?(node: KindNode, signal: AbortSignal): Promise<Started>;
  /** Operations that only this engine can do, by their `path`. */
  operate?(operation: string, node: KindNode, args: Properties, signal: AbortSignal): Promise<unknown>;
  /**
   * Configuration of a running node at this moment, as it says it itself; names are those that people know its files by. Absent: the files
   * in its directory are all that there is.
   */
  configuration?(node: KindNode, signal: AbortSignal): Promise<NodeFile[]>;
  /**
   * Runs a line of a shell inside a running node, as the node's user or as `root`, and ends it after `ms`. Absent: only its console takes
   * lines.
   */
  run?(node: KindNode, line: string, how: { ms: number; root?: boolean }, signal: AbortSignal): Promise<Ran>;
  /** New settings of a running node (those that `needsStop` does not name), or other links at a kind that serves them. */
  update(node: KindNode, signal: AbortSignal): Promise<void>;
  /** Looks whether the node runs, without starting anything: for recovery. */
  adopt(node: KindNode, signal: AbortSignal): Promise<{ state: 'started' | 'suspended'; started: Started } | null>;
  /** Removes what the engine keeps outside the node's directory. */
  remove(node: KindNode, signal: AbortSignal): Promise<void>;
  /**
   * Lists, a line for each, what earlier servers of this data directory have left outside of processes (interfaces, namespaces, containers)
   * for nodes other than those of `keep`; removes it with `remove`. Absent: there is never anything.
   */
  sweep?(keep: readonly Pick<KindNode, 'node_id' | 'project_id'>[], remove: boolean): Promise<string[]>;
  /** Milliseconds within which a start must have succeeded, from the record's size. */
  deadline(node: KindNode): number;
  /** How many starts may run at once; Infinity for engines that cost nothing. */
  readonly concurrency: number;
  /** Engines with the same word share that number. Absent: those with the same name do. */
  readonly group?: string;
  /** Its nodes run outside the fabric: a clean shutdown stops them one by one. */
  readonly outside?: boolean;
  /** Called by the composition root once: engines report nodes that end by themselves. */
  onExit(listener: (exit: Exit) => void): void;
  /** Called by the composition root once: the engine reports what a node does not do any more while it runs. */
  onWarning?(listener: (warning: NodeWarning) => void): void;
  /** Called by the composition root once: the engine reports traces that it has made itself. */
  onTrace?(listener: (trace: Trace) => void): void;
  close(): Promise<void>;
}

export interface EngineFactory {
  readonly name: string;
  /** Its programs reach the server's machine as such, and how: it is not for clients of a server that is not local. */
  readonly hostUse?: string;
  create(context: EngineContext): Engine;
}
