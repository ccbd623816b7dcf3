import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, TopologError } from '../../../common/errors.ts';
import type { Lease, Taker } from '../../cell.ts';
import { KEYS, type Store, type StoreOp } from '../store.ts';
import { type Database, Connection } from './database.ts';
import type { Session } from './session.ts';
import { checkedStore, type LogReads, storeOf } from './store.ts';
import { type BatchCounters, Writer } from './writer.ts';

/** Maximum that taking a lease waits for an unfinished append. Milliseconds. */
const LOCK_MS = 1_000;
const LOCKED = '55P03';

/** Context of the leases of a cell. */
export interface LeaseContext {
  database: Database;
  cell: number;
  leaseMs: number;
  reads: LogReads;
  /** The log as it is at one moment, without checksum verification. */
  moment: () => Promise<Store>;
  /** Notifies listeners that the log has grown, or that the lease has changed hands; never rejects. */
  tell: (what: 'log' | 'lease') => Promise<void>;
  report: (message: string) => void;
  /** Sentence about what commits have been blocked by for so many milliseconds; null: nothing. */
  blockedBy: (ms: number) => Promise<string | null>;
}

/** Takes the lease if it is free or held by `me.before`; null: another server holds it. */
export const takeLease = async (parts: LeaseContext, me: Taker): Promise<Lease | null> => {
  const session = await parts.database.connect(parts.leaseMs);
  try {
    const taken = await take(session, parts, me);
    if (taken === null) return null;
    const renewal = new LeaseRenewal({ ...parts, ...taken });
    // The database answered so late that the lease is over.
    if (!renewal.holds()) return null;
    void parts.tell('lease');
    return leaseOf(parts, renewal, taken.counters);
  } catch (error) {
    if ((error as { code?: string }).code === LOCKED) return null;
    throw error;
  } finally {
    await session.close();
  }
};

interface Taken {
  epoch: number;
  counters: BatchCounters;
  asked: number;
}

const take = async (
  session: Session,
  { cell, leaseMs }: LeaseContext,
  { owner, url, before = null }: Taker,
): Promise<Taken | null> => {
  const run = (text: string, ...values: unknown[]) => session.run({ text, values }, leaseMs);
  await run('BEGIN');
  await run(`SELECT set_config('lock_timeout', $1, true)`, String(Math.min(LOCK_MS, leaseMs / 2)));
  const free = await run(
    'SELECT FROM topolog.lease WHERE cell = $1 AND (until <= clock_timestamp() OR owner = $2) FOR UPDATE',
    cell,
    before,
  );
  if (free.count === 0) return null;
  const { rows } = await run(
    'UPDATE topolog.cell SET epoch = greatest(epoch, head) + 1 WHERE id = $1 RETURNING epoch, batch, written',
    cell,
  );
  const [epoch = 0, batch = 0, written = 0] = rows[0]?.map(Number) ?? [];
  const asked = performance.now();
  await run(
    `UPDATE topolog.lease SET owner = $2, url = $3, epoch = $4, until = clock_timestamp() + $5 * interval '1 ms' WHERE cell = $1`,
    cell,
    owner,
    url,
    epoch,
    leaseMs,
  );
  const { isAlone } = await run('COMMIT');
  // The commit was not replicated: a standby that is promoted might not have it.
  if (isAlone) return null;
  return { epoch, counters: { batch, written }, asked };
};

const leaseOf = (parts: LeaseContext, renewal: LeaseRenewal, counters: BatchCounters): Lease => {
  const writer = new Writer({ ...parts, lease: renewal, counters });
  const batch = async (ops: StoreOp[]): Promise<void> => {
    const grows = ops.some(({ type, key }) => type === 'put' && key.startsWith('f/'));
    await writer.write(ops);
    if (grows) void parts.tell('log');
  };
  const open = async (): Promise<Store> => {
    renewal.check();
    return checkedStore(storeOf(parts.reads, { moment: parts.moment, batch }));
  };
  let released: Promise<void> | null = null;
  const release = async (): Promise<void> => {
    renewal.stop('it has handed it over');
    await writer.close(parts.leaseMs);
    try {
      await renewal.end();
      await parts.tell('lease');
    } catch (error) {
      parts.report(`the lease could not be ended, and ends by itself: ${messageOf(error)}`);
    }
  };
  return {
    epoch: renewal.epoch,
    lost: renewal.lost,
    holds: () => renewal.holds(),
    open: Object.assign(open, {
      ready: async () => void (renewal.check(), await parts.reads.get(KEYS.format)),
    }),
    announce: async (url) => {
      await renewal.announce(url);
      await parts.tell('lease');
    },
    release: () => (released ??= release()),
  };
};

/** Share of a lease that is left when its owner considers it lost, so that everything it has begun can end. */
const MARGIN = 0.15;
/** Interval of retries. Milliseconds. */
const AGAIN_MS = 50;

const OVER = 'its lease was not renewed in time';

interface RenewalOptions {
  database: Database;
  cell: number;
  epoch: number;
  /** Length of a lease in milliseconds. */
  leaseMs: number;
  /** Time of the request for the lease, by `performance.now()`. */
  asked: number;
  /** Sentence about what commits have been blocked by for so many milliseconds; null: nothing. */
  blockedBy: (ms: number) => Promise<string | null>;
}

/**
 * Keeps a lease: renews it at a third of its length. Counts by this machine's monotonic clock from before each
 * request, so that the lease is over here before it is over in the database, however long an answer takes.
 */
class LeaseRenewal {
  readonly epoch: number;
  readonly #cell: number;
  readonly #connection: Connection;
  readonly #leaseMs: number;
  readonly #blockedBy: RenewalOptions['blockedBy'];
  readonly #lost = new AbortController();
  readonly #done = new AbortController();
  #until = 0;
  #timer: NodeJS.Timeout | undefined;
  #problem = OVER;
  /** Sentence about what renewals are blocked by; null: not known. */
  #blocker: string | null = null;
  readonly #renewing: Promise<void>;

  constructor({ database, cell, epoch, leaseMs, asked, blockedBy }: RenewalOptions) {
    this.epoch = epoch;
    this.#cell = cell;
    this.#leaseMs = leaseMs;
    this.#blockedBy = blockedBy;
    this.#connection = new Connection(database);
    this.#extend(asked);
    this.#renewing = this.#renew();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  holds(): boolean {
    if (this.#done.signal.aborted) return false;
    if (performance.now() < this.#until) return true;
    this.lose(this.#problem);
    return false;
  }

  /** Throws `lease_lost`. */
  check(): void {
    if (!this.holds()) throw this.#reason();
  }

  /** Publishes the address of this server. */
  async announce(url: string): Promise<void> {
    this.check();
    const { count } = await this.#connection.run({
      text: 'UPDATE topolog.lease SET url = $3 WHERE cell = $1 AND epoch = $2',
      values: [this.#cell, this.epoch, url],
    });
    if (count !== 1) this.lose('another server has taken it over');
    this.check();
  }

  /** The lease was taken by another server, or is over. */
  lose(problem: string): void {
    if (this.#done.signal.aborted) return;
    this.stop(problem);
    this.#lost.abort(this.#reason());
    this.#connection.destroy();
  }

  /** Stops holding the lease, even while it is not over in the database. */
  stop(problem: string): void {
    this.#problem = problem;
    this.#done.abort();
    clearTimeout(this.#timer);
  }

  /** Ends it in the database. */
  async end(): Promise<void> {
    this.stop('it has handed it over');
    await this.#renewing;
    if (this.#lost.signal.aborted) return;
    try {
      await this.#connection.run(
        {
          text: 'UPDATE topolog.lease SET until = clock_timestamp() WHERE cell = $1 AND epoch = $2 AND until > clock_timestamp()',
          values: [this.#cell, this.epoch],
        },
        this.#leaseMs,
      );
    } finally {
      await this.#connection.close();
    }
  }

  #extend(asked: number): void {
    this.#problem = OVER;
    this.#blocker = null;
    this.#until = asked + this.#leaseMs * (1 - MARGIN);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.holds(), Math.max(0, this.#until - performance.now()) + 1).unref();
  }

  async #renew(): Promise<void> {
    const third = this.#leaseMs / 3;
    for (let wait = third; ;) {
      try {
        await pause(wait, undefined, { signal: this.#done.signal, ref: false });
        wait = (await this.#renewOnce(third)) ? third : AGAIN_MS;
      } catch (error) {
        if (this.#done.signal.aborted) return;
        this.#renewalFailed(messageOf(error), third / 2);
        wait = AGAIN_MS;
      }
    }
  }

  /** The cause is looked up without awaiting it: another connection may hang as well. */
  #renewalFailed(why: string, waitedMs: number): void {
    const tell = (): void => void (this.#problem = `its lease could not be renewed: ${this.#blocker ?? why}`);
    tell();
    const until = this.#until;
    const hear = (waits: string | null): void => {
      if (waits === null || this.#until !== until || this.#done.signal.aborted) return;
      this.#blocker = waits;
      tell();
    };
    void this.#blockedBy(waitedMs).then(hear, () => undefined);
  }

  async #renewOnce(ms: number): Promise<boolean> {
    const asked = performance.now();
    const { count, isAlone } = await this.#connection.run(
      {
        name: 'renew',
        text: `UPDATE topolog.lease SET until = clock_timestamp() + $3 * interval '1 ms'
          WHERE cell = $1 AND epoch = $2 AND until > clock_timestamp()`,
        values: [this.#cell, this.epoch, this.#leaseMs],
      },
      ms,
    );
    if (count !== 1) this.lose('another server has taken it over, or its lease has ended');
    else if (!isAlone) this.#extend(asked);
    return !isAlone;
  }

  #reason(): TopologError {
    return new TopologError('lease_lost', { reason: this.#problem });
  }
}
