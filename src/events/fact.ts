/** The envelope around every fact, as it is stored, hashed, exported and streamed. */

/** Who asked for it. `principal` is a user name, or `anonymous`, or `system` for what the server does by itself. */
export interface Principal {
  principal: string;
  /** Client address, null for the server itself. */
  address: string | null;
  /** User agent, null when none was sent. */
  agent: string | null;
}

export const SYSTEM: Principal = { principal: 'system', address: null, agent: null };

/** What a command hands to the log; the log adds position, version, time and hashes. */
export interface Draft<T extends string = string, D = unknown> {
  /** null: the server's own chain. */
  project_id: string | null;
  /** Dotted, past tense: `node.started`. */
  type: T;
  data: D;
  by: Principal;
  request_id: string | null;
  /** Position of the fact that caused this one; null when a request did. */
  cause: number | null;
}

export interface Fact<T extends string = string, D = unknown> extends Draft<T, D> {
  /** Contiguous over the whole server, from 1. */
  position: number;
  /** Contiguous in the chain (project, or server's own), from 1. */
  version: number;
  /** Schema version of `data`. */
  v: number;
  /** ISO time with milliseconds, UTC. */
  at: string;
  /** Hash of the previous fact of the chain; 64 zeros for the first. */
  prev: string;
  /** SHA-256, hex: see `hashFact`. */
  hash: string;
}
