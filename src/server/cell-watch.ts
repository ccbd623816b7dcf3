import { setMaxListeners } from 'node:events';
import { conflict, messageOf, TopologError } from '../common/errors.ts';
import type { Cell, Lease, StandingBy, Writer } from '../events/cell.ts';
import type { CellSide } from '../http/cell/cell.ts';
import type { Standing } from '../http/metrics/standing.ts';
import type { CellConfig } from './cell-config.ts';
import type { OpenedLog } from './open-log.ts';

/** Between two looks. Milliseconds. */
const LOOK_MS = 1_000;

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
  readonly #survived: string;
  readonly #timer: NodeJS.Timeout;
  /** Of this server; null: it stands by. */
  lease: Lease | null = null;
  /** Last position that this server knows. */
  position: () => number = () => 0;
  /** Ends this server's turn of writing; null: it has none. */
  giveUp: (() => void) | null = null;
  /** As they were when they were last asked for. */
  #writer: Writer | null = null;
  #standbys: readonly StandingBy[] = [];
  #askedAt = performance.now();
  /** When each of those that stand by was last seen with all events. */
  readonly #upToDate = new Map<string, number>();
  #gone = forMany();

  /** `survived`: by an answered write, in words. */
  constructor(cell: Cell, owner: string, survived: string) {
    this.#cell = cell;
    this.owner = owner;
    this.#survived = survived;
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  async look(): Promise<void> {
    try {
      const writer = await this.#cell.writer();
      if (writer?.epoch !== this.#writer?.epoch) this.writerGone();
      this.#writer = writer;
      this.#askedAt = performance.now();
      this.#standbys = await this.#cell.standbys();
      for (const { owner, position } of this.#standbys)
        if (position >= (writer?.position ?? 0) || !this.#upToDate.has(owner)) this.#upToDate.set(owner, this.#askedAt);
    } catch {
      // Whose turn it is finds out, and says so.
      this.#writer = null;
    }
  }

  /** What was forwarded to it and is not answered will not be. */
  writerGone(): void {
    this.#gone.abort();
    this.#gone = forMany();
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
      epoch: this.lease?.epoch ?? writer?.epoch ?? null,
      writer: writer === null ? null : { owner: writer.owner, url: writer.url, lease_ms: Math.round(writer.left) },
      standbys: this.#standbys.map((one) => ({ ...one, behind: this.#behind(one.position) })),
    };
  }

  #behind(position: number): number {
    return Math.max(0, Math.max(this.#writer?.position ?? 0, this.position()) - position);
  }

  /** `refuses`: why this server's own log takes no writes. */
  standing(refuses: string | null): Standing {
    const { lease } = this;
    const now = performance.now();
    const left = (this.#writer?.left ?? 0) - (now - this.#askedAt);
    const alone = this.#writer === null ? 'no server of the cell writes at the moment' : null;
    return {
      role: lease === null ? 'standby' : 'writer',
      refuses: lease === null ? alone : refuses,
      cell: {
        epoch: lease?.epoch ?? this.#writer?.epoch ?? 0,
        lease_seconds: lease?.holds() === true ? Math.max(0, left) / 1000 : 0,
        standbys: this.#standbys.map(({ owner, position }) => ({
          server: owner,
          lag_events: this.#behind(position),
          lag_seconds: this.#behind(position) === 0 ? 0 : (now - (this.#upToDate.get(owner) ?? now)) / 1000,
        })),
      },
    };
  }

  /** Throws `conflict` when this server does not write, or none stands by. */
  async handOver(): Promise<void> {
    const { giveUp } = this;
    if (giveUp === null) throw conflict('this server does not write');
    if ((await this.#cell.standbys()).length === 0) throw conflict('no other server of the cell stands by');
    // The answer goes out first.
    setImmediate(giveUp);
  }

  /** Who writes, to be forwarded to. Throws `no_writer`. */
  async forwarding(): ReturnType<CellSide['writer']> {
    const writer = await this.#cell.writer().catch((error: unknown) => {
      throw new TopologError('no_writer', { reason: messageOf(error), retry_after: 1 });
    });
    if (writer !== null && writer.url !== '') return { ...writer, gone: this.#gone.signal };
    throw new TopologError('no_writer', { reason: 'another one is just taking over', retry_after: 1 });
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
  ...{ key, redirect, epoch: lease?.epoch ?? null },
  writer: () => watch.forwarding(),
});
