import type { Duplex, Readable } from 'node:stream';
import type { License } from '../emulators/switch_router_emulator/license.ts';
import type { Principal } from '../events/event.ts';
import type { Capture, DrawingFields, Filters, Label, Nio, ProjectSettings, TemplateFields } from '../events/fields.ts';
import type {
  DrawingRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  SnapshotRecord,
  TemplateRecord,
} from '../projections/records.ts';

/** Everything that can be asked of the lab. Each resolves after its events are on disk; expected failures are TopologErrors. */

export interface Caller {
  by: Principal;
  /** null for what the server does by itself. */
  request_id: string | null;
  /** ETags of If-Match: the record that is changed or deleted must have one of them; `*`: any. Absent: whatever it is. */
  expected?: readonly string[];
}

export interface ProjectInput extends Partial<ProjectSettings> {
  name: string;
  project_id?: string;
  /** Absolute directory; default `<data-dir>/projects/<project_id>`. */
  path?: string;
  /** Of a name that another project has; default: a conflict. */
  names?: NamePolicy;
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

/** What is absent stays (update) or gets the default of its kind (create). */
export interface TemplateChanges extends Partial<Omit<TemplateFields, 'template_id' | 'kind' | 'compute_id'>> {
  /** As clients send them, checked by the kind's schema. Merged into what the template has. */
  settings?: Record<string, unknown>;
}

export interface TemplateInput extends TemplateChanges {
  template_id?: string;
  /** Neutral token. */
  kind: string;
  name: string;
  compute_id?: string | null;
}

/** Where a node of a template goes. `name`: in place of one by the template's format. */
export interface NodePlace {
  x: number;
  y: number;
  name?: string;
  compute_id?: string;
}

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

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  key: string;
  method: string;
  /** With the query. */
  path: string;
  /** Hexadecimal, of the body. */
  body_sha256: string;
}
export interface KeyedAnswer {
  status: number;
  /** null: none. */
  body: string | null;
}

/** One step of a batch; each is decided on what the steps before it have made. */
export type BatchStep =
  | { action: 'create'; type: 'node'; input: NodeInput }
  | { action: 'create'; type: 'link'; input: LinkInput }
  | { action: 'create'; type: 'drawing'; input: DrawingChanges & { drawing_id?: string } }
  | { action: 'update'; type: 'node'; id: string; changes: NodeChanges }
  | { action: 'update'; type: 'link'; id: string; changes: LinkChanges }
  | { action: 'update'; type: 'drawing'; id: string; changes: DrawingChanges }
  | { action: 'delete'; type: 'node'; id: string }
  | { action: 'delete'; type: 'link'; id: string }
  | { action: 'delete'; type: 'drawing'; id: string };

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
  /** Whatever the archive says; default: false. */
  auto_close?: boolean;
}

/** Settings of a project whose file does not say them. */
export type LoadDefaults = Partial<Pick<ProjectSettings, 'auto_close'>>;

/** Bytes from a client. More than `limit`: 413. */
export interface Upload {
  content: Readable;
  /** Octets that are announced; null: it is not said how many come. */
  length?: number | null;
  limit: number;
}

/** An operation of a kind. */
export interface OperationRef {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
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
  /**
   * Opens the project file at an absolute path, registering its project when unknown. `new_id`: as a project of its own, whatever its
   * file says; without it, a file whose project was loaded from another file is refused.
   */
  loadProject(caller: Caller, path: string, options?: LoadDefaults & { new_id?: boolean }): Promise<ProjectRecord>;
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

  /** An image of a kind (`name` is below the directory of its images), replaced as a whole. */
  writeImage(caller: Caller, kind: string, name: string, file: Upload): Promise<{ bytes: number; md5sum: string }>;
  /** Something that only this kind does, by its path; what it answers is JSON. `args` are checked already. */
  operate(
    caller: Caller,
    kind: string,
    operation: OperationRef,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<unknown>;
  /** The same for a node, alone among its commands. */
  operateNode(
    caller: Caller,
    projectId: string,
    nodeId: string,
    operation: OperationRef,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<unknown>;
  /** Puts the files of one node into the place of another's: both stopped, and of one kind. Resolves with the other. */
  copyNodeFiles(caller: Caller, projectId: string, fromId: string, toId: string): Promise<NodeRecord>;

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

  /**
   * All of the steps, in their order, or none: they are one batch of events. Resolves with the records made or changed; null for
   * what was deleted. A step that is refused throws with `details.step`, its number.
   */
  batch(
    caller: Caller,
    projectId: string,
    steps: readonly BatchStep[],
  ): Promise<(NodeRecord | LinkRecord | DrawingRecord | null)[]>;

  /**
   * Carries a request out once: its repetitions within a day are answered as it was, also after a restart. One that was refused
   * may be tried again. Conflict: another request had the key, or the first was cut off in the middle.
   */
  once(caller: Caller, request: KeyedRequest, work: () => Promise<KeyedAnswer>): Promise<KeyedAnswer>;
  createTemplate(caller: Caller, input: TemplateInput): Promise<TemplateRecord>;
  updateTemplate(caller: Caller, templateId: string, changes: TemplateChanges): Promise<TemplateRecord>;
  deleteTemplate(caller: Caller, templateId: string): Promise<void>;
  /** Under a name of its own. */
  duplicateTemplate(caller: Caller, templateId: string): Promise<TemplateRecord>;
  createNodeFromTemplate(caller: Caller, projectId: string, templateId: string, place: NodePlace): Promise<NodeRecord>;
  /** Puts a picture into the symbol directory. `name`: whatever a client calls it; only its last part counts. */
  storeSymbol(caller: Caller, name: string, bytes: Uint8Array): Promise<void>;
  changeLicense(caller: Caller, changes: Partial<License>): Promise<License>;

  /** Reserves a free UDP port of the range for a client that builds NIOs itself. */
  leaseUdpPort(projectId: string): Promise<number>;
  /** Somebody listens to a project's feed until the answer is called; after the last one a project with auto_close closes. */
  attend(projectId: string): () => void;
  /** Those that are reserved and not used yet. */
  leasedUdpPorts(): number[];
  /** Puts a refused write on the record; alike ones are counted. Never throws, never waits. */
  refused(caller: Caller, refusal: Refusal): void;
}
