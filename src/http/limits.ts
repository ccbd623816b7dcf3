import type { LoginLimits } from './access/logins.ts';
import type { RateLimits } from './access/rate-limit.ts';

/** Milliseconds, bytes and counts within which a client must behave. */
export interface HttpLimits extends LoginLimits, RateLimits {
  /** Bytes of the request line and all headers. */
  headerBytes: number;
  /** Until the last header has arrived. */
  headersMs: number;
  /** Until the last byte of the body has arrived. */
  requestMs: number;
  /** Interval at which `headersMs` and `requestMs` are checked. */
  checkMs: number;
  /** An idle connection is kept this long. */
  keepAliveMs: number;
  /** On close, how long running requests may take before their connections are cut. */
  closeGraceMs: number;
  /** Pause between two looks at a growing capture file. */
  captureMs: number;
  /** Bytes waiting for a slow console client before its console is paused. */
  consoleBytes: number;
  /** Largest file of a project, and largest archive, that is taken. */
  fileBytes: number;
  archiveBytes: number;
  imageBytes: number;
  /** Between two pings of a console WebSocket; a client that missed one is cut. */
  pingMs: number;
  /** Listeners of feeds and waiting requests together. */
  listeners: number;
  /** Bytes waiting for a listener before it is sent no more until it has taken them. */
  feedBytes: number;
  /** How long a listener may take for that before it is closed. */
  feedSlowMs: number;
  /** Silence of a feed after which a ping frame is sent; a fifth of it for the compute feed. */
  feedPingMs: number;
  /** Between two readings of the traffic counters of a project with live listeners. */
  liveMs: number;
  /** Most events that are read again for a listener that resumes; beyond them it is told to reload. */
  feedReplay: number;
  /** How long a server of a cell may take to learn of an event that somebody has from another one. */
  behindMs: number;
}

export const LIMITS: HttpLimits = {
  headersMs: 20_000,
  requestMs: 60_000,
  checkMs: 5_000,
  keepAliveMs: 30_000,
  closeGraceMs: 5_000,
  captureMs: 100,
  consoleBytes: 1 << 20,
  fileBytes: 16 * 1024 ** 3,
  archiveBytes: 64 * 1024 ** 3,
  imageBytes: 64 * 1024 ** 3,
  pingMs: 30_000,
  listeners: 500,
  feedBytes: 1 << 20,
  feedSlowMs: 10_000,
  feedPingMs: 5_000,
  liveMs: 1_000,
  feedReplay: 10_000,
  behindMs: 30_000,
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
