import type { Subscribe } from '../common/emitter.ts';
import type { Secrets } from '../common/secrets.ts';
import type { OpenStore, Store } from './store/store.ts';

/** One log that several servers share: one of them writes it, the others read. */
export interface Cell {
  readonly name: string;
  /** Address for people, without a password. */
  readonly place: string;
  /** How many disks have a write that was answered, by the present settings of the database. */
  durability(): Promise<Durability>;
  /** The log as it grows, read-only: `batch` rejects. */
  reading(): Promise<Store>;
  /** The log as it is at one moment, read-only; closing the store ends the moment. */
  moment(): Promise<Store>;
  /** Calls back when the log has grown or the lease has changed; a change may be reported twice, or a second late. */
  onChange: Subscribe<['log' | 'lease']>;
  /** Holder of the lease; null: nobody has it. */
  writer(): Promise<Writer | null>;
  /** Takes the lease; null: another server has it. */
  take(me: Taker): Promise<Lease | null>;
  /**
   * Registers this server as a standby, with the position that it has read up to. To be repeated each second; expires
   * with the connection, or after a few seconds.
   */
  standsBy(me: StandingBy): Promise<void>;
  /** Servers registered as standbys. */
  standbys(): Promise<StandingBy[]>;
  /** Secrets that all servers of the cell share; stored encrypted. */
  readonly secrets: Secrets;
  close(): Promise<void>;
}

/** A record that is written together with a new cell, so that a crash right afterwards leaves no cell without it. */
export interface FirstEntry {
  key: string;
  value: string;
}

export interface Durability {
  /** Disks that have an answered write, at least. 0: it may be on none. */
  disks: number;
  /** e.g. `the database's disk and 1 other`. */
  words: string;
  /** Settings under which an answered write can be lost: a sentence each. */
  losses: string[];
  /** Sentence about what commits have been blocked by for a while; null: nothing. */
  waits: string | null;
}

/** A server that takes the lease. */
export interface Taker {
  owner: string;
  url: string;
  /** Owner whose lease may be taken before its end: the name of this server in an earlier run that has ended. */
  before?: string | null;
}

/** The holder of the lease. */
export interface Writer {
  owner: string;
  /** Address at which the other servers reach it. */
  url: string;
  epoch: number;
  /** Position of the last event of the log. */
  position: number;
  /** Milliseconds until the lease ends, by the database's clock. */
  left: number;
}

/** A server that is ready to take over. */
export interface StandingBy {
  owner: string;
  url: string;
  /** Position of the last event that it has read. */
  position: number;
}

/** The right to write for a limited time. */
export interface Lease {
  /** Greater than the epoch of every lease before, and than the last position of the log. */
  readonly epoch: number;
  /**
   * Aborted when the lease is over, or will be before it can be renewed, but not by `release`; the reason is an error
   * with a sentence.
   */
  readonly lost: AbortSignal;
  /** Whether the lease still holds, by the monotonic clock of this machine. */
  holds(): boolean;
  /** Opens the log for writing. After the lease is lost, `batch` rejects with `lease_lost`. */
  readonly open: OpenStore;
  /** Publishes the address of this server, once it listens. */
  announce(url: string): Promise<void>;
  /** Ends the lease at once and wakes the standbys; nothing is written afterwards. Idempotent. */
  release(): Promise<void>;
}
