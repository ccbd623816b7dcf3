import { setTimeout as pause } from 'node:timers/promises';
import { TopologError } from '../../../common/errors.ts';
import { atOnce, inSlices, type Steps } from '../../../common/slices.ts';
import { unlessAborted, until } from '../../../common/promises.ts';
import { positionOf, type StoreOp } from '../store.ts';
import { int8Array, textArray } from './arrays.ts';
import { type Database, Connection } from './database.ts';
import { isLost, type Session, type Statement } from './session.ts';
import { storedKey, type Table, tableOf } from './tables.ts';

/** Number of operations from which building a batch is sliced. */
const MANY = 2_000;
/** Interval of tries to learn the outcome of a batch. Milliseconds. */
const AGAIN_MS = 50;

/** The lease as a writer sees it. */
interface HeldLease {
  readonly epoch: number;
  readonly lost: AbortSignal;
  /** Throws `lease_lost`. */
  check(): void;
  /** The lease was taken by another server. */
  lose(reason: string): void;
}

interface WriterOptions {
  database: Database;
  cell: number;
  lease: HeldLease;
  counters: BatchCounters;
}

/** Counters in the cell's row: the last commit, and the last one that wrote entries. */
export interface BatchCounters {
  batch: number;
  written: number;
}

/**
 * Writes the batches of one lease, one after another. Each resolves with its true outcome, or rejects with
 * `lease_lost`.
 */
export class Writer {
  readonly #connection: Connection;
  readonly #cell: number;
  readonly #lease: HeldLease;
  /** As far as known. */
  #counters: BatchCounters;
  /** A part of the batch being written has been sent. */
  #isSent = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ database, cell, lease, counters }: WriterOptions) {
    this.#connection = new Connection(database);
    this.#cell = cell;
    this.#lease = lease;
    this.#counters = counters;
    lease.lost.addEventListener('abort', () => this.#connection.destroy(), { once: true });
  }

  write(ops: StoreOp[]): Promise<void> {
    const written = this.#last.then(() => this.#write(ops));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Resolves when the batch being written is done, or after `ms`. */
  async close(ms: number): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([this.#last, pause(ms, undefined, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
    this.#connection.destroy();
    await this.#last;
  }

  async #write(ops: StoreOp[]): Promise<void> {
    this.#lease.check();
    const changes = ops.length < MANY ? atOnce(byTable(ops)) : await inSlices(byTable(ops));
    // `changes` holds them: kept here as well, they would be moved by every garbage collection.
    ops.length = 0;
    this.#isSent = false;
    try {
      await unlessAborted(this.#commit(changes), this.#lease.lost);
    } catch (error) {
      throw this.#isSent ? inDoubt(error) : error;
    }
  }

  async #commit(changes: TableChanges): Promise<void> {
    for (;;) {
      this.#lease.check();
      const batch = this.#counters.batch + 1;
      const error = await this.#send(changes, batch);
      if (error === null || (await this.#settled(batch))) return;
      // The batch was not written and cannot be any more. After a lost connection or an outdated counter it is sent
      // again.
      if (!(error instanceof Unsettled)) throw error;
    }
  }

  /** Null: written. `Unsettled`: the outcome is unknown; any other error says why it was not written. */
  async #send(changes: TableChanges, batch: number): Promise<Error | null> {
    const { epoch } = this.#lease;
    const statementOf = (overwrites: boolean): Statement =>
      batchStatement({ cell: this.#cell, epoch, batch: batch - 1 }, changes, overwrites);
    const session = await this.#session();
    this.#lease.check();
    this.#isSent = true;
    try {
      const { rows, isAlone } = await session.run(statementOf(false)).catch((error: unknown) => {
        if (!isThere(error)) throw error;
        return session.run(statementOf(true));
      });
      if (rows[0]?.[0] !== 1 || isAlone) return new Unsettled();
      this.#counters = { batch, written: batch };
      return null;
    } catch (error) {
      return isLost(error) ? new Unsettled() : (error as Error);
    }
  }

  /** Retries until connected or the lease is lost; nothing has been sent. */
  #session(): Promise<Session> {
    const connect = async (): Promise<Session | null> => {
      this.#lease.check();
      try {
        return await this.#connection.session();
      } catch (error) {
        if (isAway(error)) return null;
        throw error;
      }
    };
    return until(connect, { every: AGAIN_MS });
  }

  /**
   * Whether this batch was written. Incrementing the counter makes a batch that is still on its way fail. The row's
   * lock is held by what was sent before for as long as that may still complete, and this commit is answered only
   * when everything before it is as durable as the settings demand.
   */
  async #settled(batch: number): Promise<boolean> {
    const settle = async (): Promise<BatchCounters | null> => {
      this.#lease.check();
      const stand = await this.#settle();
      if (stand === null || stand.written === batch || stand.written === this.#counters.written) return stand;
      this.#lease.lose('the database has gone back to an earlier state and lacks what was answered');
      return null;
    };
    this.#counters = await until(settle, { every: AGAIN_MS });
    return this.#counters.written === batch;
  }

  /** Null: not known yet. */
  async #settle(): Promise<BatchCounters | null> {
    try {
      const { rows, isAlone } = await this.#connection.run({
        name: 'settle',
        text: 'UPDATE topolog.cell SET batch = batch + 1 WHERE id = $1 AND epoch = $2 RETURNING batch, written',
        values: [this.#cell, this.#lease.epoch],
      });
      if (isAlone) return null;
      const [row] = rows as [string, string][];
      if (row !== undefined) return { batch: Number(row[0]), written: Number(row[1]) };
    } catch (error) {
      if (isAway(error)) return null;
      throw error;
    }
    this.#lease.lose('another server has taken it over');
    return null;
  }
}

/** SQLSTATE unique_violation: an added key exists already. */
const isThere = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';

const isAway = (error: unknown): boolean =>
  error instanceof TopologError ? error.code === 'log_unreachable' : isLost(error);

/** Adds that the outcome of a batch that was sent before the lease was lost is unknown. */
const inDoubt = (error: unknown): unknown =>
  error instanceof TopologError && error.code === 'lease_lost'
    ? new TopologError('lease_lost', {
        reason: `${String(error.details['reason'])}; what was just being written may be in it`,
      })
    : error;

/** The outcome of a batch has to be queried. */
class Unsettled extends Error {}

/** Identifies a batch of a writer. */
interface Turn {
  cell: number;
  epoch: number;
  /** Number of the batch before. */
  batch: number;
}

interface Changes {
  keys: string[];
  values: string[];
  gone: string[];
}

const changes = (): Changes => ({ keys: [], values: [], gone: [] });

/** Changes of a batch by table. */
type TableChanges = Record<Table, Changes>;

/** Groups operations by table; the last one of each key counts. */
function* byTable(ops: readonly StoreOp[]): Steps<TableChanges> {
  const last = new Map<string, StoreOp>();
  for (const op of ops) {
    last.set(op.key, op);
    yield;
  }
  const found: TableChanges = { event: changes(), entry: changes(), record: changes() };
  for (const op of last.values()) {
    const { keys, values, gone } = found[tableOf(op.key)];
    if (op.type === 'put') {
      keys.push(op.key);
      values.push(op.value);
    } else gone.push(op.key);
    yield;
  }
  return found;
}

const COLUMNS = {
  event: { key: 'position', value: 'text', type: 'int8[]' },
  entry: { key: 'key', value: 'value', type: 'text[]' },
  record: { key: 'key', value: 'value', type: 'text[]' },
} as const;

const TABLES = ['event', 'entry', 'record'] as const;

const keysOf = (table: Table, keys: readonly string[]): Buffer =>
  table === 'event' ? int8Array(keys.map(positionOf)) : textArray(keys.map(storedKey));

/**
 * One statement, so one round trip and one transaction: increments the cell's counter if the batch is the writer's
 * next, and makes all other changes depend on that row. Its only row has the number of updated cells: 0 means that
 * nothing was changed. Events and entries are inserted as new, which is nearly always right and a fifth cheaper; on
 * `unique_violation` nothing is changed, and the statement is sent again with `overwrites`.
 */
const batchStatement = ({ cell, epoch, batch }: Turn, ops: TableChanges, overwrites: boolean): Statement => {
  const values: unknown[] = [cell, epoch, batch, headOf(ops)];
  const added = (value: unknown): string => `$${values.push(value)}`;
  const parts: string[] = [];
  let name = overwrites ? 'batch over' : 'batch';
  for (const table of TABLES) {
    const { key, value, type } = COLUMNS[table];
    const { keys, values: texts, gone } = ops[table];
    if (keys.length > 0) {
      name += ` ${table}`;
      parts.push(`, put_${table} AS (
        INSERT INTO topolog.${table} (cell, ${key}, ${value})
        SELECT id, k, v FROM moved, unnest(${added(keysOf(table, keys))}::${type}, ${added(textArray(texts))}::text[]) AS u (k, v)
        ${overwrites || table === 'record' ? `ON CONFLICT (cell, ${key}) DO UPDATE SET ${value} = excluded.${value}` : ''})`);
    }
    if (gone.length > 0) {
      name += ` -${table}`;
      parts.push(`, drop_${table} AS (
        DELETE FROM topolog.${table} USING moved, unnest(${added(keysOf(table, gone))}::${type}) AS u (k)
        WHERE ${table}.cell = id AND ${table}.${key} = k)`);
    }
  }
  const text = `WITH moved AS (
      UPDATE topolog.cell SET batch = batch + 1, written = batch + 1, head = greatest(head, $4)
      WHERE id = $1 AND epoch = $2 AND batch = $3 RETURNING id)${parts.join('')}
    SELECT count(*)::integer FROM moved`;
  return { name, text, values };
};

const headOf = ({ event: { keys } }: TableChanges): number =>
  keys.reduce((head, key) => Math.max(head, positionOf(key)), 0);
