import type { Duplex, Readable } from 'node:stream';
import type { Principal } from '../events/fact.ts';
import type { Capture, DrawingFields, Filters, Label, Nio, ProjectSettings } from '../events/fields.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, SnapshotRecord } from '../projections/records.ts';

/** Everything that can be asked of the lab. Each resolves after its facts are on disk; expected failures are TopologErrors. */

export interface Caller {
  by: Principal;
  /** null for what the server does by itself. */
  request_id: string | null;
}

export interface ProjectInput extends Partial<ProjectSettings> {
  name: string;
  project_id?: string;
  /** Absolute directory; default `<data-dir>/projects/<project_id>`. */
  path?: string;
}

/** Fields of a node that both groups share. What is absent gets the kind's default (create) or stays (update). */
export interface NodeChanges {
  name?: string;
  compute_id?: string;
  template_id?: string | null;
  console?: number | null;
  console_type?: string | null;
  console_auto_start?: boolean;
  /** As clients send them, checked by the kind's schema. Merged into what the node has. */
  properties?: Record<string, unknown>;
  label?: Label;
  symbol?: string | null;
  x?: number;
  y?: number;
  z?: number;
  locked?: boolean;
  port_name_format?: string;
  port_segment_size?: number;
  first_port_name?: string | null;
  custom_adapters?: { adapter_number: number; port_name?: string; adapter_type?: string; mac_address?: string }[];
}

export interface NodeInput extends NodeChanges {
  name: string;
  /** Neutral token. */
  kind: string;
  node_id?: string;
}

/** Compute group: a taken name is a conflict. Controller group: the name is made unique by a number. */
export type NamePolicy = 'conflict' | 'make_unique';

export interface LinkInput {
  link_id?: string;
  nodes: { node_id: string; adapter_number: number; port_number: number; label?: Label }[];
  suspend?: boolean;
  filters?: Filters;
  link_style?: Record<string, unknown>;
}

export interface LinkChanges {
  /** Only labels can change: ends stay where they are. */
  nodes?: { node_id: string; label?: Label }[];
  suspend?: boolean;
  filters?: Filters;
  link_style?: Record<string, unknown>;
}

export type DrawingChanges = Partial<Omit<DrawingFields, 'drawing_id' | 'project_id' | 'extra'>>;

export interface CaptureInput {
  capture_file_name?: string;
  data_link_type?: string;
}

export interface PortRef {
  adapter_number: number;
  port_number: number;
}

export type NodeAction = 'start' | 'stop' | 'suspend' | 'resume' | 'reload';
export type ProjectAction = 'start' | 'stop' | 'suspend' | 'reload';

export interface DuplicateInput {
  /** null: that of the original with a number. */
  name: string | null;
  /** Absolute directory that is empty or not there; default: in the data directory. */
  path?: string;
  reset_mac_addresses?: boolean;
}

export interface ExportOptions {
  include_snapshots?: boolean;
  include_images?: boolean;
  reset_mac_addresses?: boolean;
  keep_compute_ids?: boolean;
  /** Without it, entries are only stored. */
  compress?: boolean;
}

export interface ImportInput {
  /** Default: that of the archive. Made unique by a number. */
  name?: string;
  /** As for a duplicate. */
  path?: string;
}

/** Bytes from a client. More than `limit`: 413. */
export interface Upload {
  content: Readable;
  limit: number;
}

export interface Refusal {
  project_id: string | null;
  method: string;
  /** Route template. */
  route: string;
  path: string;
  status: number;
  reason: string;
  /** null: none. A text says why it is not kept; an object has no secrets. */
  body: unknown;
}

export interface Commands {
  createProject(caller: Caller, input: ProjectInput): Promise<ProjectRecord>;
  /** Opens the project file at an absolute path, registering its project when unknown. */
  loadProject(caller: Caller, path: string): Promise<ProjectRecord>;
  updateProject(caller: Caller, projectId: string, changes: Partial<ProjectSettings>): Promise<ProjectRecord>;
  openProject(caller: Caller, projectId: string): Promise<ProjectRecord>;
  closeProject(caller: Caller, projectId: string): Promise<ProjectRecord>;
  deleteProject(caller: Caller, projectId: string): Promise<void>;
  /** A new, closed project with the lab as it was at a moment (position or ISO time; default: now). */
  forkProject(caller: Caller, projectId: string, input: { at?: string; name: string }): Promise<ProjectRecord>;

  /** A new, closed project with everything that another one has, files included. */
  duplicateProject(caller: Caller, projectId: string, input: DuplicateInput): Promise<ProjectRecord>;
  /** A portable archive, made while it is read; `name` is one that a file can have. Conflict while a node of it runs. */
  exportProject(projectId: string, options: ExportOptions): Promise<{ name: string; content: Readable }>;
  /** A new, closed project of a portable archive. Nothing is left of one that is refused. */
  importProject(caller: Caller, projectId: string, input: ImportInput, archive: Upload): Promise<ProjectRecord>;

  /** Conflict while a node runs. */
  createSnapshot(
    caller: Caller,
    projectId: string,
    input: { name: string; snapshot_id?: string },
  ): Promise<SnapshotRecord>;
  deleteSnapshot(caller: Caller, projectId: string, snapshotId: string): Promise<void>;
  /** Records and files as they were, all of them or none; every node stopped. */
  restoreSnapshot(caller: Caller, projectId: string, snapshotId: string): Promise<ProjectRecord>;

  /** Replaces a file of the project, or of a node (`name` is below its directory then), as a whole. */
  writeFile(caller: Caller, projectId: string, nodeId: string | null, name: string, file: Upload): Promise<void>;

  createNode(caller: Caller, projectId: string, input: NodeInput, names: NamePolicy): Promise<NodeRecord>;
  updateNode(
    caller: Caller,
    projectId: string,
    nodeId: string,
    changes: NodeChanges,
    names: NamePolicy,
  ): Promise<NodeRecord>;
  deleteNode(caller: Caller, projectId: string, nodeId: string): Promise<void>;
  duplicateNode(
    caller: Caller,
    projectId: string,
    nodeId: string,
    at: { x: number; y: number; z?: number },
  ): Promise<NodeRecord>;
  /** Resolves with the state reached. `args`: body of a start. */
  actOnNode(
    caller: Caller,
    projectId: string,
    nodeId: string,
    action: NodeAction,
    args?: Record<string, unknown>,
  ): Promise<NodeRecord>;
  /** Every node is attempted; when some failed: TopologError `nodes_failed` with `details.failed`. */
  actOnProject(caller: Caller, projectId: string, action: ProjectAction): Promise<void>;
  resetConsole(caller: Caller, projectId: string, nodeId: string): Promise<void>;
  /** Raw console bytes of a running node; conflict when it does not run or has no text console. */
  openConsole(projectId: string, nodeId: string): Promise<Duplex>;

  addNio(caller: Caller, projectId: string, nodeId: string, port: PortRef, nio: Nio): Promise<Nio>;
  updateNio(caller: Caller, projectId: string, nodeId: string, port: PortRef, nio: Nio): Promise<Nio>;
  removeNio(caller: Caller, projectId: string, nodeId: string, port: PortRef): Promise<void>;
  startNodeCapture(
    caller: Caller,
    projectId: string,
    nodeId: string,
    port: PortRef,
    input: CaptureInput,
  ): Promise<Capture>;
  stopNodeCapture(caller: Caller, projectId: string, nodeId: string, port: PortRef): Promise<void>;

  createLink(caller: Caller, projectId: string, input: LinkInput): Promise<LinkRecord>;
  updateLink(caller: Caller, projectId: string, linkId: string, changes: LinkChanges): Promise<LinkRecord>;
  deleteLink(caller: Caller, projectId: string, linkId: string): Promise<void>;
  startLinkCapture(caller: Caller, projectId: string, linkId: string, input: CaptureInput): Promise<LinkRecord>;
  stopLinkCapture(caller: Caller, projectId: string, linkId: string): Promise<LinkRecord>;
  /** Makes sure that what has been captured so far is in the file. */
  flushCapture(port: PortRef & { node_id: string }): Promise<void>;

  createDrawing(
    caller: Caller,
    projectId: string,
    input: DrawingChanges & { drawing_id?: string },
  ): Promise<DrawingRecord>;
  updateDrawing(caller: Caller, projectId: string, drawingId: string, changes: DrawingChanges): Promise<DrawingRecord>;
  deleteDrawing(caller: Caller, projectId: string, drawingId: string): Promise<void>;

  /** Reserves a free UDP port of the range for a client that builds NIOs itself. */
  leaseUdpPort(projectId: string): number;
  /** Puts a refused write on the record; alike ones are counted. Never throws, never waits. */
  refused(caller: Caller, refusal: Refusal): void;
}
