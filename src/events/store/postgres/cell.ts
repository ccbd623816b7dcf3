import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseError } from 'pg';
import { Emitter } from '../../../common/emitter.ts';
import { TopologError } from '../../../common/errors.ts';
import type { Cell, Durability, FirstEntry, Lease, StandingBy, Taker, Writer } from '../../cell.ts';
import type { Store } from '../store.ts';
import { addressOf, asUnreachable, Database, Connection, ReadPool, unreachable } from './database.ts';
import { takeLease } from './lease.ts';
import { findCell, makeCell } from './schema.ts';
import { CellSecrets } from './secrets.ts';
import { type Statement, UnfitDatabase } from './session.ts';
import { type Query, checkedStore, LogReads, storeOf } from './store.ts';

/** Connections shared by reads. */
const READERS = 4;
/** A standby that has not reported for this long is ignored. Milliseconds. */
const SEEN_MS = 5_000;
/** A commit that takes longer is reported as blocked. Milliseconds. */
const WAITED_MS = 1_000;
/** Timeout of a page of a moment. Milliseconds. */
const PAGE_MS = 60_000;

export interface PostgresOptions {
  /** `postgres://user@host,host/database`. */
  log: string;
  name: string;
  /** Null: the secrets cannot be read. */
  key: Buffer | null;
  leaseMs: number;
  /** Creates the cell where there is none, with this entry. */
  create: boolean | FirstEntry;
  /** Gets sentences about what may need attention. */
  report?: (message: string) => void;
}

export const openPostgres = async (options: PostgresOptions): Promise<Cell> => {
  const database = new Database(addressOf(options.log), `topolog ${options.name}`);
  const session = await database.connect();
  try {
    const { create, name } = options;
    const first = typeof create === 'boolean' ? null : create;
    const cell = await (create === false ? findCell(session, name) : makeCell(session, name, first));
    if (cell === null) throw TopologError.saying('not_found', `${database.place} has no cell ${options.name}`);
    return new PostgresCell(database, cell, options);
  } catch (error) {
    // Includes missing rights of the database user.
    throw error instanceof TopologError ? error : unreachable(withRight(error));
  } finally {
    await session.close();
  }
};

/** Names the missing right when the tables cannot be created (SQLSTATE insufficient_privilege). */
const withRight = (error: unknown): unknown => {
  const { code, routine, message } = error as DatabaseError;
  if (code !== '42501' || routine !== 'aclcheck_error' || !/database/.test(message)) return error;
  return new UnfitDatabase(`${message}: to make its tables the user needs the right CREATE there`, { cause: error });
};

class PostgresCell implements Cell {
  readonly name: string;
  readonly place: string;
  readonly secrets: CellSecrets;
  readonly #database: Database;
  readonly #cell: number;
  readonly #leaseMs: number;
  readonly #report: (message: string) => void;
  readonly #pool: ReadPool;
  readonly #reads: LogReads;
  readonly #changes: ChangeWatch;
  /** The last lease that was taken. */
  #lease: Lease | null = null;
  #telling: Promise<void> | null = null;
  readonly #untold = new Set<'log' | 'lease'>();

  constructor(database: Database, cell: number, { name, key, leaseMs, report = () => undefined }: PostgresOptions) {
    this.name = name;
    this.place = `cell ${name} of ${database.place}`;
    this.#database = database;
    this.#cell = cell;
    this.#leaseMs = leaseMs;
    this.#report = report;
    this.#pool = new ReadPool(database, READERS);
    const ask: Query = (statement) => this.#pool.run(statement);
    this.#reads = new LogReads(ask, cell);
    this.secrets = new CellSecrets(ask, cell, key);
    this.#changes = new ChangeWatch(database, cell);
  }

  async durability(waitedMs = WAITED_MS): Promise<Durability> {
    return durabilityIn(await this.#pool.run(settingsStatement(waitedMs)));
  }

  reading(): Promise<Store> {
    return checkedStore(storeOf(this.#reads, { moment: () => this.#moment() }));
  }

  async moment(): Promise<Store> {
    return checkedStore(await this.#moment());
  }

  async #moment(): Promise<Store> {
    const session = await this.#database.connect();
    try {
      await session.run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
      const ask: Query = async (statement) => {
        try {
          return (await session.run(statement, PAGE_MS)).rows;
        } catch (error) {
          throw asUnreachable(error);
        }
      };
      return storeOf(new LogReads(ask, this.#cell), { moment: () => this.#moment(), close: () => session.close() });
    } catch (error) {
      session.destroy();
      throw asUnreachable(error);
    }
  }

  readonly onChange: Cell['onChange'] = (listener, options) => this.#changes.listen(listener, options);

  /** Also deletes standbys that have not reported for a minute. */
  async standsBy({ owner, url, position }: StandingBy): Promise<void> {
    await this.#pool.run({
      name: 'stands by',
      text: `WITH gone AS (DELETE FROM topolog.standby WHERE cell = $1 AND owner <> $2 AND seen < clock_timestamp() - interval '1 minute')
        INSERT INTO topolog.standby VALUES ($1, $2, $3, $4, clock_timestamp())
        ON CONFLICT (cell, owner) DO UPDATE SET url = excluded.url, position = excluded.position, seen = excluded.seen`,
      values: [this.#cell, owner, url, position],
    });
  }

  async standbys(): Promise<StandingBy[]> {
    const rows = await this.#pool.run({
      name: 'standbys',
      text: `SELECT owner, url, position FROM topolog.standby WHERE cell = $1 AND seen > clock_timestamp() - $2 * interval '1 ms'
        AND NOT EXISTS (SELECT FROM topolog.lease WHERE lease.cell = $1 AND lease.owner = standby.owner AND until > clock_timestamp())
        ORDER BY owner`,
      values: [this.#cell, SEEN_MS],
    });
    return rows.map(([owner, url, position]) => ({ owner, url, position: Number(position) }) as StandingBy);
  }

  async writer(): Promise<Writer | null> {
    const [row] = await this.#pool.run({
      name: 'writer',
      text: `SELECT owner, url, lease.epoch, head, ceil(extract(epoch FROM until - clock_timestamp()) * 1000)::integer
        FROM topolog.lease JOIN topolog.cell ON cell.id = lease.cell
        WHERE lease.cell = $1 AND until > clock_timestamp()`,
      values: [this.#cell],
    });
    if (row === undefined) return null;
    const [owner, url, epoch, position, left] = row as [string, string, string, string, number];
    return { owner, url, epoch: Number(epoch), position: Number(position), left };
  }

  async take(me: Taker): Promise<Lease | null> {
    const lease = await takeLease(
      {
        database: this.#database,
        cell: this.#cell,
        leaseMs: this.#leaseMs,
        reads: this.#reads,
        moment: () => this.#moment(),
        tell: (what) => this.#tell(what),
        report: this.#report,
        blockedBy: async (ms) => (await this.durability(ms)).waits,
      },
      me,
    ).catch((error: unknown) => {
      throw asUnreachable(error);
    });
    this.#lease = lease ?? this.#lease;
    return lease;
  }

  async close(): Promise<void> {
    await this.#lease?.release();
    await this.#changes.close();
    await this.#telling;
    await this.#pool.close();
  }

  /**
   * Wakes the listeners. Not part of the batch, as PostgreSQL serialises the commits of all transactions that notify.
   * Changes during a notification are reported by the next one.
   */
  #tell(what: 'log' | 'lease'): Promise<void> {
    this.#untold.add(what);
    return (this.#telling ??= this.#notify().finally(() => (this.#telling = null)));
  }

  async #notify(): Promise<void> {
    for (const what of this.#untold) {
      this.#untold.delete(what);
      // Failures are ignored: listeners poll each second as well.
      await this.#pool
        .run({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values: [channelOf(this.#cell), what] })
        .catch(() => undefined);
    }
  }
}

/** Present settings of the database. */
interface Settings {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  synchronous_standby_names: string;
}

/**
 * Selects the settings, and whether commits that began so many milliseconds ago are blocked; for a connection that
 * commits nothing.
 */
const settingsStatement = (waitedMs: number): Statement => ({
  name: 'settings',
  text: `SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
      current_setting('synchronous_standby_names'),
      (SELECT string_agg(application_name, ', ') FROM pg_stat_replication),
      EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query_start < clock_timestamp() - $1 * interval '1 ms')`,
  values: [waitedMs],
});

/** Durability by the answer of that statement. */
const durabilityIn = ([row = []]: readonly unknown[][]): Durability => {
  const [fsync, full_page_writes, synchronous_commit, synchronous_standby_names, connected, isWaiting] = row as [
    ...[string, string, string, string],
    ...[string | null, boolean],
  ];
  const told = durabilityOf({ fsync, full_page_writes, synchronous_commit, synchronous_standby_names });
  if (!isWaiting) return told;
  const names = `synchronous_standby_names = ${synchronous_standby_names}; connected: ${connected ?? 'none'}`;
  return { ...told, waits: `the database waits for its standby (${names})` };
};

/** How many standbys a commit waits for: `FIRST 2 (a, b)`, `ANY 1 (*)`, `2 (a, b)`, or the first of a list. */
export const standbysWaitedFor = (names: string): number => {
  if (names.trim() === '') return 0;
  return Number(/^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1);
};

const others = (count: number): string => `${count} other${count === 1 ? '' : 's'}`;

/** Durability of an answered write under these settings. */
export const durabilityOf = (settings: Settings): Durability => {
  const rest = { losses: lossesOf(settings), waits: null };
  const standbys = standbysWaitedFor(settings.synchronous_standby_names);
  const own = Number(settings.fsync !== 'off' && settings.synchronous_commit !== 'off');
  switch (settings.synchronous_commit) {
    case 'off':
      return { disks: 0, words: 'no disk yet', ...rest };
    case 'local':
      return { disks: own, words: wordsOf(own, 0), ...rest };
    case 'remote_write': {
      const memory = standbys === 0 ? '' : `, and the memory of ${others(standbys)}`;
      return { disks: own, words: `${wordsOf(own, 0)}${memory}`, ...rest };
    }
    default:
      return { disks: own + standbys, words: wordsOf(own, standbys), ...rest };
  }
};

const wordsOf = (own: number, standbys: number): string => {
  if (own === 0) return standbys === 0 ? 'no disk for certain' : `the disks of ${others(standbys)}`;
  return standbys === 0 ? "the database's disk" : `the database's disk and ${others(standbys)}`;
};

const lossesOf = ({ fsync, full_page_writes, synchronous_commit }: Settings): string[] => [
  ...(fsync === 'off' ? ['fsync is off: a power cut can take what was answered, and the database with it'] : []),
  ...(full_page_writes === 'off'
    ? ['full_page_writes is off: a power cut in the middle of a write can damage what was answered']
    : []),
  ...(synchronous_commit === 'off'
    ? ['synchronous_commit is off: a crash of the database takes what was answered last']
    : []),
];

/** Interval of polling, which finds changes whose notification was lost. Milliseconds. */
const POLL_MS = 1_000;
/** Timeout of a poll. Milliseconds. */
const ANSWER_MS = 5_000;

/** Name of the notification channel of a cell. */
const channelOf = (cell: number): string => `topolog_${cell}`;

/** Watches a cell while there are listeners: by notifications, and by polling each second. */
class ChangeWatch {
  readonly #database: Database;
  readonly #cell: number;
  readonly #events = new Emitter<{ change: ['log' | 'lease'] }>();
  #ended: AbortController | null = null;
  #watching: Promise<void> = Promise.resolve();

  constructor(database: Database, cell: number) {
    this.#database = database;
    this.#cell = cell;
  }

  readonly listen: Cell['onChange'] = (listener, options = {}) => {
    this.#events.on('change', listener, options);
    if (this.#ended === null) this.#watching = this.#watch((this.#ended = new AbortController()).signal);
    options.signal?.addEventListener('abort', () => this.#events.listenerCount('change') === 0 && this.#end());
  };

  async close(): Promise<void> {
    this.#events.removeAllListeners();
    this.#end();
    await this.#watching;
  }

  #end(): void {
    this.#ended?.abort();
    this.#ended = null;
  }

  async #watch(ended: AbortSignal): Promise<void> {
    const line = new Connection(this.#database, (session) => {
      session.onNotification((told) => this.#events.emit('change', told === 'lease' ? 'lease' : 'log'));
      return session.run({ text: `LISTEN ${channelOf(this.#cell)}` });
    });
    ended.addEventListener('abort', () => line.destroy(), { once: true });
    for (let before: readonly unknown[] | null = null; !ended.aborted;) {
      const now: readonly unknown[] | null = await this.#look(line).catch(() => before);
      if (before !== null && now?.[0] !== before[0] && !ended.aborted) this.#events.emit('change', 'log');
      if (before !== null && now?.[1] !== before[1] && !ended.aborted) this.#events.emit('change', 'lease');
      before = now;
      await pause(POLL_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
    }
  }

  /** The first value changes when the log has grown, the second when the lease was taken or has ended. */
  async #look(line: Connection): Promise<readonly unknown[] | null> {
    const { rows } = await line.run(
      {
        name: 'look',
        text: `SELECT cell.written, concat_ws(' ', lease.epoch, lease.until > clock_timestamp(), lease.url)
          FROM topolog.cell JOIN topolog.lease ON lease.cell = cell.id WHERE cell.id = $1`,
        values: [this.#cell],
      },
      ANSWER_MS,
    );
    return rows[0] ?? null;
  }
}
