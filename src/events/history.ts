import { invalid } from '../common/errors.ts';
import { blocks, streamOf, KEYS, type Store } from './store/store.ts';
import type { LogEvent } from './event.ts';
import { streamPositions, eventAt, eventTexts, lastVersion, positionOfVersion, textsAt } from './read.ts';

/** Filter of events. Positions and times are inclusive. */
export interface HistoryQuery {
  /** Stream of a project; null: the server's own; undefined: all streams. */
  project_id?: string | null;
  from?: number;
  to?: number;
  /** ISO times. */
  since?: string;
  until?: string;
  /** Exact types, or `node.` for all types of a noun. */
  types?: readonly string[];
  /** Id of a node, link or drawing. */
  object?: string;
  principal?: string;
  request_id?: string;
  /** Maximum number of events in the answer. */
  limit?: number;
  /** Characters of the answer after which no more events are added. */
  size?: number;
}

export interface HistoryPage {
  /** Stored texts, oldest first. */
  texts: string[];
  /** Position at which the next page begins; null at the end. */
  next: number | null;
}

/**
 * Keys read at once while filtering, and the maximum of events examined for one page before a short page is returned.
 */
const BLOCK = 500;
const MOST_LOOKED_AT = 50_000;
/** Events in memory at once while filtering: one may hold a picture of some MiB. */
const READ = 32;
/** Maximum of characters in a page that a server sends. */
export const PAGE_SIZE = 8 << 20;

/** Binary search: smallest number from 1 to `last` + 1 for which `holds`; it must hold for all larger ones. */
const firstOf = async (last: number, holds: (n: number) => Promise<boolean>): Promise<number> => {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Position of the first event at or after a time; `last` + 1 when there is none. Times never decrease in the log. */
const positionAtTime = (store: Store, last: number, time: string): Promise<number> =>
  firstOf(last, async (n) => (await eventAt(store, n)).at >= time);

/** First version of a stream at or after a position. */
export const versionAtPosition = async (store: Store, projectId: string | null, position: number): Promise<number> => {
  const stream = streamOf(projectId);
  return firstOf(
    await lastVersion(store, projectId),
    async (n) => (await positionOfVersion(store, stream, n)) >= position,
  );
};

/** The position that a moment is written as; null: it is a time. */
export const positionIn = (moment: string): number | null => (/^\d+$/.test(moment) ? Number(moment) : null);

/** Position of the last event at a moment, which is a position (of the future as well) or an ISO time. */
const lastUntil = async (store: Store, last: number, moment: string, field: string): Promise<number> => {
  const position = positionIn(moment);
  if (position !== null) return position;
  const time = Date.parse(moment);
  if (Number.isNaN(time)) throw invalid(`${field} must be a position or an ISO time, not ${moment}`, { field });
  return (await positionAtTime(store, last, new Date(time + 1).toISOString())) - 1;
};

/** Position of the last event at a moment. Throws for a position that the log does not have yet. */
export const parseMoment = async (store: Store, last: number, moment: string, field = 'at'): Promise<number> => {
  const position = await lastUntil(store, last, moment, field);
  if (position > last)
    throw invalid(`${field} must be a position up to ${last}, the last one of the log, not ${moment}`, { field, last });
  return position;
};

/** A page of all streams without a filter: the events are adjacent. */
const plainPage = async (store: Store, from: number, to: number, page: Page): Promise<HistoryPage> => {
  // Reads one more than it returns, to know whether there is a next page.
  for await (const block of eventTexts(store, from, Math.min(to, from + page.limit), Math.min(READ, page.limit + 1)))
    for (const text of block) if (!page.add(text)) return { texts: page.texts, next: from + page.texts.length };
  return { texts: page.texts, next: null };
};

/** Collects events for an answer, up to its bounds. */
class Page {
  readonly texts: string[] = [];
  readonly limit: number;
  #left: number;

  constructor({ limit = 1000, size = Infinity }: HistoryQuery) {
    this.limit = limit;
    this.#left = size;
  }

  get isFull(): boolean {
    return this.texts.length === this.limit || this.#left <= 0;
  }

  /** False: full without this text. */
  add(text: string): boolean {
    if (this.isFull) return false;
    this.texts.push(text);
    this.#left -= text.length;
    return true;
  }
}

/** Positions that may match, in order, by the narrowest index. */
async function* candidates(store: Store, query: HistoryQuery, from: number, to: number): AsyncGenerator<number> {
  if (query.object !== undefined) {
    const range = { gte: KEYS.object(query.object, from), lte: KEYS.object(query.object, to) };
    await store.sure?.(range.gte, range.lte);
    for await (const rows of blocks(store, range, BLOCK))
      for (const [key] of rows) yield Number(key.slice(key.lastIndexOf('/') + 1));
    return;
  }
  if (query.project_id === undefined) {
    for (let n = from; n <= to; n++) yield n;
    return;
  }
  const start = await versionAtPosition(store, query.project_id, from);
  for await (const positions of streamPositions(store, query.project_id, start))
    for (const position of positions) {
      if (position > to) return;
      yield position;
    }
}

const matches = (query: HistoryQuery, event: LogEvent): boolean =>
  (query.project_id === undefined || event.project_id === query.project_id) &&
  (query.types === undefined ||
    query.types.some((t) => event.type === t || (t.endsWith('.') && event.type.startsWith(t)))) &&
  (query.principal === undefined || event.by.principal === query.principal) &&
  (query.request_id === undefined || event.request_id === query.request_id);

const isPlain = (query: HistoryQuery): boolean =>
  query.types === undefined &&
  query.principal === undefined &&
  query.request_id === undefined &&
  query.object === undefined;

/** One page of history. `last`: last position of the log. A page may be short and still have a next one. */
export const history = async (store: Store, last: number, query: HistoryQuery): Promise<HistoryPage> => {
  const page = new Page(query);
  const from = Math.max(
    query.from ?? 1,
    query.since === undefined ? 1 : await positionAtTime(store, last, iso(query.since)),
  );
  const until = query.until === undefined ? last : await lastUntil(store, last, query.until, 'until');
  const to = Math.min(query.to ?? last, until, last);
  if (isPlain(query) && query.project_id === undefined) return plainPage(store, from, to, page);
  const { texts, limit } = page;
  let looked = 0;
  let block: number[] = [];
  const take = async (): Promise<number | null> => {
    for (let at = 0; at < block.length; at += READ)
      for (const [i, text] of (await textsAt(store, block.slice(at, at + READ))).entries()) {
        if (page.isFull) return block[at + i] ?? null;
        if (isPlain(query) || matches(query, JSON.parse(text) as LogEvent)) page.add(text);
      }
    looked += block.length;
    const end = block.at(-1) ?? 0;
    block = [];
    return looked >= MOST_LOOKED_AT ? end + 1 : null;
  };
  for await (const position of candidates(store, query, from, to)) {
    block.push(position);
    // A page without a filter reads one more than it returns, to know whether there is a next page.
    if (block.length < (isPlain(query) ? Math.min(BLOCK, limit + 1) : BLOCK)) continue;
    const next = await take();
    if (next !== null) return { texts, next };
  }
  return { texts, next: await take() };
};

const iso = (time: string): string => {
  const parsed = Date.parse(time);
  if (Number.isNaN(parsed)) throw invalid(`since must be an ISO time, not ${time}`, { field: 'since' });
  return new Date(parsed).toISOString();
};

/** Events that led to an event, nearest first, up to the one that a request caused; 20 at most. */
export const causesOf = async (store: Store, event: LogEvent): Promise<LogEvent[]> => {
  const causes: LogEvent[] = [];
  for (let cause = event.cause; cause !== null && causes.length < 20;) {
    const found = await eventAt(store, cause);
    causes.push(found);
    cause = found.cause;
  }
  return causes;
};
