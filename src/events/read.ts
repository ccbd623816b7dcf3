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

/** What a reader throws when an event, or an entry of an index, is not there. */
const missing = (store: Store, key: string, message: string): DamagedLog =>
  damaged(store, { ...placeOf(key), message });

/**
 * The texts of events in order, block by block, without gaps: one that is not there throws `DamagedLog`. `to`: the last one wanted, which
 * must be there; without it, all there are.
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

/** The texts of events that must be there. */
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

/** What the server's own stream tells of starts, takeovers and clean ends, latest first. */
export async function* startsAndStops(store: Store): AsyncGenerator<LifeEvent> {
  const stream = streamOf(null);
  const range = { gte: KEYS.stream(stream, 0), lte: KEYS.streamEnd(stream), reverse: true };
  for await (const [, position] of entries(store, range)) {
    const text = await store.get(KEYS.event(Number(position)));
    // Most are refused requests, and need not be parsed.
    if (text?.includes('"type":"server.') !== true) continue;
    const event = JSON.parse(text) as AnyEvent;
    if (isOfLife(event)) yield event;
  }
}

/** The server that wrote a log last. */
export interface LastWriter {
  /** null: it did not say, as the first versions. */
  server: string | null;
  /** What people call it. */
  name: string;
  /** Of the event that says so; 0: none does. */
  position: number;
  /** It ended by itself, and with it what ran: then nothing is lost. */
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

/** Where a server has ended by itself last: until then everything was finished. 0: none has. */
export const lastEnd = async (store: Store): Promise<number> => {
  for await (const { type, position } of startsAndStops(store)) if (type === 'server.stopped') return position;
  return 0;
};

/** Last version of a stream, 0 where there is none. */
export const lastVersion = async (store: Store, projectId: string | null): Promise<number> => {
  const key = KEYS.head(streamOf(projectId));
  // Not by `get`: a damaged filter of LevelDB says that there is none.
  for await (const [, head] of entries(store, { gte: key, lte: key }, 1))
    return (JSON.parse(head) as { version: number }).version;
  return 0;
};

/** When the last event of each stream happened, ISO times; streams that have none are left out. */
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

/** Position of a version of a stream that is not beyond its end. */
export const positionOfVersion = async (store: Store, stream: string, version: number): Promise<number> => {
  const position = await store.get(KEYS.stream(stream, version));
  if (position === undefined) throw missing(store, KEYS.stream(stream, version), 'the entry of the index is missing');
  return Number(position);
};

/** Positions of the versions of a stream, block by block, up to the last or to `to`: they have no gaps. */
export async function* streamPositions(
  store: Store,
  projectId: string | null,
  from: number,
  to = Infinity,
): AsyncGenerator<number[]> {
  const stream = streamOf(projectId);
  // Read first: what is added meanwhile makes the index longer than this.
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

/** Stored texts of events in order: of the whole server (undefined), or of one project's stream. */
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

/** Hands every event, as today's code knows it, over in order; resolves with how many there were. Streams: memory stays bounded. */
export const eachEvent = async (store: Store, on: (event: AnyEvent) => void, from = 1): Promise<number> => {
  let events = 0;
  for await (const texts of eventTexts(store, from)) {
    // Parsed one by one, so that none outlives its fold.
    for (const text of texts) on(upcast(new StoredEvent(text)));
    events += texts.length;
  }
  return events;
};

/** The same, to be iterated over. */
export async function* readEvents(store: Store, from = 1): AsyncGenerator<AnyEvent> {
  for await (const texts of eventTexts(store, from))
    for (const text of texts) yield upcast(JSON.parse(text) as LogEvent);
}

/**
 * Every stored record: `[collection, id, record]`. One that is damaged, missing or older than it ought to be throws; with `onDamage` it
 * is told, and the others are read.
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

/** The events of a stream from a version on, in order, a page at a time. */
export async function* streamTexts(store: Store, stream: string | null, first: number): AsyncGenerator<string> {
  for (let from = first; ; from += PAGE) {
    const texts = await readTexts(store, stream, { from, limit: PAGE });
    yield* texts;
    if (texts.length < PAGE) return;
  }
}
