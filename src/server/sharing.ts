import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { conflict, messageOf, TopologError } from '../common/errors.ts';
import { withResolvers } from '../common/with-resolvers.ts';
import type { Cell, Durability, Lease, StandingBy, Writer } from '../events/cell.ts';
import type { CellSide } from '../http/cell/cell.ts';
import type { Standing } from '../http/metrics/standing.ts';
import type { CellConfig } from './cell-config.ts';
import type { Config } from './config.ts';
import { followLog } from './follow-log.ts';
import { type OpenedLog, openWritable } from './open-log.ts';
import { atSameAddresses, ReplacedServer, type RunningServer } from './running.ts';

/** Milliseconds after which a server that stands by says so again, and looks whether the writer is still there. */
const LOOK_MS = 1_000;
/** Longest wait of a server that has handed over for another one to write. Milliseconds. */
const HANDED_OVER_MS = 10_000;
/** Between two tries of what fails at the moment. Milliseconds. */
const AGAIN_MS = 500;

/** A server's part in its cell, for one turn: it writes with the lease, or stands by. */
export interface Share {
  cell: Cell;
  /** null: it stands by. */
  lease: Lease | null;
  config: CellConfig;
  opened: OpenedLog;
  handOver: () => Promise<void>;
  /** For `/v2/health`. */
  health: () => object;
  /** `refuses`: why this server's own log takes no writes. */
  standing: (refuses: string | null) => Standing;
  /** Aborted when another server writes than now. */
  gone: () => AbortSignal;
}

/** What the facade knows of it. */
export const facadeOf = ({ cell, lease, config, opened, gone }: Share): CellSide => ({
  position: () => opened.log.status().position,
  key: config.key,
  epoch: lease?.epoch ?? null,
  redirect: config.redirect,
  async writer() {
    const writer = await cell.writer().catch((error: unknown) => {
      throw new TopologError('no_writer', { reason: messageOf(error), retry_after: 1 });
    });
    if (writer !== null && writer.url !== '') return { ...writer, gone: gone() };
    throw new TopologError('no_writer', { reason: 'another one is just taking over', retry_after: 1 });
  },
});

interface Sharing {
  cell: Cell;
  config: Config & { cell: CellConfig };
  logger: Logger;
  start: (config: Config, share: Share) => Promise<RunningServer>;
}

/** The server as its cell has it: it writes while it has the lease, and stands by while another one has it. */
export const shareCell = async ({ cell, config, logger, start }: Sharing): Promise<RunningServer> => {
  const { words } = await checkDurability(cell, config.cell, logger);
  const starting = (): never => {
    throw conflict('this server is just being started');
  };
  let shared: Pick<Shared, 'handOver' | 'health' | 'standing' | 'gone'> = {
    standing: (refuses) => ({ role: 'standby', refuses }),
    gone: new AbortController().signal,
    handOver: () => Promise.resolve().then(starting),
    health: () => ({}),
  };
  const owner = `${hostname()} ${randomUUID().slice(0, 8)}`;
  const open = async (lease: Lease | null): Promise<Share> => {
    const opening =
      lease === null ? followLog(cell, config.filesDir, logger) : openWritable(lease.open, config.filesDir, logger);
    const rest = {
      handOver: () => shared.handOver(),
      health: () => shared.health(),
      standing: (refuses: string | null) => shared.standing(refuses),
      gone: () => shared.gone,
    };
    return { cell, lease, config: config.cell, opened: await opening, ...rest };
  };
  const begin = async (place: Config, share: Share): Promise<RunningServer> => {
    const server = await start(place, share);
    try {
      await share.lease?.announce(config.cell.advertise ?? server.url);
    } catch (error) {
      // Its place is taken by one that stands by.
      server.depose(messageOf(error));
      await server.close('its lease is over');
      throw error;
    }
    return server;
  };
  const lease = await cell.take({ owner, url: '' });
  const first = await begin(config, await open(lease));
  const again = atSameAddresses(config, first);
  const goesOn = config.keepRunning;
  const turns = {
    ...{ cell, owner, logger, open, goesOn, survived: words },
    begin: (share: Share) => begin(again, share),
  };
  const made = new Shared(first, lease, turns);
  shared = made;
  return made;
};

const checkDurability = async (cell: Cell, { acceptDataLoss }: CellConfig, logger: Logger): Promise<Durability> => {
  const durability = await cell.durability();
  const { losses } = durability;
  if (losses.length > 0 && !acceptDataLoss)
    throw conflict(`answered writes can be lost: ${losses.join('; ')}; --accept-data-loss goes on with that`);
  for (const loss of losses) logger.warn(`answered writes can be lost: ${loss}`);
  return durability;
};

interface Turns {
  cell: Cell;
  owner: string;
  logger: Logger;
  open: (lease: Lease | null) => Promise<Share>;
  begin: (share: Share) => Promise<RunningServer>;
  /** What runs is not ended with the server. */
  goesOn: boolean;
  /** By an answered write: disks, in words. */
  survived: string;
}

/** How a turn of writing ends. */
type End = 'lost' | 'handed over' | 'closed';

class Shared extends ReplacedServer {
  readonly #turns: Turns;
  readonly #closing = new AbortController();
  readonly #living: Promise<void>;
  #lease: Lease | null;
  /** Ends the turn; null: this server does not write. */
  #giveUp: (() => void) | null = null;
  #wakeUp = (): void => undefined;
  #isWoken = false;
  /** As they were when they were last asked for. */
  #writer: Writer | null = null;
  #standbys: readonly StandingBy[] = [];
  #askedAt = performance.now();
  /** When each of those that stand by was last seen with all events. */
  readonly #upToDate = new Map<string, number>();
  #gone = new AbortController();
  readonly #asking: NodeJS.Timeout;

  constructor(first: RunningServer, lease: Lease | null, turns: Turns) {
    super(first);
    this.#turns = turns;
    this.#lease = lease;
    this.#living = this.#live();
    this.#asking = setInterval(() => void this.#ask(), LOOK_MS).unref();
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const { cell } = this.#turns;
    try {
      const writer = await cell.writer();
      if (writer?.epoch !== this.#writer?.epoch) this.#writerGone();
      this.#writer = writer;
      this.#askedAt = performance.now();
      this.#standbys = await cell.standbys();
      for (const { owner, position } of this.#standbys)
        if (position >= (writer?.position ?? 0) || !this.#upToDate.has(owner)) this.#upToDate.set(owner, this.#askedAt);
    } catch {
      // Whose turn it is finds out, and says so.
      this.#writer = null;
    }
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** What was forwarded to it and is not answered will not be. */
  #writerGone(): void {
    this.#gone.abort();
    this.#gone = new AbortController();
    setMaxListeners(0, this.#gone.signal);
  }

  override get cell(): string {
    const { cell, survived } = this.#turns;
    const role = this.#lease === null ? 'stands by for' : 'writes';
    return `${role} ${cell.place}; an answered write is on ${survived}`;
  }

  health(): object {
    const { cell, owner, survived } = this.#turns;
    const position = this.position();
    const behind = (known: number): number => Math.max(0, (this.#writer?.position ?? position) - known);
    const writer = this.#writer;
    return {
      ...{ name: cell.name, place: cell.place, survived, owner, behind: behind(position) },
      epoch: this.#lease?.epoch ?? writer?.epoch ?? null,
      writer: writer === null ? null : { owner: writer.owner, url: writer.url, lease_ms: Math.round(writer.left) },
      standbys: this.#standbys.map((one) => ({ ...one, behind: behind(one.position) })),
    };
  }

  async #live(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      if (this.#lease === null) this.#lease = await this.#nextLease();
      else if ((await this.#turn(this.#lease)) === 'closed') return;
      else this.#lease = null;
      if (!this.#closing.signal.aborted) await this.#change();
    }
  }

  /** One turn of writing, up to its end. */
  async #turn(lease: Lease): Promise<End> {
    const { logger } = this.#turns;
    const end = await this.#endOf(lease);
    if (end === 'lost') {
      const reason = messageOf(lease.lost.reason);
      logger.error(`this server writes no more and stands by: ${reason}`);
      this.current.depose(reason);
      // Others need not wait for its end; where the database is away they have to.
      void lease.release().catch(() => undefined);
    }
    if (end === 'handed over') {
      logger.info('this server hands over and stands by');
      await this.#retire(lease, 'handed over', true);
      await this.#untilTaken();
    }
    return end;
  }

  /** From here on another server may write. */
  async #retire(lease: Lease, reason: string, goesOn: boolean): Promise<void> {
    try {
      await this.current.retire(reason, goesOn);
    } catch (error) {
      this.#turns.logger.error(`the last event of this server is not in the log: ${messageOf(error)}`);
      this.current.depose(reason);
    }
    await lease.release().catch(() => undefined);
  }

  #endOf(lease: Lease): Promise<End> {
    const { promise, resolve } = withResolvers<End>();
    if (lease.lost.aborted) resolve('lost');
    lease.lost.addEventListener('abort', () => resolve('lost'), { once: true });
    this.#closing.signal.addEventListener('abort', () => resolve('closed'), { once: true });
    this.#giveUp = () => resolve('handed over');
    return promise.finally(() => (this.#giveUp = null));
  }

  /** Another server takes the place of the current one: with the lease, or without. Tries until it is there. */
  async #change(): Promise<void> {
    const { open, begin, logger } = this.#turns;
    for (; !this.#closing.signal.aborted; await this.#pause(AGAIN_MS)) {
      try {
        // The current one answers reads meanwhile.
        const share = await open(this.#lease);
        this.#writerGone();
        await this.current.close(this.#lease === null ? 'it stands by' : 'it writes now');
        this.replaceBy(await begin(share));
        void this.#ask();
        if (this.#lease !== null) logger.info('this server writes now');
        return;
      } catch (error) {
        const done = this.#lease === null ? 'stand by' : 'write';
        logger.error(`this server cannot ${done} at the moment: ${messageOf(error)}`);
        await this.#lease?.release().catch(() => undefined);
        this.#lease = null;
      }
    }
  }

  /** Waits for the lease, and takes it; null: this server is closed. */
  async #nextLease(): Promise<Lease | null> {
    const stop = this.#turns.cell.onChange((what) => {
      if (what === 'lease') this.#wake();
    });
    let problem: string | null = null;
    try {
      while (!this.#closing.signal.aborted) {
        const found = await this.#look().catch((error: unknown) => {
          if (problem === null)
            this.#turns.logger.warn(`the cell cannot be reached at the moment: ${messageOf(error)}`);
          problem = messageOf(error);
          return AGAIN_MS;
        });
        if (typeof found !== 'number') return found;
        await this.#pause(Math.min(found, LOOK_MS));
      }
      return null;
    } finally {
      stop();
    }
  }

  /** The lease; or for how long another one has it, in milliseconds. */
  async #look(): Promise<Lease | number> {
    const { cell, owner } = this.#turns;
    const writer = await cell.writer();
    if (writer === null) return (await cell.take({ owner, url: '' })) ?? AGAIN_MS;
    await cell.standsBy({ owner, url: this.url, position: this.position() });
    return writer.left;
  }

  /** Shorter when it is woken, also when that was just before. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = withResolvers<void>();
    const timer = setTimeout(resolve, this.#isWoken || this.#closing.signal.aborted ? 0 : ms);
    this.#wakeUp = resolve;
    await promise;
    clearTimeout(timer);
    this.#isWoken = false;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  async #untilTaken(): Promise<void> {
    const until = performance.now() + HANDED_OVER_MS;
    const isFree = async (): Promise<boolean> => (await this.#turns.cell.writer().catch(() => null)) === null;
    while (performance.now() < until && !this.#closing.signal.aborted && (await isFree())) await this.#pause(20);
  }

  standing(refuses: string | null): Standing {
    const now = performance.now();
    const lease = this.#lease;
    const writer = this.#writer;
    const head = Math.max(writer?.position ?? 0, this.position());
    const left = (writer?.left ?? 0) - (now - this.#askedAt);
    return {
      role: lease === null ? 'standby' : 'writer',
      refuses: lease !== null ? refuses : writer === null ? 'no server of the cell writes at the moment' : null,
      cell: {
        epoch: lease?.epoch ?? writer?.epoch ?? 0,
        lease_seconds: lease?.holds() === true ? Math.max(0, left) / 1000 : 0,
        standbys: this.#standbys.map(({ owner, position }) => ({
          server: owner,
          lag_events: Math.max(0, head - position),
          lag_seconds: position >= head ? 0 : (now - (this.#upToDate.get(owner) ?? now)) / 1000,
        })),
      },
    };
  }

  async handOver(): Promise<void> {
    const giveUp = this.#giveUp;
    if (giveUp === null) throw conflict('this server does not write');
    if ((await this.#turns.cell.standbys()).length === 0) throw conflict('no other server of the cell stands by');
    // The answer goes out first.
    setImmediate(giveUp);
  }

  async close(reason: string): Promise<boolean> {
    clearInterval(this.#asking);
    this.#closing.abort();
    this.#wake();
    await this.#living;
    if (this.#lease !== null) await this.#retire(this.#lease, reason, this.#turns.goesOn);
    const isWhole = await this.current.close(reason);
    await this.#turns.cell.close().catch(() => undefined);
    return isWhole;
  }
}
