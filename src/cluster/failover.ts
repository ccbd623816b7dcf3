import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Actor, createActor, fromCallback, fromPromise, waitFor } from 'xstate';
import { messageOf, reasonIn } from '../common/errors.ts';
import { until } from '../common/promises.ts';
import type { Cell, Lease } from '../events/cell.ts';
import { type DirectoryLock, lockDirectory } from '../events/store/directory-lock.ts';
import type { Directories } from '../files/project/data-directory.ts';
import type { CellConfig } from './cell-config.ts';
import type { ListenerHandoff } from './handoff.ts';
import { type CellRole, LeaseWatch } from './lease-watch.ts';
import { followLog, openWritable } from './opened-log.ts';
import { type ListenerPorts, portsOf, recoveredIn, ReplacedServer, type RunningServer } from './running-server.ts';
import {
  HANDED_OVER_MS,
  type LeaseAttempt,
  RETRY_MS,
  type ServerEvent,
  serverMachine,
  type ServerRole,
} from './server-machine.ts';

/** Between two announcements of a standby, and two checks of the lease. Milliseconds. */
const STANDBY_MS = 1_000;
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

/** A server of a cell, which is leader and standby in turns. */
class FailoverServer extends ReplacedServer {
  readonly #parts: FailoverParts;
  readonly #actor: Actor<typeof serverMachine>;
  /** Why it could not be replaced at the last attempt. */
  #problem = '';

  constructor(first: RunningServer, lease: Lease | null, parts: FailoverParts) {
    super(first);
    this.#parts = parts;
    parts.watch.position = () => this.position();
    this.#updateWatch(lease);
    const machine = serverMachine.provide({
      actors: {
        watchTurn: fromCallback(({ input, sendBack }) => this.#watchTurn(input.lease, sendBack)),
        watchLease: fromCallback(({ sendBack }) => {
          const left = new AbortController();
          const changed = (what: 'log' | 'lease'): void => {
            if (what === 'lease') sendBack({ type: 'lease changed' });
          };
          parts.cell.onChange(changed, { signal: left.signal });
          return () => left.abort();
        }),
        takeLease: fromPromise(() => this.#takeLease()),
        stepDown: fromPromise(({ input }) => this.#stepDownAsLeader(input)),
        awaitLeader: fromPromise(({ signal }) => this.#awaitLeader(signal)),
        replace: fromPromise(({ input }) => this.#replace(input.lease)),
      },
      actions: {
        fence: (_, { lease: lost, reason }) => this.#fenceOff(lost, reason),
        warnOfNoLeader: () => this.#warnOfNoLeader(),
      },
    });
    this.#actor = createActor(machine, { input: { role: lease === null ? 'standby' : 'leader', lease } });
    // Without an observer an actor's error would end the process.
    this.#actor.subscribe({ error: (error) => parts.logger.error(`the server of the cell: ${messageOf(error)}`) });
    this.#actor.start();
  }

  override get cell(): string {
    return this.#parts.watch.description;
  }

  #updateWatch(lease: Lease | null): void {
    this.#parts.watch.lease = lease;
    void this.#parts.watch.refresh();
  }

  #watchTurn(lease: Lease | null, tell: (event: ServerEvent) => void): () => void {
    const { watch } = this.#parts;
    const lost = (): void => tell({ type: 'lease lost', reason: reasonIn(lease?.lost.reason) });
    lease?.lost.addEventListener('abort', lost, { once: true });
    if (lease?.lost.aborted === true) lost();
    watch.stepDown = (reason) => tell(reason === undefined ? { type: 'hand over' } : { type: 'give up', reason });
    return () => {
      watch.stepDown = null;
      lease?.lost.removeEventListener('abort', lost);
    };
  }

  #fenceOff(lease: Lease | null, reason: string): void {
    this.#parts.logger.error(`this server writes no more and stands by: ${reason}`);
    this.current.fence(reason);
    // A released lease is free at once; while the database is away the others have to wait for its end.
    void lease?.release().catch(() => undefined);
  }

  /** `reason`: null: another server is to take over. */
  async #stepDownAsLeader({ lease, reason }: { lease: Lease | null; reason: string | null }): Promise<void> {
    const { logger } = this.#parts;
    if (reason === null) logger.info('this server hands over and stands by');
    else logger.error(`this server writes no more and stands by: ${reason}`);
    await this.#endTurn(lease, reason ?? 'handed over', true);
  }

  /** Ends this server's writing and releases the lease: another server may write from here on. */
  async #endTurn(lease: Lease | null, reason: string, keepRunning: boolean): Promise<void> {
    try {
      await this.current.stepDown(reason, keepRunning);
    } catch (error) {
      this.#parts.logger.error(`the last event of this server is not in the log: ${messageOf(error)}`);
      this.current.fence(reason);
    }
    await lease?.release().catch(() => undefined);
  }

  /** Replaces the current server by one that writes with the lease, or stands by without one. */
  async #replace(lease: Lease | null): Promise<ServerRole> {
    const { open, begin, watch, logger } = this.#parts;
    try {
      // The current server answers reads while the log is opened.
      const role = await open(lease);
      watch.abortForwarded();
      await this.current.close(lease === null ? 'it stands by' : 'it writes now', true);
      this.replaceBy(await begin(role));
    } catch (error) {
      const problem = `this server cannot ${lease === null ? 'stand by' : 'write'}: ${messageOf(error)}`;
      if (problem !== this.#problem) logger.error(problem);
      this.#problem = problem;
      await lease?.release().catch(() => undefined);
      throw error;
    }
    this.#updateWatch(lease);
    const recovered = recoveredIn(this);
    if (lease !== null) logger.info('this server writes now');
    if (lease !== null && recovered !== null) logger.info(recovered);
    if (lease === null && this.#problem !== '') logger.info('this server stands by again');
    this.#problem = '';
    return lease === null ? 'standby' : 'leader';
  }

  async #takeLease(): Promise<LeaseAttempt> {
    const { watch } = this.#parts;
    try {
      const result = await this.#tryToTakeLease();
      watch.leaseChecked(null);
      return typeof result === 'number' ? Math.min(result, STANDBY_MS) : result;
    } catch (error) {
      watch.leaseChecked(error);
      throw error;
    }
  }

  /** The lease; or the milliseconds for which another server still has it, after this one has announced itself as a standby. */
  async #tryToTakeLease(): Promise<LeaseAttempt> {
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
      return 'shorter log';
    }
    await cell.standsBy({ owner, url, position: this.position() });
    return writer.left;
  }

  /** Resolves once another server writes, after a handover. */
  async #awaitLeader(signal: AbortSignal): Promise<void> {
    const { cell } = this.#parts;
    const isThere = async (): Promise<boolean> => (await cell.writer().catch(() => null)) !== null;
    await until(isThere, { every: TAKEN_MS, signal });
  }

  #warnOfNoLeader(): void {
    const { watch, logger } = this.#parts;
    const why = watch.problem ?? 'the logs of those that stand by say why';
    logger.warn(`no other server has taken over within ${HANDED_OVER_MS / 1000} s: ${why}`);
  }

  async close(reason: string): Promise<boolean> {
    const { cell, held, watch, handoff, keepRunning } = this.#parts;
    this.#actor.send({ type: 'close' });
    const { lease } = (await waitFor(this.#actor, ({ status }) => status === 'done')).context;
    watch.close();
    if (lease !== null) await this.#endTurn(lease, reason, keepRunning);
    else await this.current.stepDown(reason, keepRunning || this.current.hasOrphanedNodes());
    const isWhole = await this.current.close(reason);
    handoff.release(false);
    await cell.close().catch(() => undefined);
    await held.release();
    return isWhole;
  }
}
