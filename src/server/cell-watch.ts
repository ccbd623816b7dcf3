import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { conflict, messageOf, reasonIn, TopologError } from '../common/errors.ts';
import type { Cell, Lease, StandingBy, Writer } from '../events/cell.ts';
import type { CellSide } from '../http/cell/cell.ts';
import { SignedAskers, Signer } from '../http/cell/signature.ts';
import { askThere, whyNotThere } from '../http/cell/there.ts';
import type { Standing } from '../http/api.ts';
import type { CellConfig } from './cell-config.ts';
import type { OpenedLog } from './open-log.ts';

/** Between two looks. Milliseconds. */
const LOOK_MS = 1_000;
/** Longest that an answer of a server that writes no more is on its way. Milliseconds. */
const ON_ITS_WAY_MS = 250;

/** What may keep a cell from writing, and what is said when it does so no more. */
const ALL_CLEAR = {
  settings: 'answered writes are safe again under the settings of the database',
  standby: 'the database waits for its standby no more',
  writer: 'the server that writes can be reached again',
  cell: 'the cell can be reached again',
  // The settings say that.
  turn: null,
};

interface Parts {
  cell: Cell;
  /** This server among the others. */
  owner: string;
  /** Settings of the database under which answered writes can be lost are taken. */
  acceptDataLoss: boolean;
  logger: Logger;
}

/** As many requests as are forwarded hear of it. */
const forMany = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

/** What a server knows of its cell: who writes, who stands by, and what it is itself. */
export class CellWatch {
  readonly #cell: Cell;
  /** This server among the others. */
  readonly owner: string;
  readonly #acceptDataLoss: boolean;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  /** What an answered write has survived, in words, as it was read last. */
  #survived = '';
  readonly #problems = new Map<keyof typeof ALL_CLEAR, string>();
  /** Of this server; null: it stands by. */
  lease: Lease | null = null;
  /** Last position that this server knows. */
  position: () => number = () => 0;
  /** Ends this server's turn of writing, for a reason or to hand over; null: it has none. */
  giveUp: ((reason?: string) => void) | null = null;
  /** As they were when they were last asked for. */
  #writer: Writer | null = null;
  #lastEpoch = 0;
  #standbys: readonly StandingBy[] = [];
  #askedAt = performance.now();
  /** When each of those that stand by was last seen with all events. */
  readonly #upToDate = new Map<string, number>();
  #gone = forMany();

  constructor({ cell, owner, acceptDataLoss, logger }: Parts) {
    this.#cell = cell;
    this.owner = owner;
    this.#acceptDataLoss = acceptDataLoss;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  async look(): Promise<void> {
    try {
      const writer = await this.#cell.writer();
      if (writer?.epoch !== this.#writer?.epoch) this.writerGone();
      const isKnown = writer?.url === this.#writer?.url && !this.#problems.has('writer');
      this.#writer = writer;
      this.#lastEpoch = writer?.epoch ?? this.#lastEpoch;
      this.#askedAt = performance.now();
      if (this.lease !== null) this.#problems.delete('writer');
      else if (writer !== null && writer.url !== '' && !isKnown) void this.#askWriter(writer);
      this.#standbys = await this.#cell.standbys();
      for (const { owner, position } of this.#standbys)
        if (position >= (writer?.position ?? 0) || !this.#upToDate.has(owner)) this.#upToDate.set(owner, this.#askedAt);
      await this.checkSettings();
    } catch (error) {
      // Whose turn it is finds out, and says so.
      if (error instanceof TopologError && error.code === 'conflict') this.giveUp?.(error.message);
      else this.#writer = null;
    }
  }

  /** Reads the settings of the database. Throws `conflict` while answered writes can be lost under them and nobody has accepted that. */
  async checkSettings(): Promise<void> {
    const { losses, words, waits } = await this.#cell.durability();
    if (this.#survived !== '' && words !== this.#survived)
      this.#logger.info(`an answered write is on ${words} from now on`);
    this.#survived = words;
    this.#note('standby', waits);
    const loss = losses.length === 0 ? null : `answered writes can be lost: ${losses.join('; ')}`;
    // A server that does not accept it says so where it does not write then.
    this.#note('settings', loss, this.#acceptDataLoss);
    if (loss !== null && !this.#acceptDataLoss) throw conflict(`${loss}; --accept-data-loss goes on with that`);
  }

  /** Why this server could not look whether it may write; null: it could. */
  looked(error: unknown): void {
    const isRefused = error instanceof TopologError && error.code === 'conflict';
    this.#note('turn', isRefused ? `this server does not write: ${reasonIn(error)}` : null);
    if (isRefused || (error !== null && this.#problems.has('cell'))) return;
    this.#note('cell', error === null ? null : `the cell cannot be reached at the moment: ${reasonIn(error)}`);
  }

  async #askWriter({ url, epoch }: Writer): Promise<void> {
    const problem = await askThere(url).then(() => null, whyNotThere);
    if (this.#writer?.epoch === epoch) this.#reached(url, problem);
  }

  #reached(url: string, problem: string | null): void {
    this.#note('writer', problem === null ? null : `the server that writes cannot be reached at ${url}: ${problem}`);
  }

  /** Tells it once, and when it is over. */
  #note(what: keyof typeof ALL_CLEAR, problem: string | null, isTold = true): void {
    const before = this.#problems.get(what) ?? null;
    if (problem === before) return;
    if (problem === null) this.#problems.delete(what);
    else this.#problems.set(what, problem);
    const clear = ALL_CLEAR[what];
    if (problem === null && clear !== null) this.#logger.info(clear);
    else if (problem !== null && isTold) this.#logger.warn(problem);
  }

  /** Why nobody writes, or nothing is answered, where that is known. */
  get problem(): string | null {
    const { cell, settings, standby, writer } = Object.fromEntries(this.#problems);
    return (
      (this.#acceptDataLoss ? undefined : settings) ??
      standby ??
      cell ??
      (this.#writer === null ? null : (writer ?? null))
    );
  }

  /** What was forwarded to it and is not answered will not be, unless the answer is on its way: that of a server that hands over is. */
  writerGone(): void {
    const gone = this.#gone;
    this.#gone = forMany();
    // A late timer runs before answers that have come meanwhile are read.
    setTimeout(() => setImmediate(() => gone.abort()), ON_ITS_WAY_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#gone.abort();
  }

  /** What this server does in which cell. */
  get words(): string {
    const does = this.lease === null ? 'stands by for' : 'writes';
    return `${does} ${this.#cell.place}; an answered write is on ${this.#survived}`;
  }

  /** For `/v2/health`. */
  health(): object {
    const { name, place } = this.#cell;
    const writer = this.#writer;
    return {
      ...{ name, place, survived: this.#survived, owner: this.owner, behind: this.#behind(this.position()) },
      problem: this.problem,
      epoch: this.lease?.epoch ?? writer?.epoch ?? null,
      writer: writer === null ? null : { owner: writer.owner, url: writer.url, lease_ms: Math.round(writer.left) },
      standbys: this.#standbysNow().map((one) => ({ ...one, behind: this.#behind(one.position) })),
    };
  }

  /** What this server knows of itself is newer than what it has said. */
  #standbysNow(): StandingBy[] {
    return this.#standbys.map((one) => (one.owner === this.owner ? { ...one, position: this.position() } : one));
  }

  #behind(position: number): number {
    return Math.max(0, Math.max(this.#writer?.position ?? 0, this.position()) - position);
  }

  /** `refuses`: why this server's own log takes no writes. */
  standing(refuses: string | null): Standing {
    const { lease } = this;
    const now = performance.now();
    const left = (this.#writer?.left ?? 0) - (now - this.#askedAt);
    const cut = this.#problems.has('writer')
      ? 'the server that writes cannot be reached from here; GET /v2/health says why'
      : null;
    const alone = this.#writer === null ? 'no server of the cell writes at the moment' : cut;
    return {
      role: lease === null ? 'standby' : 'writer',
      refuses: lease === null ? alone : refuses,
      cell: {
        epoch: lease?.epoch ?? this.#lastEpoch,
        lease_seconds: lease?.holds() === true ? Math.max(0, left) / 1000 : 0,
        standbys: this.#standbysNow().map(({ owner, position }) => ({
          server: owner,
          lag_events: this.#behind(position),
          lag_seconds: this.#behind(position) === 0 ? 0 : (now - (this.#upToDate.get(owner) ?? now)) / 1000,
        })),
      },
    };
  }

  /** Throws `conflict` when this server does not write, or none that stands by answers. */
  async handOver(): Promise<void> {
    const { giveUp } = this;
    if (giveUp === null) throw conflict('this server does not write');
    const standbys = await this.#cell.standbys();
    if (standbys.length === 0) throw conflict('no other server of the cell stands by');
    await Promise.any(standbys.map(({ url }) => askThere(url))).catch((error: unknown) => {
      const reasons = (error as AggregateError).errors.map(whyNotThere).join('; ');
      throw conflict(`no other server of the cell that stands by answers: ${reasons}`);
    });
    // The answer goes out first.
    setImmediate(giveUp);
  }

  /** Who writes, to be forwarded to. Throws `no_writer`. */
  async forwarding(): ReturnType<CellSide['writer']> {
    const writer = await this.#cell.writer().catch((error: unknown) => {
      throw new TopologError('no_writer', { reason: messageOf(error), retry_after: 1 });
    });
    if (writer !== null && writer.url !== '')
      return { ...writer, gone: this.#gone.signal, reached: (problem) => this.#reached(writer.url, problem) };
    const reason = this.problem ?? 'another one is just taking over';
    throw new TopologError('no_writer', { reason, retry_after: 1 });
  }
}

/** A server's part in its cell, for one turn: it writes with the lease, or stands by. */
export interface Share {
  cell: Cell;
  /** null: it stands by. */
  lease: Lease | null;
  config: CellConfig;
  opened: OpenedLog;
  watch: CellWatch;
}

/** What the facade knows of it. */
export const facadeOf = ({ lease, config: { key, redirect }, opened, watch }: Share): CellSide => ({
  position: () => opened.log.status().position,
  ...{ redirect, epoch: lease?.epoch ?? null },
  ...{ signer: new Signer(key), askers: new SignedAskers(key, lease?.epoch ?? null) },
  writer: () => watch.forwarding(),
});
