import { invalid } from '../../../common/errors.ts';
import type { LogEvent } from '../../../events/event.ts';
import { textsAt } from '../../../events/read.ts';
import type { AnyEvent } from '../../../events/schemas.ts';
import type { Store } from '../../../events/store/store.ts';
import { type RowFilter, testOf } from './filter.ts';
import { asData } from './kinds.ts';
import type { Collection, ObjectRef } from './names.ts';
import type { TimeIndex } from './time-index.ts';
import { TimeLines } from './time-lines.ts';
import {
  type Bound,
  type Mark,
  markOf,
  type Overview,
  overviewOf,
  type OverviewQuery,
  rowsOf,
  type Span,
} from './overview.ts';

type WithMoments<T> = Omit<T, 'from' | 'to'> & { from?: string; to?: string };

/** Progress of the index: events in it, and events of the project. */
export interface Indexed {
  indexed: number;
  of: number;
}

export interface NamedObject {
  collection: Collection;
  id: string;
  name: string | null;
}

/** Events of projects by time. Moments are positions or ISO times. */
export interface TimeReader {
  overview(projectId: string, query: WithMoments<OverviewQuery>): Promise<Overview & Indexed>;
  entries(projectId: string, query: WithMoments<EntriesQuery>): Promise<EntriesPage & Indexed>;
  /** Every object with an event, under its last name, the newest first. */
  objects(projectId: string, limit: number): Promise<NamedObject[]>;
}

interface Log {
  readonly store: Store;
  readonly writable: boolean;
  status(): { position: number };
  onCommitted(listener: (events: AnyEvent[]) => void): void;
}

export const createTimeReader = (log: Log, lines = new TimeLines(log)): TimeReader => {
  const read = async <T>(projectId: string, make: (index: TimeIndex) => T | Promise<T>): Promise<T & Indexed> => {
    const { index, of } = await lines.of(projectId);
    const indexed = index.version;
    return { ...(await make(index)), indexed, of };
  };
  return {
    overview: (projectId, query) => read(projectId, (index) => overviewOf(index, bounded(query))),
    entries: (projectId, query) => read(projectId, (index) => entriesOf(log.store, index, bounded(query))),
    objects: async (projectId, limit) => {
      const { index } = await lines.of(projectId);
      return objectsOf(index, limit);
    },
  };
};

const bounded = <T extends { from?: string; to?: string }>({ from, to, ...query }: T) => ({
  ...query,
  ...(from === undefined ? {} : { from: boundOf(from, 'from') }),
  ...(to === undefined ? {} : { to: boundOf(to, 'to') }),
});

const boundOf = (moment: string, field: string): Bound => {
  if (/^\d{1,15}$/.test(moment)) return { position: Number(moment) };
  const time = Date.parse(moment);
  if (Number.isNaN(time)) throw invalid(`${field} must be a position or an ISO time, not ${moment}`, { field });
  return { time };
};

const objectsOf = (index: TimeIndex, limit: number): NamedObject[] => {
  const found: NamedObject[] = [];
  for (let number = index.objects.size - 1; number > 0 && found.length < limit; number--) {
    const ref = index.object(number);
    if (ref !== null) found.push({ ...ref, name: index.nameAt(ref.id, index.position) });
  }
  return found;
};

interface EntriesQuery extends RowFilter, Span {
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/** An entry with everything that a sentence about it needs. */
interface Entry extends Mark {
  type: string;
  /** Name of its object at that time; null: none. */
  name: string | null;
  /** Name before the event, where the event changes it. */
  former: string | null;
  /** Ends of a link. */
  ends: { name: string; port: string }[];
  /** Milliseconds since the event that caused it. */
  took: number | null;
  /** Data of its first event, with long texts and lists cut. */
  data: Record<string, unknown>;
}

interface EntriesPage {
  /** Number of entries in the span that the filter accepts, and number before the first one returned. */
  total: number;
  index: number;
  entries: Entry[];
}

/** Reads a page of entries; only their events are read. */
const entriesOf = async (store: Store, index: TimeIndex, query: EntriesQuery): Promise<EntriesPage> => {
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

/** Cuts values that no sentence shows, such as pictures, scripts and long lists. */
const shortened = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT - 1)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return null;
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((one) => shortened(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one, depth + 1)]));
};
