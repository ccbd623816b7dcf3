import type { Readable } from 'node:stream';
import type { Commands } from '../actors/commands.ts';
import type { EngineReport, Kind } from '../actors/kinds.ts';
import type { Past } from '../projections/past.ts';
import type { RecordView } from '../projections/records.ts';
import type { Access } from './access/admission.ts';
import type { LoginLimits } from './access/logins.ts';
import type { TrafficLimits } from './access/traffic.ts';

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

/** Proofs of the log. */
export interface Proofs {
  /** A project's session file, whole when the promise resolves. */
  export(projectId: string, options: { from?: number; to?: number; redact?: 'console' }): Promise<Readable>;
  /** What is wrong with the log; null: with all of it. */
  verify(projectId: string | null): Promise<object>;
}

/** Recordings that are performed again. What they answer is JSON. */
export interface Replaying {
  /** Resolves once it is under way. `user`: who asks; null: nobody in particular. */
  start(
    projectId: string,
    request: {
      speed?: number;
      as_fast?: boolean;
      engine?: 'auto' | 'simulated';
      from?: number;
      to?: number;
      keep?: boolean;
    },
    user: string | null,
  ): Promise<object>;
  list(projectId: string): object[];
  get(projectId: string, replayId: string): object;
  cancel(projectId: string, replayId: string): Promise<void>;
}

/** Milliseconds, bytes and counts within which a client must behave. */
export interface HttpLimits extends LoginLimits, TrafficLimits {
  /** Bytes of the request line and all headers. */
  headerBytes: number;
  /** Until the last header has arrived. */
  headersMs: number;
  /** Until the last byte of the body has arrived. */
  requestMs: number;
  /** How often the two above are looked at. */
  checkMs: number;
  /** An idle connection is kept this long. */
  keepAliveMs: number;
  /** On close, how long running requests may take before their connections are cut. */
  closeGraceMs: number;
  /** Pause between two looks at a growing capture file. */
  captureMs: number;
  /** Bytes waiting for a slow console client before its console is paused. */
  consoleBytes: number;
  /** Between two pings of a console WebSocket; a client that missed one is cut. */
  pingMs: number;
}

export const LIMITS: HttpLimits = {
  headersMs: 20_000,
  requestMs: 60_000,
  checkMs: 5_000,
  keepAliveMs: 30_000,
  closeGraceMs: 5_000,
  captureMs: 100,
  consoleBytes: 1 << 20,
  pingMs: 30_000,
  headerBytes: 16 << 10,
  connections: 8_000,
  connectionsPerAddress: 2_000,
  requestsPerAddress: 1_000,
  attempts: 10,
  attemptMs: 60_000,
  loginMs: 60_000,
};

/** 1 MiB: no record of the interface comes near it. */
export const BODY_LIMIT = 1 << 20;

/** Which names of kinds the answers carry; both are always accepted. */
export type Naming = 'neutral' | 'gns3';

export interface HttpDeps {
  commands: Commands;
  /** Committed records. */
  records: RecordView;
  kinds: Kinds;
  /** Facts, causes, and records as they were. */
  past: Past;
  sessions: Proofs;
  recordings: RecordingFiles;
  replays: Replaying;
  /** Every engine of every kind, first choice first, and whether it can run here. */
  engines(): Promise<EngineReport[]>;
  /** Body of `/v2/health`. */
  health(): object;
  version: string;
  /** Whether this is the local server: only that one loads project files. */
  local: boolean;
  computeId: 'local';
  /** Address that records name for consoles; default 127.0.0.1. */
  consoleHost?: string;
  names?: Naming;
  /** Default: everybody who reaches the server by a name of this machine. */
  access?: Access;
  /** Bytes. */
  bodyLimit?: number;
  limits?: Partial<HttpLimits>;
  /** Gets the cause of every 500; default: standard error. */
  logDefect?(error: unknown, context: { request_id: string; route: string }): void;
}
