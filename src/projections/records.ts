import type { ApplyEnd } from '../events/schemas.ts';
import type {
  Capture,
  DrawingFields,
  Failure,
  LinkCapture,
  LinkFields,
  LinkWeather,
  Nio,
  NodeFields,
  ProjectFields,
  SnapshotFields,
  Trace,
  TunnelEnd,
} from '../events/fields.ts';
import type { Claim, ComputeCapabilities, ComputeFields, TemplateFields } from '../events/server-fields.ts';

import type { CAPTURE_STATES, CaptureState, NodeState, ProjectState } from './states.ts';

/** The read records: what is. Events carry final values, so a fold only merges; see fold.ts. */

/** Positions of the events that made the record and changed it last; lists are in the order of `created`. */
export interface Stamp {
  created: number;
  changed: number;
}

/** The weather of a project, while it is on. */
export interface WeatherRun {
  seed: number;
  /** When its time is 0, in milliseconds of the clock; null: it is paused. */
  since: number | null;
  /** Its time at the last event of it, in milliseconds. */
  at: number;
  /** Its time at the last step; below 0: there was none. */
  stepped: number;
  /** Names of what is there. */
  storms: string[];
  /** Nodes that it has ended, and starts again. */
  down: string[];
  /** Those that its last step has started again. */
  up: string[];
  /** Position of the last event that changed something. */
  cause: number;
}

export interface ProjectRecord extends ProjectFields, Stamp {
  state: ProjectState;
  /** Absent: there is none. */
  weather_run?: WeatherRun;
  /** Position of the event that its last listener has left; absent while nobody misses one. */
  unattended?: number;
  /** Opened with `auto_start`, and not all of its nodes were asked yet; absent otherwise. */
  starting?: true;
  /** What was asked of all its nodes last, at a position of the log, while not all have done it; absent otherwise. */
  asked?: { action: 'start' | 'stop' | 'suspend' | 'reload'; position: number };
  /** A restore that is under way, until the project is open again; absent otherwise. */
  restore?: {
    snapshot_id: string;
    /** Nodes that ran when it was asked for. */
    running: string[];
    /** Directory whose files are to take their places; null before the events are there. */
    staged: string | null;
  };
  /** A text that is being applied; absent otherwise. */
  apply?: ApplyEnd & {
    /** Position of the event that asked for it. */
    position: number;
    /** The lab is as the text says; absent: it is as it was. */
    isNew?: true;
  };
}

export interface NodeRecord extends NodeFields, Stamp {
  state: NodeState;
  /** Last command line; empty before the first start. */
  command_line: string;
  /** Engine of the running or last run; null before the first start. */
  engine: string | null;
  /** Process of the engine where it has one of its own and runs. */
  pid: number | null;
  /** Start time of that process, as its engine tells it; absent without one. */
  pid_started?: string;
  /** Ends of cables made by the compute group. Key: `<adapter>/<port>`. */
  nios: Record<string, Nio>;
  /** Captures of the compute group that are on. Key: `<adapter>/<port>`. */
  captures: Record<string, Capture & { state: Exclude<CaptureState, 'off'> }>;
  /** Last result of a trace tool; null for everything else. */
  trace: Trace | null;
  /** Bare name of the file that its console is recorded to; null while it is not. */
  recording: string | null;
  /** Why the last start failed, or why the node is broken; null when it is well. */
  failure: Failure | null;
  /** What was not as the node asks for when it was started, as sentences; absent: all was. */
  warnings?: string[];
  /** Of its configuration when that was last collected; absent: it never was. */
  config_sha256?: string;
  /** It stops, or has stopped, to be started again; absent: it is not to run, or it was asked to. */
  restart?: true;
  /** Why its compute cannot be reached; absent: it can. */
  unreachable?: string;
  /** Where it runs, if not at the server that writes the log: the one that wrote it then. */
  server?: string;
}

export interface LinkRecord extends LinkFields, Stamp {
  state: (typeof CAPTURE_STATES)[CaptureState]['shown'];
  /** Set while capturing, and kept afterwards so that the last file can be found. */
  capture: LinkCapture | null;
  /** Between machines: both ends, in the order of `nodes`. */
  tunnel?: TunnelEnd[];
  /** Both were put; absent: that was not answered. */
  joined?: true;
  /** Why it is not known whether frames go over it, since its compute was away; absent: nothing speaks against it. */
  unproved?: string;
  /** What the weather does to it; absent: nothing. */
  weather?: LinkWeather;
}

export interface DrawingRecord extends DrawingFields, Stamp {}

export interface TemplateRecord extends TemplateFields, Stamp {
  /** Every server has it, and nobody can delete it. */
  builtin: boolean;
}
export interface ComputeRecord extends ComputeFields, Stamp {
  connected: boolean;
  /** What it said when it was last connected; null: it never was. */
  capabilities: ComputeCapabilities | null;
  /** Why it is not connected; null: it is, or was not tried yet. */
  last_error: string | null;
}

/** `created` is the position whose records it has. */
export interface SnapshotRecord extends SnapshotFields, Stamp {}

/** What checks have said of a project since it was started last. Its id is that of the project. */
export interface RunRecord extends Stamp {
  project_id: string;
  /** ISO time and position of its beginning. */
  began: string;
  position: number;
  is_over: boolean;
  /** By check_id. */
  verdicts: Readonly<Record<string, CheckVerdict>>;
  /** When a check was met soonest, in any run: milliseconds since the beginning of that one, and the position. By check_id. */
  earned: Readonly<Record<string, { after_ms: number; position: number }>>;
}

export interface CheckVerdict {
  is_met: boolean;
  /** ISO time of the event. */
  at: string;
  position: number;
  after_ms: number;
  text: string;
  /** How many times it broke in this run. */
  broken: number;
}

/** Whose compute this server is. There is none or one, under this id. */
export interface ClaimRecord extends Claim, Stamp {}
export const CLAIM = 'controller';

/** Every collection of read records, by its name in the store. */
export interface Collections {
  project: ProjectRecord;
  node: NodeRecord;
  link: LinkRecord;
  drawing: DrawingRecord;
  template: TemplateRecord;
  compute: ComputeRecord;
  snapshot: SnapshotRecord;
  run: RunRecord;
  claim: ClaimRecord;
}
export type CollectionName = keyof Collections;
/** Those whose records belong to the server rather than to a project. */
export const SERVER_COLLECTIONS = ['template', 'compute', 'claim'] as const;
export type ServerCollection = (typeof SERVER_COLLECTIONS)[number];
export const serverId = (record: Collections[ServerCollection]): string =>
  'template_id' in record ? record.template_id : 'compute_id' in record ? record.compute_id : CLAIM;
/** Those whose records are inside a project. */
export type InsideCollection = Exclude<CollectionName, 'project' | ServerCollection>;

/** Read access to records. Two of them exist: what is committed (for reads), and that plus what waits for its fsync (for decisions). */
export interface RecordView {
  get<C extends CollectionName>(collection: C, id: string): Collections[C] | undefined;
  /** Every record of a project, in the order of creation; the same list for as long as none of them changes. */
  ofProject<C extends InsideCollection>(collection: C, projectId: string): readonly Collections[C][];
  /** How many records of a project there are. */
  count(collection: InsideCollection, projectId: string): number;
  /** Nodes that hold a console port, of any project. */
  holders(console: number): NodeRecord[];
  /** Nodes of a project with a name. */
  named(projectId: string, name: string): NodeRecord[];
  /** Links of a node, in the order of creation. */
  linksOf(nodeId: string): LinkRecord[];
  projects(): ProjectRecord[];
  /** Of the built-in templates only those that were changed. Earlier moments are of projects: a view of one has none of these. */
  ofServer<C extends ServerCollection>(collection: C): Collections[C][];
}
