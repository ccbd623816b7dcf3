import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Commands, LabTextInput } from '../actors/commands.ts';
import type { LabWriterName } from '../actors/lab-text/interface.ts';
import type { Jobs } from '../actors/runtime/jobs.ts';
import type { CellFacade } from '../cluster/lease-watch.ts';
import type { ComputeClient } from '../computes/client/client.ts';
import type { RemoteCompute } from '../computes/client/remote-compute.ts';
import type { Kind, KindSetting } from '../emulators/kit/contract.ts';
import type { EngineReport } from '../emulators/kit/engines.ts';
import type { Kinds } from '../emulators/registry.ts';
import type { hostInterfaces } from '../emulators/shared/host/interfaces.ts';
import type { createLoad, createStatistics } from '../emulators/shared/host/statistics.ts';
import type { CaptureFiles } from '../fabric/packets/files/capture-files.ts';
import type { PacketReading } from '../fabric/packets/read-packets.ts';
import type { FabricTotals } from '../fabric/protocol.ts';
import type { Appliance } from '../files/appliance/appliance.ts';
import type { ImageFile } from '../files/images.ts';
import type { openProjectFile, readProjectFile } from '../files/project/files.ts';
import type { Recordings } from '../files/recordings.ts';
import type { Symbols } from '../files/symbols/symbols.ts';
import type { Edits } from '../projections/edits.ts';
import type { Changes } from '../projections/past/changes.ts';
import type { Past } from '../projections/past/past.ts';
import type { TimeReader } from '../projections/past/timeline/reader.ts';
import type {
  ComputeRecord,
  DrawingRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  RecordView,
  TemplateRecord,
} from '../projections/records.ts';
import type { Replays } from '../replay/replays.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Why } from '../why/why.ts';
import type { Access } from './access/admission.ts';
import type { Feeds } from './feed/feeds.ts';
import type { LinkTraffic } from './feed/live.ts';
import type { KindNames, Naming } from './kind-names.ts';
import type { HttpLimits } from './limits.ts';
import type { Lookups } from './lookups.ts';
import type { Counts } from './metrics/counts.ts';
import type { KeptAnswers } from './routing/kept-answers.ts';

/** Parts of the server that the facade uses. Everything that opens a file throws `not_found`, or `forbidden` for a name that leads out of its root. */
export interface HttpDeps {
  commands: Commands;
  /** Committed records. */
  records: RecordView;
  kinds: Kinds;
  /** Events, causes, and records as they were. */
  past: Past;
  /** The records as they change. */
  changes: Changes;
  /** Edits of each project, to undo. */
  edits: Edits;
  why: Why;
  sessions: Pick<Sessions, 'sign' | 'export' | 'verify'>;
  timeReader: TimeReader;
  /** Counters of the links of a project; a link without a cable is left out. */
  traffic(projectId: string): Promise<readonly LinkTraffic[]>;
  /** Rejects while there is no fabric. */
  fabricTotals(): Promise<FabricTotals>;
  /** Counters for `/metrics`, of both listeners together. */
  counts: Counts;
  standing(): Standing;
  jobs: Pick<Jobs, 'onProgress'>;
  /** Begins to read a capture. */
  readCapture(): PacketReading;
  captures: Pick<CaptureFiles, 'list' | 'page' | 'packet' | 'conversations' | 'follow' | 'journey' | 'search'>;
  recordings: Pick<Recordings, 'list' | 'open'>;
  /** `defaults`: symbols by theme, then by what they are for. */
  symbols: Pick<Symbols, 'list' | 'read'> & { defaults: Readonly<Record<string, Record<string, string>>> };
  readSetting(setting: KindSetting): Promise<object>;
  files: {
    open: typeof openProjectFile;
    read: typeof readProjectFile;
    /** Every file of a project's content with its MD5 sum. */
    list(project: { project_id: string; path: string }): Promise<{ path: string; md5sum: string }[]>;
  };
  labs: LabTexts;
  images: {
    /** Throws `not_found` for a kind that has none. */
    list(kind: Kind): Promise<ImageFile[]>;
    open(kind: Kind, name: string): Promise<Readable>;
  };
  /** Throws `invalid_request`, which names the field. */
  appliances: { read(content: unknown): Promise<Appliance> };
  host: Host;
  computes: RemoteComputes;
  control: ServerControl;
  replays: Pick<Replays, 'start' | 'list' | 'get' | 'cancel'>;
  /** The page that is served at `/`; `files` are relative to `root`, without compressed variants. */
  page?: { root: string; files: readonly string[] };
  /** Files of a web client that is served in its place. */
  pages?: { open(name: string): Promise<{ stream: Readable; type: string }> };
  /** Every engine of every kind, first choice first, and whether it can run here. */
  engines(): Promise<EngineReport[]>;
  /** Absent: this server has its log for itself. */
  cell?: CellFacade;
  /** Body of `/v2/health`. */
  health(): object;
  version: string;
  /** Whether this is the local server: only that one loads project files. */
  local: boolean;
  computeId: 'local';
  /** Address that records name for consoles; default 127.0.0.1. */
  consoleHost?: string;
  names?: Naming;
  /** Version that is told with the names gns3; default: TOOLS_VERSION. */
  toldVersion?: string;
  /** Default: everybody who reaches the server by a name of this machine. */
  access?: Access;
  /** Bytes. */
  bodyLimit?: number;
  limits?: Partial<HttpLimits>;
  /** Gets the cause of every 500. */
  logger: Logger;
}

/** Labs as texts. */
interface LabTexts {
  show(projectId: string, format: LabWriterName): Promise<string>;
  /** A text in the server's own format, with what the lab has instead of what it says. */
  update(projectId: string, input: Pick<LabTextInput, 'text' | 'files'>): Promise<string>;
  /** JSON Schema of the server's own format. */
  schema(): Readonly<Record<string, unknown>>;
}

/** The machine that this server runs on. */
interface Host {
  statistics: ReturnType<typeof createStatistics>;
  /** At once: feeds have it in each ping. */
  load: ReturnType<typeof createLoad>;
  interfaces: typeof hostInterfaces;
  consoleRange: readonly [number, number];
  udpRange: readonly [number, number];
}

/** A compute that is not this server. */
export interface RemoteComputeView extends Pick<RemoteCompute, 'load' | 'problem' | 'clockAhead' | 'engines'> {
  /** Throws `compute_unreachable`. */
  readonly client: ComputeClient;
}

/** The computes that are not this server. */
export interface RemoteComputes {
  /** This server runs nodes with this compute_id itself. */
  isHere(computeId: string): boolean;
  find(computeId: string): { compute: RemoteComputeView } | undefined;
}

/** The server as a whole. */
interface ServerControl {
  /** Lets another server of the cell write; resolves when it is this one no more. Throws `conflict` when none stands by. */
  handOver(): Promise<void>;
  /** Opens what is to be open and is not. */
  reload(): Promise<void>;
  /** Ends the server once this answer has gone out. `by`: who asked, as the beginning of a sentence. */
  shutdown(by: string): void;
  /** Puts a text for those who look for a fault into the data directory. */
  writeDebug(text: string): Promise<void>;
}

/** Part of a server in its cell; one with a log of its own is its writer. */
export interface Standing {
  role: 'writer' | 'standby';
  /** Why it takes no requests that write, neither to carry them out nor to pass them on: a sentence for everybody; null: it does. */
  refuses: string | null;
  /** Absent: the log is this server's own. */
  cell?: {
    epoch: number;
    /** How long this server may still write; 0: it has no lease. */
    lease_seconds: number;
    /** Every server that stands by, this one among them if it does. */
    standbys: readonly { server: string; lag_events: number; lag_seconds: number }[];
  };
}

/** Parts of the server that listens. */
export interface ServerParts {
  bodyLimit: number;
  limits: HttpLimits;
  /** Aborted when the server begins to close. */
  closing: AbortSignal;
  /** Where this server listens, for the record of its compute. */
  address(): { host: string; port: number };
}

/** Context that every route is made with. */
export interface Api extends Omit<HttpDeps, keyof ServerParts>, ServerParts {
  kindNames: KindNames;
  /** The version that clients are told. */
  shownVersion: string;
  /** Answers have the names of GNS3 (`names`): its clients rely on its behaviour as well, where the specification leaves a choice. */
  gns3Compat: boolean;
  find: Lookups;
  json: RecordJson;
  /** To requests of a controller. */
  answers: KeptAnswers;
  feeds: Feeds;
}

/** Records as JSON text. */
export interface RecordJson {
  project: (record: ProjectRecord) => string;
  node: (record: NodeRecord) => string;
  link: (record: LinkRecord) => string;
  drawing: (record: DrawingRecord) => string;
  template: (record: TemplateRecord) => string;
  /** Without its load, which no record has. */
  compute: (record: ComputeRecord) => string;
  computeNode: (kind: Kind, record: NodeRecord) => string;
}
