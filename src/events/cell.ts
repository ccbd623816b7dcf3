import { invalid } from '../common/errors.ts';
import type { Secrets } from '../common/secrets.ts';
import type { OpenStore, Store } from './store/store.ts';

/** One log that several servers share: one of them writes, the others read. */
export interface Cell {
  readonly name: string;
  /** Where it is, in words, without a password. */
  readonly place: string;
  /** What an answered write has survived, as the settings of the database are now. */
  durability(): Promise<Durability>;
  /** The log as it is and grows, to be read: it takes no batch. */
  reading(): Promise<Store>;
  /** The log as it is at one moment; closing it ends the moment. */
  moment(): Promise<Store>;
  /** Hears that the log has grown, or that there is another lease; may hear it twice, or a second late. Answers how to stop. */
  onChange(listener: (what: 'log' | 'lease') => void): () => void;
  /** Who writes; null: nobody has the lease. */
  writer(): Promise<Writer | null>;
  /** Takes the lease; null: another one has it. */
  take(me: Taker): Promise<Lease | null>;
  /** Says that this server stands by, and how far it is; to be said again each second. Gone with its connection or after a few. */
  standsBy(me: StandingBy): Promise<void>;
  /** Who stands by at the moment. */
  standbys(): Promise<StandingBy[]>;
  /** What is kept for all servers of the cell, and for nobody else: encrypted where it lies. */
  readonly secrets: Secrets;
  close(): Promise<void>;
}

/** What a new cell has in it from its beginning, however soon after that its maker ends. */
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
  /** What commits have been waiting for, for a while: a sentence; null: for nothing. */
  waits: string | null;
}

/** Who takes the lease. */
export interface Taker {
  owner: string;
  url: string;
  /** An owner whose lease is taken before its end: what this server was before, which runs no more. */
  before?: string | null;
}

/** Who has the lease. */
export interface Writer {
  owner: string;
  /** Where it is reached by the other servers. */
  url: string;
  epoch: number;
  /** Of the last event of the log. */
  position: number;
  /** Milliseconds until the lease ends, by the database's clock. */
  left: number;
}

/** A server that would take over. */
export interface StandingBy {
  owner: string;
  url: string;
  /** Of the last event that it knows. */
  position: number;
}

/** The right to write, for a while. */
export interface Lease {
  /** More than that of every lease before, and than the last position of the log was. */
  readonly epoch: number;
  /** Aborted when the lease is over, or will be before it can be renewed, not by `release`; the reason is an error with a sentence. */
  readonly lost: AbortSignal;
  /** Whether it still holds, by this machine's monotonic clock. */
  holds(): boolean;
  /** Opens the log to be written. After the lease was lost a batch rejects with `lease_lost`. */
  readonly open: OpenStore;
  /** Says where this server is reached, once it listens. */
  announce(url: string): Promise<void>;
  /** Ends it at once and wakes those who stand by; nothing is written after that. Idempotent. */
  release(): Promise<void>;
}

/** Opens the cell of this name in a database; the scheme of the address says of which kind that is. */
export const openCell = async (options: {
  /** `postgres://user@host,host/database`. */
  log: string;
  name: string;
  /** Null: its secrets are not asked for. */
  key: Buffer | null;
  /** How long a lease is. Milliseconds. */
  leaseMs: number;
  /** Begins a cell where there is none, maybe with this in it; otherwise that is an error. */
  create: boolean | FirstEntry;
  /** Hears what may want attention. */
  report?: (message: string) => void;
}): Promise<Cell> => {
  // A server whose log is in its data directory does without the package.
  if (/^postgres(ql)?:/.test(options.log)) return (await import('./store/postgres/cell.ts')).openPostgres(options);
  throw invalid('the log must be at postgres://…', { field: 'log' });
};
