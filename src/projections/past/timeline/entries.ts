import type { LogEvent } from '../../../events/event.ts';
import { textsAt } from '../../../events/read.ts';
import type { Store } from '../../../events/store/database.ts';
import { type RowFilter, testOf } from './filter.ts';
import { asData } from './kinds.ts';
import type { ObjectRef } from './names.ts';
import type { TimeIndex } from './time-index.ts';
import { type Mark, markOf, rowsOf, type Span } from './view.ts';

export interface EntriesQuery extends RowFilter, Span {
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/** An entry with all that a sentence about it needs. */
export interface Entry extends Mark {
  type: string;
  /** What its object was called then; null: it has no name. */
  name: string | null;
  /** What it was called before, where that is what the event is about. */
  former: string | null;
  /** Of a link: what stood at its ends. */
  ends: { name: string; port: string }[];
  /** Milliseconds since what led to it was asked for. */
  took: number | null;
  /** Of the event, the first one where there are several. Long texts and lists are cut. */
  data: Record<string, unknown>;
}

export interface EntriesPage {
  /** Of all that the filter lets through: in the span, and how many are before the first one that is told. */
  total: number;
  index: number;
  entries: Entry[];
}

/** Reads a page of entries; the events of those only. */
export const entriesOf = async (store: Store, index: TimeIndex, query: EntriesQuery): Promise<EntriesPage> => {
  const { rows, total, before } = pageOf(index, query);
  const texts = await textsAt(
    store,
    rows.map((row) => index.rows.get('position', row)),
  );
  return {
    total,
    index: before,
    entries: rows.map((row, n) => entryOf(index, row, JSON.parse(texts[n] ?? '') as LogEvent)),
  };
};

const pageOf = (index: TimeIndex, query: EntriesQuery): { rows: number[]; total: number; before: number } => {
  const test = testOf(index, query);
  const [first, end] = rowsOf(index, query);
  const { order, offset, limit } = query;
  if (test === null) {
    const total = Math.max(0, end - first);
    const length = Math.max(0, Math.min(limit, total - offset));
    const start = order === 'asc' ? first + offset : end - 1 - offset;
    return {
      rows: Array.from({ length }, (_, n) => (order === 'asc' ? start + n : start - n)),
      total,
      before: Math.max(0, start),
    };
  }
  let before = 0;
  for (let row = 0; row < first; row++) if (test(row)) before++;
  const found: number[] = [];
  for (let row = first; row < end; row++) if (test(row)) found.push(row);
  const rows = order === 'asc' ? found.slice(offset, offset + limit) : found.toReversed().slice(offset, offset + limit);
  return {
    rows,
    total: found.length,
    before: Math.max(0, before + (order === 'asc' ? offset : found.length - 1 - offset)),
  };
};

const entryOf = (index: TimeIndex, row: number, event: LogEvent): Entry => {
  const mark = markOf(index, row);
  const { object, position } = mark;
  const name = object === null ? null : index.nameAt(object.id, position);
  const former = object === null ? null : index.nameAt(object.id, position - 1);
  return {
    ...mark,
    type: event.type,
    name,
    former: former === name ? null : former,
    ends: object === null ? [] : endsOf(index, object, position),
    took: tookOf(index, event),
    data: shortened(asData(event.data)) as Record<string, unknown>,
  };
};

const endsOf = (index: TimeIndex, { collection, id }: ObjectRef, position: number): Entry['ends'] => {
  const ends = collection === 'link' ? index.names.at(id, position) : null;
  return ends === null || typeof ends === 'string'
    ? []
    : ends.map(([node, port]) => ({ name: index.nameAt(node, position) ?? '', port }));
};

const tookOf = (index: TimeIndex, { cause, at }: LogEvent): number | null => {
  const row = cause === null ? null : index.rowAt(cause);
  return row === null ? null : Date.parse(at) - index.rows.get('at', row);
};

const LONGEST_TEXT = 200;
const LONGEST_LIST = 10;
const DEEPEST = 4;

/** A value without what no sentence tells: a picture, a script, a thousand nodes. */
const shortened = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT - 1)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return null;
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((one) => shortened(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one, depth + 1)]));
};
