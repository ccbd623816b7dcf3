import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { messageOf, reasonIn } from '../common/errors.ts';
import { withResolvers } from '../common/promises.ts';
import type { Cell, Lease } from '../events/cell.ts';
import { type DirectoryLock, lockDirectory } from '../events/store/directory-lock.ts';
import type { Directories } from '../files/project/data-directory.ts';
import type { CellConfig } from './cell-config.ts';
import type { ListenerHandoff } from './handoff.ts';
import { type CellRole, LeaseWatch } from './lease-watch.ts';
import { followLog, openWritable } from './opened-log.ts';
import { type ListenerPorts, portsOf, recoveredIn, ReplacedServer, type RunningServer } from './running-server.ts';

/** Between two announcements of a standby, and two checks of the lease. Milliseconds. */
const STANDBY_MS = 1_000;
/** Longest wait for another writer after a handover. Milliseconds. */
const HANDED_OVER_MS = 10_000;
/** Before a failed step is tried again. Milliseconds. */
const RETRY_MS = 500;
/** Between two checks for another writer after a handover. Milliseconds. */
const TAKEN_MS = 20;

interface Joining {
  cell: Cell;
  config: Directories & { cell: CellConfig; keepRunning: boolean };
  logger: Logger;
  handoff: ListenerHandoff;
  /** Starts a server of this process. `ports`: those of the one before; null: it is the first. */
  start: (role: CellRole, ports: ListenerPorts | null) => Promise<RunningServer>;
}

/** Starts a server of a cell: it writes while it has the lease, and stands by while another server has it. */
export const joinCell = async ({ cell, config, logger, handoff, start }: Joining): Promise<RunningServer> => {
  const { advertise, acceptDataLoss } = config.cell;
  const owner = `${hostname()} ${randomUUID().slice(0, 8)}`;
  const watch = new LeaseWatch({ cell, owner, acceptDataLoss, logger });
  const held = await holdCellDirectory(watch, config.dataDir).catch((error: unknown) => {
    watch.close();
    throw error;
  });
  const open = async (lease: Lease | null): Promise<CellRole> => {
    const opened = await (lease === null
      ? followLog(cell, config.filesDir, logger)
      : openWritable(lease.open, config, logger, false));
    return { cell, lease, config: config.cell, opened, watch };
  };
  const begin = async (role: CellRole, ports: ListenerPorts | null): Promise<RunningServer> => {
    const server = await start(role, ports);
    try {
      await role.lease?.announce(advertise ?? server.url);
    } catch (error) {
      server.fence(reasonIn(error));
      await server.close('its lease is over');
      throw error;
    }
    return server;
  };
  let lease: Lease | null = null;
  const beginFirst = async (): Promise<RunningServer> => {
    // The server that had this directory before has ended, so its lease can be taken before its end.
    lease = await cell.take({ owner, url: '', before: held.before });
    try {
      return await begin(await open(lease), null);
    } catch (error) {
      if (lease === null || lease.holds()) throw error;
      logger.error(`this server cannot write: ${messageOf(error)}`);
      lease = null;
      return begin(await open(null), null);
    }
  };
  const first = await beginFirst().catch(async (error: unknown) => {
    watch.close();
    await lease?.release();
    await held.release();
    throw error;
  });
  const ports = portsOf(first);
  return new FailoverServer(first, lease, {
    cell,
    held,
    watch,
    logger,
    handoff,
    open,
    begin: (role) => begin(role, ports),
    url: advertise ?? first.url,
    keepRunning: config.keepRunning,
  });
};

const holdCellDirectory = async (watch: LeaseWatch, dataDir: string): Promise<DirectoryLock> => {
  await watch.checkSettings();
  return lockDirectory(path.join(dataDir, 'cell'), watch.owner);
};

interface FailoverParts {
  cell: Cell;
  held: DirectoryLock;
  watch: LeaseWatch;
  logger: Logger;
  handoff: ListenerHandoff;
  /** Opens the log for a role: to be written with a lease, to be followed without one. */
  open: (lease: Lease | null) => Promise<CellRole>;
  begin: (role: CellRole) => Promise<RunningServer>;
  /** URL by which the other servers reach this one. */
  url: string;
  /** Running nodes outlive the server. */
  keepRunning: boolean;
}

/** The end of a turn of writing. `reason`: for which this server steps down without another one that is to take over. */
type TurnEnd = 'lost' | 'handed over' | 'closed' | { reason: string };

/** A server of a cell, which is writer and standby in turns. */
class FailoverServer extends ReplacedServer {
  readonly #parts: FailoverParts;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #lease: Lease | null;
  #wakeUp = (): void => undefined;
  #isWoken = false;

  constructor(first: RunningServer, lease: Lease | null, parts: FailoverParts) {
    super(first);
    this.#parts = parts;
    this.#lease = lease;
    parts.watch.position = () => this.position();
    this.#updateWatch();
    this.#running = this.#run();
  }

  override get cell(): string {
    return this.#parts.watch.description;
  }

  #updateWatch(): void {
    this.#parts.watch.lease = this.#lease;
    void this.#parts.watch.refresh();
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      if (this.#lease === null) this.#lease = await this.#standBy();
      else if ((await this.#write(this.#lease)) === 'closed') return;
      else this.#lease = null;
      if (!this.#closing.signal.aborted) await this.#switchRole();
    }
  }

  /** Writes until the turn ends, and then fences this server off or lets it step down. */
  async #write(lease: Lease): Promise<TurnEnd> {
    const { logger } = this.#parts;
    const end = await this.#endOfTurn(lease);
    if (end === 'lost') {
      const reason = reasonIn(lease.lost.reason);
      logger.error(`this server writes no more and stands by: ${reason}`);
      this.current.fence(reason);
      // A released lease is free at once; while the database is away the others have to wait for its end.
      void lease.release().catch(() => undefined);
    }
    if (end === 'handed over') {
      logger.info('this server hands over and stands by');
      await this.#stepDown(lease, 'handed over', true);
      await this.#waitForWriter();
    }
    if (typeof end === 'object') {
      logger.error(`this server writes no more and stands by: ${end.reason}`);
      await this.#stepDown(lease, end.reason, true);
    }
    return end;
  }

  /** Ends this server's writing and releases the lease: another server may write from here on. */
  async #stepDown(lease: Lease, reason: string, keepRunning: boolean): Promise<void> {
    try {
      await this.current.stepDown(reason, keepRunning);
    } catch (error) {
      this.#parts.logger.error(`the last event of this server is not in the log: ${messageOf(error)}`);
      this.current.fence(reason);
    }
    await lease.release().catch(() => undefined);
  }

  #endOfTurn(lease: Lease): Promise<TurnEnd> {
    const { watch } = this.#parts;
    const { promise, resolve } = withResolvers<TurnEnd>();
    if (lease.lost.aborted) resolve('lost');
    lease.lost.addEventListener('abort', () => resolve('lost'), { once: true });
    this.#closing.signal.addEventListener('abort', () => resolve('closed'), { once: true });
    watch.stepDown = (reason) => resolve(reason === undefined ? 'handed over' : { reason });
    return promise.finally(() => (watch.stepDown = null));
  }

  /** Replaces the current server by one with the new role. Retries until that succeeds; where it fails with a lease, as a standby. */
  async #switchRole(): Promise<void> {
    const { open, begin, watch, logger } = this.#parts;
    let problem = '';
    for (; !this.#closing.signal.aborted; await this.#pause(RETRY_MS)) {
      try {
        // The current server answers reads while the log is opened.
        const role = await open(this.#lease);
        watch.abortForwarded();
        await this.current.close(this.#lease === null ? 'it stands by' : 'it writes now', true);
        this.replaceBy(await begin(role));
        this.#updateWatch();
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

  /** Stands by until this server gets the lease; null: it was closed. */
  async #standBy(): Promise<Lease | null> {
    const { cell, watch } = this.#parts;
    const stop = cell.onChange((what) => {
      if (what === 'lease') this.#wake();
    });
    try {
      while (!this.#closing.signal.aborted) {
        const result = await this.#tryToTakeLease().then(
          (answer) => (watch.leaseChecked(null), answer),
          (error: unknown) => (watch.leaseChecked(error), RETRY_MS),
        );
        if (typeof result !== 'number') return result;
        await this.#pause(Math.min(result, STANDBY_MS));
      }
      return null;
    } finally {
      stop();
    }
  }

  /** The lease; or the milliseconds for which another server still has it, after this one has announced itself as a standby. */
  async #tryToTakeLease(): Promise<Lease | number> {
    const { cell, held, url, watch, logger } = this.#parts;
    const { owner } = watch;
    const known = this.position();
    const writer = await cell.writer();
    const { before } = held;
    if (writer === null || writer.owner === before) {
      await watch.checkSettings();
      return (await cell.take({ owner, url: '', before })) ?? RETRY_MS;
    }
    if (writer.position < known) {
      // The database itself has failed over to a copy without these events, which its settings are to exclude.
      logger.error(`the database has lost events ${writer.position + 1} to ${known}, and this server reads again`);
      await this.#switchRole();
    }
    await cell.standsBy({ owner, url, position: this.position() });
    return writer.left;
  }

  /** Pauses, until the next wake-up at most; not at all if there was one since the last pause. */
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

  /** Waits for another server to write, after a handover. */
  async #waitForWriter(): Promise<void> {
    const { cell, watch, logger } = this.#parts;
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
    const { cell, held, watch, handoff, keepRunning } = this.#parts;
    this.#closing.abort();
    this.#wake();
    await this.#running;
    watch.close();
    if (this.#lease !== null) await this.#stepDown(this.#lease, reason, keepRunning);
    else await this.current.stepDown(reason, keepRunning || this.current.hasOrphanedNodes());
    const isWhole = await this.current.close(reason);
    handoff.release(false);
    await cell.close().catch(() => undefined);
    await held.release();
    return isWhole;
  }
}
