/** The envelope around every event, as it is stored, hashed, exported and streamed. */

/** The requester. `principal` is a user name, or `anonymous`, or `system` for what the server does by itself. */
export interface Principal {
  principal: string;
  /** Client address, null for the server itself. */
  address: string | null;
  /** User agent, null when none was sent. */
  agent: string | null;
}

export const SYSTEM: Principal = { principal: 'system', address: null, agent: null };

/** An event as a command hands it to the log, which adds position, version, time and hashes. */
export interface Draft<T extends string = string, D = unknown> {
  /** null: the server's own stream. */
  project_id: string | null;
  /** Dotted, past tense: `node.started`. */
  type: T;
  data: D;
  by: Principal;
  request_id: string | null;
  /** Position of the event that caused this one; null when a request did. */
  cause: number | null;
}

export interface LogEvent<T extends string = string, D = unknown> extends Draft<T, D> {
  /** Contiguous over the whole server, from 1. */
  position: number;
  /** Contiguous in the stream (project, or server's own), from 1. */
  version: number;
  /** Schema version of `data`. */
  v: number;
  /** ISO time with milliseconds, UTC. */
  at: string;
  /** Hash of the previous event of the stream; 64 zeros for the first. */
  prev: string;
  /** SHA-256, hex: see `eventHash`. */
  hash: string;
}

/** Last event of a stream. */
export interface Head {
  version: number;
  position: number;
  hash: string;
}
