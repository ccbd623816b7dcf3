import type { Steps } from '../../../common/slices.ts';
import { positionOf, type StoreOp } from '../store.ts';
import { int8Array, textArray } from './arrays.ts';
import type { Statement } from './session.ts';
import { keptKey, type Table, tableOf } from './tables.ts';

/** Which batch of which writer it is. */
export interface Turn {
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
export type Sorted = Record<Table, Changes>;

/** By tables, each key once: what is said last of a key counts. */
export function* sorted(ops: readonly StoreOp[]): Steps<Sorted> {
  const last = new Map<string, StoreOp>();
  for (const op of ops) {
    last.set(op.key, op);
    yield;
  }
  const found: Sorted = { event: changes(), entry: changes(), record: changes() };
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
  table === 'event' ? int8Array(keys.map(positionOf)) : textArray(keys.map(keptKey));

/**
 * One statement, and so one round trip and one transaction: it moves the cell on if the turn is the writer's, and all else is taken from
 * the row that has moved. Its one row says how many have: 0 is nothing, and nothing is changed. Events and entries are new, as nearly
 * always, which is a fifth cheaper; where one is not (`unique_violation`) nothing is done, and it is asked again with `overwrites`.
 */
export const batchStatement = ({ cell, epoch, batch }: Turn, ops: Sorted, overwrites: boolean): Statement => {
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

const headOf = ({ event: { keys } }: Sorted): number => keys.reduce((head, key) => Math.max(head, positionOf(key)), 0);
