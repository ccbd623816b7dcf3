import { changedAt, type RecordSum } from './log/batch-ops.ts';
import { damaged } from './store/checked-store.ts';
import { type Damage, type DamagedLog, placeOf } from './store/damage.ts';
import type { AnyEvent } from './schemas.ts';
import type { Head, LogEvent } from './event.ts';
import { blocks, streamOf, entries, KEYS, positionOf, type Store } from './store/store.ts';
import { StoredEvent } from './encoding.ts';
import { upcast } from './upcasters.ts';

export interface Page {
  /** First position (or version, for a project) wanted; default 1. */
  from?: number;
  /** Default 1000. */
  limit?: number;
}

/** Error for a missing event or index entry. */
const missing = (store: Store, key: string, message: string): DamagedLog =>
  damaged(store, { ...placeOf(key), message });

/**
 * Texts of events in order, block by block; throws `DamagedLog` for a gap. `to`: the last one, which must exist;
 * without it, all events.
 */
export async function* eventTexts(store: Store, from: number, to?: number, block?: number): AsyncGenerator<string[]> {
  let expected = from;
  const range = { gte: KEYS.event(from), lte: to === undefined ? KEYS.eventEnd : KEYS.event(to) };
  for await (const rows of blocks(store, range, block)) {
    for (const [key] of rows) {
      const position = positionOf(key);
      if (position !== expected)
        throw missing(store, KEYS.event(expected), `the event is missing; the next one is ${position}`);
      expected++;
    }
    yield rows.map(([, text]) => text);
  }
  if (to !== undefined && expected <= to) throw missing(store, KEYS.event(expected), 'the event is missing');
}

/** Texts of events; throws `DamagedLog` for a missing one. */
export const textsAt = async (store: Store, positions: readonly number[]): Promise<string[]> => {
  const texts = await store.getMany(positions.map(KEYS.event));
  return texts.map((text, i) => {
    if (text === undefined) throw missing(store, KEYS.event(positions[i] ?? 0), 'the event is missing');
    return text;
  });
};

export const eventAt = async (store: Store, position: number): Promise<LogEvent> => {
  const [text = ''] = await textsAt(store, [position]);
  return JSON.parse(text) as LogEvent;
};

const LIFE_TYPES = ['server.started', 'server.stopped', 'server.took_over'] as const;
type LifeEvent = Extract<AnyEvent, { type: (typeof LIFE_TYPES)[number] }>;
const isOfLife = (event: AnyEvent): event is LifeEvent => LIFE_TYPES.some((type) => type === event.type);

/** Starts, takeovers and clean ends in the server's own stream, latest first. */
export async function* startsAndStops(store: Store): AsyncGenerator<LifeEvent> {
  const stream = streamOf(null);
  const range = { gte: KEYS.stream(stream, 0), lte: KEYS.streamEnd(stream), reverse: true };
  for await (const [, position] of entries(store, range)) {
    const text = await store.get(KEYS.event(Number(position)));
    // Most events of this stream are refused requests, which need no parsing.
    if (text?.includes('"type":"server.') !== true) continue;
    const event = JSON.parse(text) as AnyEvent;
    if (isOfLife(event)) yield event;
  }
}

/** The server that wrote a log last. */
export interface LastWriter {
  /** null: not recorded, as in the first versions. */
  server: string | null;
  /** Name for people. */
  name: string;
  /** Position of the event that names it; 0: none. */
  position: number;
  /** The server shut down cleanly and ended what ran: nothing is lost. */
  ended: boolean;
}

export const lastWriter = async (store: Store): Promise<LastWriter> => {
  let ended: boolean | null = null;
  for await (const { type, data, position } of startsAndStops(store)) {
    if (type === 'server.stopped') ended ??= data.kept_running === undefined;
    else return { server: data.server ?? null, name: data.name ?? 'another server', position, ended: ended ?? false };
  }
  return { server: null, name: 'another server', position: 0, ended: ended ?? false };
};

/** Position of the last clean end of a server, up to which everything was finished; 0: none. */
export const lastEnd = async (store: Store): Promise<number> => {
  for await (const { type, position } of startsAndStops(store)) if (type === 'server.stopped') return position;
  return 0;
};

/** Last version of a stream, 0 where there is none. */
export const lastVersion = async (store: Store, projectId: string | null): Promise<number> => {
  const key = KEYS.head(streamOf(projectId));
  // Not read by `get`: with a damaged filter LevelDB reports that there is none.
  for await (const [, head] of entries(store, { gte: key, lte: key }, 1))
    return (JSON.parse(head) as { version: number }).version;
  return 0;
};

/** ISO times of the last event of each stream; streams without events are left out. */
export const lastTimes = async (store: Store, projectIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const heads = await store.getMany(projectIds.map((id) => KEYS.head(streamOf(id))));
  const known = projectIds.flatMap((id, index) => {
    const head = heads[index];
    return head === undefined ? [] : [{ id, position: (JSON.parse(head) as Head).position }];
  });
  const texts = await textsAt(
    store,
    known.map(({ position }) => position),
  );
  return new Map(known.map(({ id }, index) => [id, (JSON.parse(texts[index] ?? '') as LogEvent).at]));
};

/** Position of a version that the stream has. */
export const positionOfVersion = async (store: Store, stream: string, version: number): Promise<number> => {
  const position = await store.get(KEYS.stream(stream, version));
  if (position === undefined) throw missing(store, KEYS.stream(stream, version), 'the entry of the index is missing');
  return Number(position);
};

/** Positions of the versions of a stream in blocks, up to the last or to `to`; throws `DamagedLog` for a gap. */
export async function* streamPositions(
  store: Store,
  projectId: string | null,
  from: number,
  to = Infinity,
): AsyncGenerator<number[]> {
  const stream = streamOf(projectId);
  // Read first: appends during the loop make the index longer.
  const last = Math.min(to, await lastVersion(store, projectId));
  if (from > last) return;
  let expected = from;
  const gap = (): DamagedLog => missing(store, KEYS.stream(stream, expected), 'the entry of the index is missing');
  for await (const rows of blocks(store, { gte: KEYS.stream(stream, from), lte: KEYS.stream(stream, last) })) {
    for (const [key] of rows) {
      if (Number(key.slice(key.lastIndexOf('/') + 1)) !== expected) throw gap();
      expected++;
    }
    yield rows.map(([, position]) => Number(position));
  }
  if (expected <= last) throw gap();
}

/** Stored texts in order, of all streams (undefined) or of one. */
export const readTexts = async (
  store: Store,
  projectId: string | null | undefined,
  page: Page = {},
): Promise<string[]> => {
  const from = page.from ?? 1;
  const limit = page.limit ?? 1000;
  if (projectId === undefined) {
    const texts: string[] = [];
    const last = Math.min(from + limit - 1, await lastPosition(store));
    if (last >= from) for await (const block of eventTexts(store, from, last, limit)) texts.push(...block);
    return texts;
  }
  const positions: number[] = [];
  for await (const block of streamPositions(store, projectId, from, from + limit - 1)) positions.push(...block);
  return textsAt(store, positions);
};

/** Position of the last stored event, 0 in an empty log. */
export const lastPosition = async (store: Store): Promise<number> => {
  for await (const [key] of entries(store, { gte: KEYS.event(0), lte: KEYS.eventEnd, reverse: true, limit: 1 }, 1))
    return positionOf(key);
  return 0;
};

/**
 * Calls `on` with every event, upcast, in order; resolves with their number. Reads block by block in bounded memory.
 */
export const eachEvent = async (store: Store, on: (event: AnyEvent) => void, from = 1): Promise<number> => {
  let events = 0;
  for await (const texts of eventTexts(store, from)) {
    // Parsed one by one, so that each can be collected after its fold.
    for (const text of texts) on(upcast(new StoredEvent(text)));
    events += texts.length;
  }
  return events;
};

/** The same as an iterator. */
export async function* readEvents(store: Store, from = 1): AsyncGenerator<AnyEvent> {
  for await (const texts of eventTexts(store, from))
    for (const text of texts) yield upcast(JSON.parse(text) as LogEvent);
}

/**
 * Every stored record: `[collection, id, record]`. Throws for damaged, missing or outdated records; with `onDamage`
 * they are reported instead, and the others are read.
 */
export async function* readRecords(
  store: Store,
  onDamage?: (damage: Damage) => void,
): AsyncGenerator<[string, string, unknown]> {
  const found = { records: 0, changed: 0 };
  let expected: RecordSum | null = null;
  let damages = 0;
  const count = (damage: Damage): void => {
    damages++;
    onDamage?.(damage);
  };
  const range = { gte: KEYS.recordSum, lte: KEYS.recordEnd, ...(onDamage === undefined ? {} : { damaged: count }) };
  for await (const rows of blocks(store, range))
    for (const [key, text] of rows) {
      if (key === KEYS.recordSum) {
        expected = JSON.parse(text) as RecordSum;
        continue;
      }
      const [, collection = '', id = ''] = key.split('/');
      const record: unknown = JSON.parse(text);
      found.records++;
      found.changed += changedAt(record);
      yield [collection, id, record];
    }
  if (damages > 0 || (expected === null && (await store.get(KEYS.format)) === undefined)) return;
  if (expected?.records === found.records && expected.changed === found.changed) return;
  const message =
    expected === null
      ? 'their number is missing'
      : `${found.records} of ${expected.records} are there, or some are older than the log`;
  const damage = { ...placeOf(KEYS.recordSum), where: 'the records', message };
  if (onDamage === undefined) throw damaged(store, damage);
  onDamage(damage);
}

const PAGE = 1000;

/** Texts of a stream from a version on, in order, read in pages. */
export async function* streamTexts(store: Store, stream: string | null, first: number): AsyncGenerator<string> {
  for (let from = first; ; from += PAGE) {
    const texts = await readTexts(store, stream, { from, limit: PAGE });
    yield* texts;
    if (texts.length < PAGE) return;
  }
}
