import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Commands, LabTextInput } from '../actors/commands.ts';
import type { EngineReport, Kind, KindSetting } from '../actors/kinds.ts';
import type { Jobs } from '../actors/runtime/jobs.ts';
import type { Edits } from '../projections/edits.ts';
import type { Changes } from '../projections/past/changes.ts';
import type { Past } from '../projections/past/past.ts';
import type { TimeReader } from '../projections/past/timeline/reader.ts';
import type { RecordView } from '../projections/records.ts';
import type { Access } from './access/admission.ts';
import type { CellSide } from './cell/cell.ts';
import type { HttpLimits } from './limits.ts';
import type { Counts } from './metrics/counts.ts';
import type { FabricTotals, Standing } from './metrics/standing.ts';
import type { PacketFiles } from './v2/captures/files.ts';
import type { appliance } from './v2/catalogue/schema.ts';
import type { image, networkInterface, statistics } from './v2/computes/schema.ts';
import type { replayCreate } from './v2/events/replay-schema.ts';
import type { whyAnswer } from './v2/events/why-schema.ts';

/** The kinds of the registry, by neutral token or by the name existing tools use. */
export interface Kinds {
  all(): readonly Kind[];
  get(nameOrAlias: string): Kind | undefined;
}

/** Files of recorded consoles. */
export interface RecordingFiles {
  /** Oldest first. `seconds`: from the beginning to the last event. */
  list(
    projectPath: string,
    nodeId: string,
  ): Promise<{ name: string; bytes: number; started_at: string; seconds: number }[]>;
  /** What a recording has up to now; throws `not_found`. */
  open(projectPath: string, nodeId: string, name: string): Promise<Readable>;
}

/** Pictures of nodes. */
export interface SymbolFiles {
  list(): Promise<{ symbol_id: string; filename: string; theme: string; builtin: boolean }[]>;
  /** Never fails for a name: an unknown one is the computer. `type`: media type. Pixels. */
  read(id: string): Promise<{ bytes: Uint8Array; type: string; width: number; height: number }>;
  /** Theme to what a symbol is needed for to symbol. */
  defaults: Readonly<Record<string, Record<string, string>>>;
}

/** Files of projects and of their nodes. Names have slashes; none leads out of its root. */
export interface ProjectFiles {
  /** Throws `not_found`, or `forbidden` for a name that leads out. */
  open(root: string, name: string): Promise<Readable>;
  /** The same with its ETag, where the file is not too large for one. `ifMissing`: then it is empty, and no fault. */
  read(
    root: string,
    name: string,
    ifMissing?: 'empty',
  ): Promise<{ bytes: Buffer; etag: string } | { stream: Readable }>;
  /** Every file of a project's content with its MD5 sum. */
  list(project: { project_id: string; path: string }): Promise<{ path: string; md5sum: string }[]>;
}

/** Labs as texts. */
export interface LabTexts {
  /** Of a project that is there. `format`: as the interface names it. */
  show(projectId: string, format: LabTextInput['format']): Promise<string>;
  /** A text in the server's own format, with what the lab has instead of what it says. */
  update(projectId: string, input: { text: string; files: Readonly<Record<string, string>> }): Promise<string>;
  /** JSON Schema of the server's own format. */
  schema(): Readonly<Record<string, unknown>>;
}

/** Images of kinds. */
export interface ImageFiles {
  /** Of a kind that has some, with MD5 sums. */
  list(kind: Kind): Promise<z.output<typeof image>[]>;
  /** Throws `not_found`, or `forbidden` for a name that leads out. */
  open(kind: Kind, name: string): Promise<Readable>;
}

/** Appliance files, read: which versions they have, and which of their images are there. */
export interface ApplianceFiles {
  /** Throws `invalid_request`, which names the field. Kinds have their neutral tokens. */
  read(content: unknown): Promise<z.output<typeof appliance>>;
}

/** Octets and whole percents; the load of 1, 5 and 15 minutes, of all processors. */
export type Statistics = z.output<typeof statistics>;
export type Load = Pick<Statistics, 'cpu_usage_percent' | 'memory_usage_percent'>;

/** The machine that this server runs on. */
export interface Host {
  statistics(): Promise<Statistics>;
  /** At once: what feeds tell with each ping. */
  load(): Load;
  interfaces(): Promise<z.output<typeof networkInterface>[]>;
  consoleRange: readonly [number, number];
  udpRange: readonly [number, number];
}

/** A compute that is not this server, as it is now. */
export interface FarCompute {
  /** Where it is reached, and where its consoles are. */
  readonly target: { name: string; protocol: 'http' | 'https'; host: string; port: number };
  /** As its last ping told; null: it is away. */
  readonly load: Load | null;
  /** Why it cannot be used now; null: it can. */
  readonly problem: string | null;
  /** Seconds by which its clock is ahead of this machine's; null: it is not known. */
  readonly clockAhead: number | null;
  /** Of every kind; null: it does not say, as a GNS3 server. */
  readonly engines:
    | readonly {
        node_type: string;
        engine: string;
        available: boolean;
        version: string | null;
        missing: { needs: string; install: string } | null;
      }[]
    | null;
  /** Throws `compute_unreachable`. */
  readonly client: FarClient;
}

/** Requests to a compute; paths begin below `/v2/compute`. */
export interface FarClient {
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    call?: { body?: unknown; signal?: AbortSignal },
  ): Promise<unknown>;
  download(path: string, signal?: AbortSignal): Promise<Readable>;
  upload(path: string, content: Readable, signal?: AbortSignal): Promise<void>;
}

/** The computes that are not this server. */
export interface FarComputes {
  /** This server runs nodes with this compute_id itself. */
  isHere(computeId: string): boolean;
  find(computeId: string): { compute: FarCompute } | undefined;
}

/** The server as a whole. */
export interface ServerControl {
  /** Lets another server of the cell write; resolves when it is this one no more. Throws `conflict` when none stands by. */
  handOver(): Promise<void>;
  /** Opens what is to be open and is not. */
  reload(): Promise<void>;
  /** Ends the server once this answer has gone out. `by`: who asked, as the beginning of a sentence. */
  shutdown(by: string): void;
  /** Puts a text for those who look for a fault into the data directory. */
  writeDebug(text: string): Promise<void>;
}

/** Gets how far a check is; aborted, it ends. */
export interface ProofOptions {
  onProgress?: (checked: { part: 'events' | 'indexes'; done: number; of: number }) => void;
  signal?: AbortSignal;
}

/** Proofs of the log. */
export interface Proofs {
  /** By the key of session files. */
  sign(text: string): Promise<{ public_key: string; signature: string }>;
  /** A project's session file, whole when the promise resolves. */
  export(projectId: string, options: { from?: number; to?: number; redact?: 'console' }): Promise<Readable>;
  /** What is wrong with the log; null: with all of it. `files`: and with the files whose content it knows. */
  verify(projectId: string | null, files: boolean, options?: ProofOptions): Promise<object>;
}

/** Recordings that are performed again. What they answer is JSON. */
export interface Replaying {
  /** Resolves once it is under way. `user`: who asks; null: nobody in particular. */
  start(projectId: string, request: z.output<typeof replayCreate>, user: string | null): Promise<object>;
  list(projectId: string): object[];
  get(projectId: string, replayId: string): object;
  cancel(projectId: string, replayId: string): Promise<void>;
}

/** Why one node does not reach another. */
export type AskWhy = (
  projectId: string,
  query: { from: string; to: string; at?: string; size?: number },
) => Promise<z.output<typeof whyAnswer>>;

/** What has passed one direction of a link since it was made: frames that arrived, their octets, frames that did not arrive. */
interface DirectionTraffic {
  frames: number;
  bytes: number;
  dropped: number;
  /** Frames that wait for their delay at the moment. */
  delayed: number;
  /** Frames by what happened to them; absent: a fabric of an older server does not say. */
  reasons?: Readonly<Record<string, number>>;
}

/** From the link's first end to its second, and back. */
export interface LinkTraffic {
  link_id: string;
  directions: readonly [DirectionTraffic, DirectionTraffic];
}

/** A capture file that is read as it comes. */
export interface CaptureReading {
  /** Records that are whole now. Throws for what is no capture. */
  push(piece: Uint8Array): { number: number; time: number; length: number; bytes: Uint8Array }[];
  /** One of them in a line: `number` from 1 on, `time` in seconds since 1970, `length` in octets. */
  describe(frame: { number: number; time: number; length: number; bytes: Uint8Array }): {
    number: number;
    time: number;
    source: string;
    destination: string;
    protocol: string;
    length: number;
    summary: string;
  };
}

/** Which names of kinds the answers carry; both are always accepted. */
export type Naming = 'neutral' | 'gns3';

export interface HttpDeps {
  commands: Commands;
  /** Committed records. */
  records: RecordView;
  kinds: Kinds;
  /** Events, causes, and records as they were. */
  past: Past;
  /** The records as they change. */
  changes: Changes;
  /** What people have changed of each project. */
  edits: Edits;
  why: AskWhy;
  sessions: Proofs;
  timeReader: TimeReader;
  /** Counters of the links of a project; a link without a cable is left out. */
  traffic(projectId: string): Promise<readonly LinkTraffic[]>;
  /** Rejects while there is no fabric. */
  fabricTotals(): Promise<FabricTotals>;
  /** What is counted for `/metrics`, by both listeners together. */
  counts: Counts;
  standing(): Standing;
  /** What takes long at the moment. */
  jobs: Pick<Jobs, 'onProgress'>;
  /** Begins to read a capture. */
  readCapture(): CaptureReading;
  captures: PacketFiles;
  recordings: RecordingFiles;
  symbols: SymbolFiles;
  readSetting(setting: KindSetting): Promise<object>;
  files: ProjectFiles;
  labs: LabTexts;
  images: ImageFiles;
  appliances: ApplianceFiles;
  host: Host;
  computes: FarComputes;
  control: ServerControl;
  replays: Replaying;
  /** The page that is served at `/`; `files` are relative to `root`, without compressed variants. Absent: there is none. */
  page?: { root: string; files: readonly string[] };
  /** Files of a web client in its place. Absent: there is none. */
  pages?: { open(name: string): Promise<{ stream: Readable; type: string }> };
  /** Every engine of every kind, first choice first, and whether it can run here. */
  engines(): Promise<EngineReport[]>;
  /** Absent: this server has its log for itself. */
  cell?: CellSide;
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
