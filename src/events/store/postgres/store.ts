import { TopologError } from '../../../common/errors.ts';
import { lastPosition } from '../../read.ts';
import { CheckedStore } from '../checked-store.ts';
import { KEYS, positionOf, type Range, type Store } from '../store.ts';
import { int8Array, textArray } from './arrays.ts';
import type { Statement } from './session.ts';
import { type Bound, originalKey, storedKey, type Part, partsOf, positionsOf, tableOf } from './tables.ts';

/** Runs a statement and returns its rows. */
export type Query = (statement: Statement) => Promise<unknown[][]>;

/** Rows of a first page, as their length is not known yet. */
const FIRST_ROWS = 64;
/** Octets of a page, unless the reader says otherwise. */
const PAGE_OCTETS = 64 * 1024;

type Row = [key: string, value: string];

const eventPage = (cell: number, part: Part, reverse: boolean, rows: number): Statement => {
  const direction = reverse ? 'DESC' : 'ASC';
  return {
    name: `events_${direction}`,
    text: `SELECT position, text FROM topolog.event WHERE cell = $1 AND position BETWEEN $2 AND $3
      ORDER BY cell ${direction}, position ${direction} LIMIT $4`,
    values: [cell, ...positionsOf(part), rows],
  };
};

const textPage = (cell: number, { table, lower, upper }: Part, reverse: boolean, rows: number): Statement => {
  const direction = reverse ? 'DESC' : 'ASC';
  const [from, to] = [lower.isIn ? '>=' : '>', upper.isIn ? '<=' : '<'];
  return {
    name: `${table}_${from}_${to}_${direction}`,
    text: `SELECT key, value FROM topolog.${table} WHERE cell = $1 AND key ${from} $2 AND key ${to} $3
      ORDER BY cell ${direction}, key ${direction} LIMIT $4`,
    values: [cell, storedKey(lower.key), storedKey(upper.key), rows],
  };
};

/** Reads a range in pages, each beginning after the last key: no page is older than the one before. */
class Pages {
  readonly #ask: Query;
  readonly #cell: number;
  readonly #parts: Part[];
  readonly #reverse: boolean;
  readonly #octets: number;
  #left: number;
  /** Rows read so far and their total length, to estimate the next page. */
  #rows = 0;
  #length = 0;

  constructor(ask: Query, cell: number, range: Range) {
    this.#ask = ask;
    this.#cell = cell;
    this.#parts = partsOf(range);
    this.#reverse = range.reverse ?? false;
    this.#octets = range.highWaterMarkBytes ?? PAGE_OCTETS;
    // As in LevelDB, a negative limit means none.
    this.#left = range.limit === undefined || range.limit < 0 ? Infinity : range.limit;
  }

  async nextv(size: number): Promise<Row[]> {
    for (;;) {
      const part = this.#parts[0];
      const most = Math.min(size, this.#left, this.#fitting());
      if (part === undefined || most <= 0) return [];
      const rows = await this.#page(part, most);
      if (rows.length < most) this.#parts.shift();
      else this.#goOn(part, rows.at(-1)?.[0] ?? '');
      this.#left -= rows.length;
      if (rows.length > 0) return rows;
    }
  }

  close(): Promise<void> {
    this.#parts.length = 0;
    return Promise.resolve();
  }

  async #page(part: Part, most: number): Promise<Row[]> {
    const page = part.table === 'event' ? eventPage : textPage;
    const rows = (await this.#ask(page(this.#cell, part, this.#reverse, most))) as Row[];
    const keyOf = part.table === 'event' ? (at: string) => KEYS.event(Number(at)) : originalKey;
    for (const row of rows) {
      row[0] = keyOf(row[0]);
      this.#length += row[0].length + row[1].length;
    }
    this.#rows += rows.length;
    return rows;
  }

  #fitting(): number {
    if (this.#rows === 0) return FIRST_ROWS;
    return Math.max(1, Math.floor(this.#octets / (this.#length / this.#rows)));
  }

  #goOn(part: Part, key: string): void {
    const bound: Bound = { key, isIn: false };
    if (this.#reverse) part.upper = bound;
    else part.lower = bound;
  }
}

/** Read access to one log. */
export class LogReads implements Pick<Store, 'get' | 'getMany' | 'iterator'> {
  readonly #ask: Query;
  readonly #cell: number;

  constructor(ask: Query, cell: number) {
    this.#ask = ask;
    this.#cell = cell;
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys: string[]): Promise<(string | undefined)[]> {
    const found = new Map<string, string>();
    for (const table of new Set(keys.map(tableOf))) {
      const some = keys.filter((key) => tableOf(key) === table);
      const isEvent = table === 'event';
      const rows = await this.#ask({
        name: `get_${table}`,
        text: isEvent
          ? 'SELECT position, text FROM topolog.event WHERE cell = $1 AND position = ANY ($2::int8[])'
          : `SELECT key, value FROM topolog.${table} WHERE cell = $1 AND key = ANY ($2::text[])`,
        values: [this.#cell, isEvent ? int8Array(some.map(positionOf)) : textArray(some.map(storedKey))],
      });
      for (const [key, value] of rows as Row[]) found.set(isEvent ? KEYS.event(Number(key)) : originalKey(key), value);
    }
    return keys.map((key) => found.get(key));
  }

  iterator(range: Range): ReturnType<Store['iterator']> {
    return new Pages(this.#ask, this.#cell, range);
  }
}

/** A store over reads; without `batch` it is read-only. */
export const storeOf = (
  reads: LogReads,
  { moment, batch, close }: Required<Pick<Store, 'moment'>> & Partial<Pick<Store, 'batch' | 'close'>>,
): Store => ({
  batch: batch ?? (() => Promise.reject(new TopologError('lease_lost', { reason: 'it only reads it' }))),
  get: (key) => reads.get(key),
  getMany: (keys) => reads.getMany(keys),
  iterator: (range) => reads.iterator(range),
  moment,
  close: close ?? (() => Promise.resolve()),
});

/** Verifies checksums. A log without events gets checksums before anything else is written. */
export const checkedStore = async (store: Store): Promise<Store> => {
  try {
    const allSealed = (await store.get(KEYS.format)) !== undefined || (await lastPosition(store)) === 0;
    return new CheckedStore(store, { allSealed });
  } catch (error) {
    await store.close();
    throw error;
  }
};
