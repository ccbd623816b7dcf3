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

import type { CaptureMeta, CaptureState, NodeState, ProjectState } from './states.ts';

/** Records: the present state, folded from events. Events carry final values, so a fold only merges; see fold.ts. */

/** Positions of the events that created the record and changed it last; lists are ordered by `created`. */
export interface Stamp {
  created: number;
  changed: number;
}

/** The running weather of a project. */
export interface WeatherRun {
  seed: number;
  /** Wall clock at its time 0, in milliseconds; null: paused. */
  since: number | null;
  /** Time of the weather at its last event, in milliseconds. */
  at: number;
  /** Time of the weather at its last step; negative: none yet. */
  stepped: number;
  /** Names of active entries. */
  storms: string[];
  /** Nodes that it has stopped and will restart. */
  down: string[];
  /** Nodes that its last step has restarted. */
  up: string[];
  /** Position of its last event. */
  cause: number;
}

export interface ProjectRecord extends ProjectFields, Stamp {
  state: ProjectState;
  /** Absent: no weather is running. */
  weather_run?: WeatherRun;
  /** Position of `project.unattended`; absent while there are listeners, or none are expected. */
  unattended?: number;
  /** Opened with `auto_start`, and not all of its nodes have been started yet; absent otherwise. */
  starting?: true;
  /** Last action for all nodes, with the position of its request, until all nodes have done it; absent otherwise. */
  asked?: { action: 'start' | 'stop' | 'suspend' | 'reload'; position: number };
  /** A restore in progress, until the project is open again; absent otherwise. */
  restore?: {
    snapshot_id: string;
    /** Nodes that were running at the request. */
    running: string[];
    /** Directory with the files to move into place; null before the events of the restore. */
    staged: string | null;
  };
  /** A lab text being applied; absent otherwise. */
  apply?: ApplyEnd & {
    /** Position of the request. */
    position: number;
    /** The lab is as the text says; absent: it is unchanged. */
    isNew?: true;
  };
}

export interface NodeRecord extends NodeFields, Stamp {
  state: NodeState;
  /** Last command line; empty before the first start. */
  command_line: string;
  /** Engine of the running or last run; null before the first start. */
  engine: string | null;
  /** Process of the engine while it runs; null: it has none of its own. */
  pid: number | null;
  /** Start time of that process as reported by its engine; absent without one. */
  pid_started?: string;
  /** NIOs made by the compute group. Key: `<adapter>/<port>`. */
  nios: Record<string, Nio>;
  /** Active captures of the compute group. Key: `<adapter>/<port>`. */
  captures: Record<string, Capture & { state: Exclude<CaptureState, 'off'> }>;
  /** Last result of a trace tool; null for other kinds. */
  trace: Trace | null;
  /** Bare name of the file to which its console is recorded; null: not recording. */
  recording: string | null;
  /** Why the last start failed, or why the node is broken; null when it is well. */
  failure: Failure | null;
  /** Sentences about what differed from its settings at the last start; absent: nothing. */
  warnings?: string[];
  /** Checksum of its configuration when that was last collected; absent: never. */
  config_sha256?: string;
  /** The node is being restarted: it stops, or has stopped, to start again. */
  restart?: true;
  /** Why its compute cannot be reached; absent: reachable. */
  unreachable?: string;
  /** Server that runs the node, if not the writer of the log: an earlier writer. */
  server?: string;
}

export interface LinkRecord extends LinkFields, Stamp {
  state: CaptureMeta['shown'];
  /** Set while capturing; kept afterwards to find the last file. */
  capture: LinkCapture | null;
  /** Ends of a tunnel between machines, in the order of `nodes`. */
  tunnel?: TunnelEnd[];
  /** Both ends of the tunnel are configured; absent: not confirmed. */
  joined?: true;
  /** Why it is not known whether frames pass since its compute was unreachable; absent: no doubt. */
  unproved?: string;
  /** Effect of the weather; absent: none. */
  weather?: LinkWeather;
}

export interface DrawingRecord extends DrawingFields, Stamp {}

export interface TemplateRecord extends TemplateFields, Stamp {
  /** Exists on every server and cannot be deleted. */
  builtin: boolean;
}
export interface ComputeRecord extends ComputeFields, Stamp {
  connected: boolean;
  /** As reported at the last connection; null: never connected. */
  capabilities: ComputeCapabilities | null;
  /** Why it is not connected; null: connected, or not tried yet. */
  last_error: string | null;
}

/** `created` is the position of its records. */
export interface SnapshotRecord extends SnapshotFields, Stamp {}

/** Results of the checks of a project since its last start. Its id is that of the project. */
export interface RunRecord extends Stamp {
  project_id: string;
  /** ISO time and position of its start. */
  began: string;
  position: number;
  is_over: boolean;
  /** Keys are check_ids. */
  verdicts: Readonly<Record<string, CheckVerdict>>;
  /**
   * Earliest success of each check in any run: milliseconds since the start of that run, and position. Keys are
   * check_ids.
   */
  earned: Readonly<Record<string, { after_ms: number; position: number }>>;
}

export interface CheckVerdict {
  is_met: boolean;
  /** ISO time of the event. */
  at: string;
  position: number;
  after_ms: number;
  text: string;
  /** Number of times it broke in this run. */
  broken: number;
}

/** The controller of this server: none or one record, with this id. */
export interface ClaimRecord extends Claim, Stamp {}
export const CLAIM = 'controller';

/** Collections of records by their names in the store. */
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
/** Collections that belong to the server rather than to a project. */
export const SERVER_COLLECTIONS = ['template', 'compute', 'claim'] as const;
export type ServerCollection = (typeof SERVER_COLLECTIONS)[number];
export const serverId = (record: Collections[ServerCollection]): string =>
  'template_id' in record ? record.template_id : 'compute_id' in record ? record.compute_id : CLAIM;
/** Collections inside a project. */
export type InsideCollection = Exclude<CollectionName, 'project' | ServerCollection>;

/**
 * Read access to records. There are two views: the committed records (for reads), and those with staged changes (for
 * decisions).
 */
export interface RecordView {
  get<C extends CollectionName>(collection: C, id: string): Collections[C] | undefined;
  /** Records of a project in the order of creation; returns the same list as long as none of them changes. */
  ofProject<C extends InsideCollection>(collection: C, projectId: string): readonly Collections[C][];
  /** Number of records of a project. */
  count(collection: InsideCollection, projectId: string): number;
  /** Nodes of any project with this console port. */
  holders(console: number): NodeRecord[];
  /** Nodes of a project with a name. */
  named(projectId: string, name: string): NodeRecord[];
  /** Links of a node, in the order of creation. */
  linksOf(nodeId: string): LinkRecord[];
  projects(): ProjectRecord[];
  /** Contains built-in templates only once they were changed. Views of earlier moments have no such records. */
  ofServer<C extends ServerCollection>(collection: C): Collections[C][];
}
