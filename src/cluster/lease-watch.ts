import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { conflict, messageOf, reasonIn, TopologError } from '../common/errors.ts';
import type { Cell, Lease, StandingBy, Writer } from '../events/cell.ts';
import type { CellConfig } from './cell-config.ts';
import type { OpenedLog } from './opened-log.ts';
import { connectErrorMessage, ping } from './ping.ts';
import { ForwardSigner, ForwardVerifier } from './signature.ts';

/** Between two reads of the cell. Milliseconds. */
const REFRESH_MS = 1_000;
/** Longest time that an answer of a server that has ceased to write takes to arrive. Milliseconds. */
const ON_ITS_WAY_MS = 250;

/** Obstacles to writing, with the log line for the end of each; null: none, as another obstacle's line says it. */
const ALL_CLEAR = {
  settings: 'answered writes are safe again under the settings of the database',
  standby: 'the database waits for its standby no more',
  writer: 'the server that writes can be reached again',
  cell: 'the cell can be reached again',
  // `settings` says it.
  turn: null,
};

/** The part of a server in its cell, until it changes: with the lease it writes, without one it stands by. */
export interface CellRole {
  cell: Cell;
  /** null: it stands by. */
  lease: Lease | null;
  config: CellConfig;
  opened: OpenedLog;
  watch: LeaseWatch;
}

/** Whether a server of a cell takes requests that write, for metrics and health. */
interface CellStatus {
  role: 'writer' | 'standby';
  /** Why it neither carries out nor forwards requests that write: a sentence for everybody; null: it does. */
  refuses: string | null;
  cell: {
    epoch: number;
    /** Seconds until this server's lease ends; 0: it has none. */
    lease_seconds: number;
    /** The standbys, with this server if it is one. */
    standbys: readonly { server: string; lag_events: number; lag_seconds: number }[];
  };
}

interface Parts {
  cell: Cell;
  /** Name of this server in the cell. */
  owner: string;
  /** Write also under settings of the database that can lose answered writes. */
  acceptDataLoss: boolean;
  logger: Logger;
}

/** State of the cell as a server knows it, read again and again: the writer with its lease, the standbys, and the problems. */
export class LeaseWatch {
  readonly #cell: Cell;
  /** Name of this server in the cell. */
  readonly owner: string;
  readonly #acceptDataLoss: boolean;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  /** Places that have an answered write, in words, by the last read of the settings. */
  #survived = '';
  readonly #problems = new Map<keyof typeof ALL_CLEAR, string>();
  /** This server's own lease; null: it stands by. */
  lease: Lease | null = null;
  /** Last position that this server knows. */
  position: () => number = () => 0;
  /** Ends this server's turn of writing, for a reason or to hand over; null: it does not write. */
  stepDown: ((reason?: string) => void) | null = null;
  /** The writer by the last read. */
  #writer: Writer | null = null;
  #lastEpoch = 0;
  #standbys: readonly StandingBy[] = [];
  #readAt = performance.now();
  /** Time at which each standby was last seen with all events, by owner. */
  readonly #upToDate = new Map<string, number>();
  #forwarded = unlimitedController();

  constructor({ cell, owner, acceptDataLoss, logger }: Parts) {
    this.#cell = cell;
    this.owner = owner;
    this.#acceptDataLoss = acceptDataLoss;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }

  async refresh(): Promise<void> {
    try {
      const writer = await this.#cell.writer();
      if (writer?.epoch !== this.#writer?.epoch) this.abortForwarded();
      const isKnown = writer?.url === this.#writer?.url && !this.#problems.has('writer');
      this.#writer = writer;
      this.#lastEpoch = writer?.epoch ?? this.#lastEpoch;
      this.#readAt = performance.now();
      if (this.lease !== null) this.#problems.delete('writer');
      else if (writer !== null && writer.url !== '' && !isKnown) void this.#pingWriter(writer);
      this.#standbys = await this.#cell.standbys();
      for (const { owner, position } of this.#standbys)
        if (position >= (writer?.position ?? 0) || !this.#upToDate.has(owner)) this.#upToDate.set(owner, this.#readAt);
      await this.checkSettings();
    } catch (error) {
      // Other errors are reported by the server that needs the lease.
      if (error instanceof TopologError && error.code === 'conflict') this.stepDown?.(error.message);
      else this.#writer = null;
    }
  }

  /** Reads the settings of the database. Throws `conflict` while they can lose answered writes and nobody has accepted that. */
  async checkSettings(): Promise<void> {
    const { losses, words, waits } = await this.#cell.durability();
    if (this.#survived !== '' && words !== this.#survived)
      this.#logger.info(`an answered write is on ${words} from now on`);
    this.#survived = words;
    this.#note('standby', waits);
    const loss = losses.length === 0 ? null : `answered writes can be lost: ${losses.join('; ')}`;
    // A server that does not accept it logs the reason for which it does not write.
    this.#note('settings', loss, this.#acceptDataLoss);
    if (loss !== null && !this.#acceptDataLoss) throw conflict(`${loss}; --accept-data-loss goes on with that`);
  }

  /** Notes the result of an attempt to get the lease. `error`: of a failed attempt; null: it could be made. */
  leaseChecked(error: unknown): void {
    const isRefused = error instanceof TopologError && error.code === 'conflict';
    this.#note('turn', isRefused ? `this server does not write: ${reasonIn(error)}` : null);
    if (isRefused || (error !== null && this.#problems.has('cell'))) return;
    this.#note('cell', error === null ? null : `the cell cannot be reached at the moment: ${reasonIn(error)}`);
  }

  async #pingWriter({ url, epoch }: Writer): Promise<void> {
    const problem = await ping(url).then(() => null, connectErrorMessage);
    if (this.#writer?.epoch === epoch) this.#reached(url, problem);
  }

  #reached(url: string, problem: string | null): void {
    this.#note('writer', problem === null ? null : `the server that writes cannot be reached at ${url}: ${problem}`);
  }

  /** Logs a problem once when it begins, if `isLogged`, and once when it has ended. */
  #note(what: keyof typeof ALL_CLEAR, problem: string | null, isLogged = true): void {
    const before = this.#problems.get(what) ?? null;
    if (problem === before) return;
    if (problem === null) this.#problems.delete(what);
    else this.#problems.set(what, problem);
    const clear = ALL_CLEAR[what];
    if (problem === null && clear !== null) this.#logger.info(clear);
    else if (problem !== null && isLogged) this.#logger.warn(problem);
  }

  /** Known reason for which nobody writes or writes are not answered; null: none. */
  get problem(): string | null {
    const { cell, settings, standby, writer } = Object.fromEntries(this.#problems);
    return (
      (this.#acceptDataLoss ? undefined : settings) ??
      standby ??
      cell ??
      (this.#writer === null ? null : (writer ?? null))
    );
  }

  /** Aborts the requests forwarded to the writer so far, after the time that the answers of a server that hands over need to arrive. */
  abortForwarded(): void {
    const forwarded = this.#forwarded;
    this.#forwarded = unlimitedController();
    // A late timer runs before answers that have come meanwhile are read.
    setTimeout(() => setImmediate(() => forwarded.abort()), ON_ITS_WAY_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#forwarded.abort();
  }

  /** Role and cell of this server, in words. */
  get description(): string {
    const does = this.lease === null ? 'stands by for' : 'writes';
    return `${does} ${this.#cell.place}; an answered write is on ${this.#survived}`;
  }

  /** `cell` of `GET /v2/health`. */
  health(): object {
    const { name, place } = this.#cell;
    const writer = this.#writer;
    return {
      name,
      place,
      survived: this.#survived,
      owner: this.owner,
      behind: this.#behind(this.position()),
      problem: this.problem,
      epoch: this.lease?.epoch ?? writer?.epoch ?? null,
      writer: writer === null ? null : { owner: writer.owner, url: writer.url, lease_ms: Math.round(writer.left) },
      standbys: this.#currentStandbys().map((one) => ({ ...one, behind: this.#behind(one.position) })),
    };
  }

  /** The standbys by the last read, with this server's own position of now. */
  #currentStandbys(): StandingBy[] {
    return this.#standbys.map((one) => (one.owner === this.owner ? { ...one, position: this.position() } : one));
  }

  #behind(position: number): number {
    return Math.max(0, Math.max(this.#writer?.position ?? 0, this.position()) - position);
  }

  /** `refuses`: why this server's own log takes no writes. */
  status(refuses: string | null): CellStatus {
    const { lease } = this;
    const now = performance.now();
    const left = (this.#writer?.left ?? 0) - (now - this.#readAt);
    const unreachable = this.#problems.has('writer')
      ? 'the server that writes cannot be reached from here; GET /v2/health says why'
      : null;
    const standbyRefuses = this.#writer === null ? 'no server of the cell writes at the moment' : unreachable;
    return {
      role: lease === null ? 'standby' : 'writer',
      refuses: lease === null ? standbyRefuses : refuses,
      cell: {
        epoch: lease?.epoch ?? this.#lastEpoch,
        lease_seconds: lease?.holds() === true ? Math.max(0, left) / 1000 : 0,
        standbys: this.#currentStandbys().map(({ owner, position }) => ({
          server: owner,
          lag_events: this.#behind(position),
          lag_seconds: this.#behind(position) === 0 ? 0 : (now - (this.#upToDate.get(owner) ?? now)) / 1000,
        })),
      },
    };
  }

  /** Begins a handover. Throws `conflict` where this server does not write or no standby answers. */
  async handOver(): Promise<void> {
    const { stepDown } = this;
    if (stepDown === null) throw conflict('this server does not write');
    const standbys = await this.#cell.standbys();
    if (standbys.length === 0) throw conflict('no other server of the cell stands by');
    await Promise.any(standbys.map(({ url }) => ping(url))).catch((error: unknown) => {
      const reasons = (error as AggregateError).errors.map(connectErrorMessage).join('; ');
      throw conflict(`no other server of the cell that stands by answers: ${reasons}`);
    });
    // The answer to the request goes out first.
    setImmediate(stepDown);
  }

  /** The writer, to forward requests to it. Throws `no_writer`. */
  async forwardTarget(): Promise<ForwardTarget> {
    const writer = await this.#cell.writer().catch((error: unknown) => {
      throw new TopologError('no_writer', { reason: messageOf(error), retry_after: 1 });
    });
    if (writer !== null && writer.url !== '')
      return {
        ...writer,
        gone: this.#forwarded.signal,
        reached: (problem) => this.#reached(writer.url, problem),
      };
    const reason = this.problem ?? 'another one is just taking over';
    throw new TopologError('no_writer', { reason, retry_after: 1 });
  }
}

/** A controller for any number of listeners: every forwarded request is one. */
const unlimitedController = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

/** The writer of the cell, as a standby forwards requests to it. */
export interface ForwardTarget {
  url: string;
  epoch: number;
  /** Aborted when another server writes. */
  gone: AbortSignal;
  /** To be called with the result of connecting to it; null: connected. */
  reached(problem: string | null): void;
}

/** The cell of a server, for its HTTP interface. */
export interface CellFacade {
  /** Position of the last event that this server knows. */
  position(): number;
  signer: ForwardSigner;
  verifier: ForwardVerifier;
  /** Epoch of this server's lease; null: it stands by. */
  epoch: number | null;
  /** Rejects with `no_writer`. */
  writer(): Promise<ForwardTarget>;
  /** Answer requests for the writer with 307 instead of forwarding them. */
  redirect: boolean;
}

export const cellFacade = ({ lease, config: { key, redirect }, opened, watch }: CellRole): CellFacade => ({
  position: () => opened.log.status().position,
  redirect,
  epoch: lease?.epoch ?? null,
  signer: new ForwardSigner(key),
  verifier: new ForwardVerifier(key, lease?.epoch ?? null),
  writer: () => watch.forwardTarget(),
});
