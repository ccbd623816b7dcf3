import type { Caller } from '../caller.ts';

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

/** How requests are kept. */
export interface RequestCommands {
  /**
   * Carries a request out once: its repetitions within a day are answered as it was, also after a restart. One that was refused
   * may be tried again. Conflict: another request had the key, or the first was cut off in the middle.
   */
  once(caller: Caller, request: KeyedRequest, work: () => Promise<KeyedAnswer>): Promise<KeyedAnswer>;
  /**
   * Does what a request asks. A refusal was decided on what others have just changed as well: it comes once that is on disk, or the log's
   * failure instead of it, which says so when a part of the request is on disk.
   */
  attempt<T>(caller: Caller, work: () => Promise<T> | T): Promise<T>;
  /** Puts a refused write on the record; alike ones are counted. Never throws, never waits. */
  refused(caller: Caller, refusal: Refusal): void;
}
