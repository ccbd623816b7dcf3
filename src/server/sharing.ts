import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { messageOf, reasonIn } from '../common/errors.ts';
import { withResolvers } from '../common/promises.ts';
import type { Cell, Lease } from '../events/cell.ts';
import { type HeldDirectory, holdDirectory } from '../events/store/directory-lock.ts';
import type { CellConfig } from './cell-config.ts';
import { CellWatch, type Share } from './cell-watch.ts';
import type { Config } from './config.ts';
import { followLog } from './follow-log.ts';
import type { Doors } from './listening.ts';
import { openWritable } from './open-log.ts';
import { atSameAddresses, recoveredIn, ReplacedServer, type RunningServer } from './running.ts';

/** Milliseconds after which a server that stands by says so again, and looks whether the writer is still there. */
const LOOK_MS = 1_000;
/** Longest wait of a server that has handed over for another one to write. Milliseconds. */
const HANDED_OVER_MS = 10_000;
/** Between two tries of what fails at the moment. Milliseconds. */
const AGAIN_MS = 500;
/** Between two looks whether another server writes. Milliseconds. */
const TAKEN_MS = 20;

interface Sharing {
  cell: Cell;
  config: Config & { cell: CellConfig };
  logger: Logger;
  doors: Doors;
  start: (config: Config, share: Share) => Promise<RunningServer>;
}

/** The server as its cell has it: it writes while it has the lease, and stands by while another one has it. */
export const shareCell = async ({ cell, config, logger, doors, start }: Sharing): Promise<RunningServer> => {
  const { advertise, acceptDataLoss } = config.cell;
  const owner = `${hostname()} ${randomUUID().slice(0, 8)}`;
  const watch = new CellWatch({ cell, owner, acceptDataLoss, logger });
  const holding = async (): Promise<HeldDirectory> => {
    await watch.checkSettings();
    return holdDirectory(path.join(config.dataDir, 'cell'), owner);
  };
  const held = await holding().catch((error: unknown) => {
    watch.close();
    throw error;
  });
  const open = async (lease: Lease | null): Promise<Share> => {
    const opened = await (lease === null
      ? followLog(cell, config.filesDir, logger)
      : openWritable(lease.open, config, logger, false));
    return { cell, lease, config: config.cell, opened, watch };
  };
  const begin = async (place: Config, share: Share): Promise<RunningServer> => {
    const server = await start(place, share);
    try {
      await share.lease?.announce(advertise ?? server.url);
    } catch (error) {
      server.depose(reasonIn(error));
      await server.close('its lease is over');
      throw error;
    }
    return server;
  };
  let lease: Lease | null = null;
  const beginFirst = async (): Promise<RunningServer> => {
    // What had this directory before has ended, so that nothing of it needs the rest of its lease.
    lease = await cell.take({ owner, url: '', before: held.before });
    try {
      return await begin(config, await open(lease));
    } catch (error) {
      if (lease === null || lease.holds()) throw error;
      logger.error(`this server cannot write: ${messageOf(error)}`);
      lease = null;
      return begin(config, await open(null));
    }
  };
  const first = await beginFirst().catch(async (error: unknown) => {
    watch.close();
    await lease?.release();
    await held.release();
    throw error;
  });
  const again = atSameAddresses(config, first);
  const goesOn = config.keepRunning;
  return new Shared(first, lease, {
    ...{ cell, held, watch, logger, doors, open, goesOn, url: advertise ?? first.url },
    begin: (share) => begin(again, share),
  });
};

interface Turns {
  cell: Cell;
  held: HeldDirectory;
  watch: CellWatch;
  logger: Logger;
  doors: Doors;
  open: (lease: Lease | null) => Promise<Share>;
  begin: (share: Share) => Promise<RunningServer>;
  /** Where the others reach this server. */
  url: string;
  /** What runs is not ended with the server. */
  goesOn: boolean;
}

/** How a turn of writing ends; `why`: it is given up, and others need not try. */
type End = 'lost' | 'handed over' | 'closed' | { why: string };

/** Writes and stands by in turns. */
class Shared extends ReplacedServer {
  readonly #turns: Turns;
  readonly #closing = new AbortController();
  readonly #living: Promise<void>;
  #lease: Lease | null;
  #wakeUp = (): void => undefined;
  #isWoken = false;

  constructor(first: RunningServer, lease: Lease | null, turns: Turns) {
    super(first);
    this.#turns = turns;
    this.#lease = lease;
    turns.watch.position = () => this.position();
    this.#show();
    this.#living = this.#live();
  }

  override get cell(): string {
    return this.#turns.watch.words;
  }

  #show(): void {
    this.#turns.watch.lease = this.#lease;
    void this.#turns.watch.look();
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
      const reason = reasonIn(lease.lost.reason);
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
    if (typeof end === 'object') {
      logger.error(`this server writes no more and stands by: ${end.why}`);
      await this.#retire(lease, end.why, true);
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
    const { watch } = this.#turns;
    const { promise, resolve } = withResolvers<End>();
    if (lease.lost.aborted) resolve('lost');
    lease.lost.addEventListener('abort', () => resolve('lost'), { once: true });
    this.#closing.signal.addEventListener('abort', () => resolve('closed'), { once: true });
    watch.giveUp = (why) => resolve(why === undefined ? 'handed over' : { why });
    return promise.finally(() => (watch.giveUp = null));
  }

  /** Another server takes the place of the current one: with the lease, or without. Tries until it is there. */
  async #change(): Promise<void> {
    const { open, begin, watch, logger } = this.#turns;
    let problem = '';
    for (; !this.#closing.signal.aborted; await this.#pause(AGAIN_MS)) {
      try {
        // The current one answers reads meanwhile.
        const share = await open(this.#lease);
        watch.writerGone();
        await this.current.close(this.#lease === null ? 'it stands by' : 'it writes now', true);
        this.replaceBy(await begin(share));
        this.#show();
        const recovered = recoveredIn(this);
        if (this.#lease !== null) logger.info('this server writes now');
        if (this.#lease !== null && recovered !== null) logger.info(recovered);
        if (this.#lease === null && problem !== '') logger.info('this server stands by again');
        return;
      } catch (error) {
        const now = `this server cannot ${this.#lease === null ? 'stand by' : 'write'}: ${messageOf(error)}`;
        if (now !== problem) logger.error(now);
        problem = now;
        await this.#lease?.release().catch(() => undefined);
        this.#lease = null;
      }
    }
  }

  /** Waits for the lease, and takes it; null: this server is closed. */
  async #nextLease(): Promise<Lease | null> {
    const { cell, watch } = this.#turns;
    const stop = cell.onChange((what) => {
      if (what === 'lease') this.#wake();
    });
    try {
      while (!this.#closing.signal.aborted) {
        const found = await this.#look().then(
          (answer) => (watch.looked(null), answer),
          (error: unknown) => (watch.looked(error), AGAIN_MS),
        );
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
    const { cell, held, url, watch, logger } = this.#turns;
    const { owner } = watch;
    const known = this.position();
    const writer = await cell.writer();
    const { before } = held;
    if (writer === null || writer.owner === before) {
      await watch.checkSettings();
      return (await cell.take({ owner, url: '', before })) ?? AGAIN_MS;
    }
    if (writer.position < known) {
      // After a failover to a database that lacked them, which the settings of the first one are to exclude.
      logger.error(`the database has lost events ${writer.position + 1} to ${known}, and this server reads again`);
      await this.#change();
    }
    await cell.standsBy({ owner, url, position: this.position() });
    return writer.left;
  }

  /** Shorter when it is woken, also when that was just before. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = withResolvers();
    const timer = setTimeout(resolve, this.#isWoken || this.#closing.signal.aborted ? 0 : ms);
    this.#wakeUp = () => resolve();
    await promise;
    clearTimeout(timer);
    this.#isWoken = false;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  async #untilTaken(): Promise<void> {
    const { cell, watch, logger } = this.#turns;
    const until = performance.now() + HANDED_OVER_MS;
    const isFree = async (): Promise<boolean> => (await cell.writer().catch(() => null)) === null;
    while (!this.#closing.signal.aborted && (await isFree())) {
      await this.#pause(TAKEN_MS);
      if (performance.now() < until) continue;
      const why = watch.problem ?? 'the logs of those that stand by say why';
      logger.warn(`no other server has taken over within ${HANDED_OVER_MS / 1000} s: ${why}`);
      return;
    }
  }

  async close(reason: string): Promise<boolean> {
    const { cell, held, watch, doors, goesOn } = this.#turns;
    this.#closing.abort();
    this.#wake();
    await this.#living;
    watch.close();
    if (this.#lease !== null) await this.#retire(this.#lease, reason, goesOn);
    else await this.current.retire(reason, goesOn || this.current.isLeftBehind());
    const isWhole = await this.current.close(reason);
    doors.leave(false);
    await cell.close().catch(() => undefined);
    await held.release();
    return isWhole;
  }
}
