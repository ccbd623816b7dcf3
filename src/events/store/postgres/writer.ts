import { setTimeout as pause } from 'node:timers/promises';
import { TopologError } from '../../../common/errors.ts';
import { atOnce, inSlices, type Steps } from '../../../common/slices.ts';
import { unlessAborted } from '../../../common/promises.ts';
import { positionOf, type StoreOp } from '../store.ts';
import { int8Array, textArray } from './arrays.ts';
import { type Database, Connection } from './database.ts';
import { isLost, type Session, type Statement } from './session.ts';
import { storedKey, type Table, tableOf } from './tables.ts';

/** Operations from which a batch is put together in several turns of the event loop. */
const MANY = 2_000;
/** Between two tries to learn what became of a batch. Milliseconds. */
const AGAIN_MS = 50;

/** What a writer needs to know of its lease. */
interface HeldLease {
  readonly epoch: number;
  readonly lost: AbortSignal;
  /** Throws `lease_lost`. */
  check(): void;
  /** Another one has it. */
  lose(reason: string): void;
}

interface WriterOptions {
  database: Database;
  cell: number;
  lease: HeldLease;
  counters: BatchCounters;
}

/** What the cell's row says: the number of its last turn, and of the last one that wrote. */
export interface BatchCounters {
  batch: number;
  written: number;
}

/** Writes the batches of one lease, one after the other. Each is answered as what it turned out to be, or with `lease_lost`. */
export class Writer {
  readonly #connection: Connection;
  readonly #cell: number;
  readonly #lease: HeldLease;
  /** As far as it is known. */
  #counters: BatchCounters;
  /** Something of what is being written has been sent. */
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

  /** Ends when what is being written is, or after so long. */
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
    // They are in `changes` now: kept here as well, they would be moved by every collection of garbage meanwhile.
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
      // It was not, and cannot be any more. If the row had moved on, or the connection was lost before, it is sent again.
      if (!(error instanceof Unsettled)) throw error;
    }
  }

  /** Null: it is done. `Unsettled`: it may be; any other error says why it is not. */
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

  /** Until it is there, or the lease is lost: nothing has been sent. */
  async #session(): Promise<Session> {
    for (;;) {
      this.#lease.check();
      try {
        return await this.#connection.session();
      } catch (error) {
        if (!isAway(error)) throw error;
        await pause(AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  /**
   * Whether this batch was written. The turn is taken before anything else can take it: a batch that is still on its way comes too late
   * then. The row's lock is held by what was sent before for as long as that may still come to an end, and this commit is answered
   * only when everything before it is as safe as the settings ask for.
   */
  async #settled(batch: number): Promise<boolean> {
    for (;;) {
      this.#lease.check();
      const stand = await this.#settle();
      const before = this.#counters.written;
      if (stand === null) await pause(AGAIN_MS, undefined, { ref: false });
      else if (stand.written === batch || stand.written === before) {
        this.#counters = stand;
        return stand.written === batch;
      } else this.#lease.lose('the database has gone back to an earlier state and lacks what was answered');
    }
  }

  /** Null: it is not known yet. */
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

/** SQLSTATE unique_violation: something that the batch adds is there already. */
const isThere = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';

const isAway = (error: unknown): boolean =>
  error instanceof TopologError ? error.code === 'log_unreachable' : isLost(error);

/** Nobody knows any more what became of a batch that was sent before the lease was lost. */
const inDoubt = (error: unknown): unknown =>
  error instanceof TopologError && error.code === 'lease_lost'
    ? new TopologError('lease_lost', {
        reason: `${String(error.details['reason'])}; what was just being written may be in it`,
      })
    : error;

/** What a batch became has to be asked for. */
class Unsettled extends Error {}

/** Which batch of which writer it is. */
interface Turn {
  cell: number;
  epoch: number;
  /** Number of the one before. */
  batch: number;
}

interface Changes {
  keys: string[];
  values: string[];
  gone: string[];
}

const changes = (): Changes => ({ keys: [], values: [], gone: [] });

/** What a batch does to each table. */
type TableChanges = Record<Table, Changes>;

/** By tables, each key once: what is said last of a key counts. */
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
 * One statement, and so one round trip and one transaction: it moves the cell on if the turn is the writer's, and all else is taken from
 * the row that has moved. Its one row says how many have: 0 is nothing, and nothing is changed. Events and entries are new, as nearly
 * always, which is a fifth cheaper; where one is not (`unique_violation`) nothing is done, and it is asked again with `overwrites`.
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
