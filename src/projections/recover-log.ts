import { streamOf, entries, KEYS, positionOf, type Store } from '../events/store/store.ts';
import type { Damage } from '../events/store/damage.ts';
import { fitsHash, GENESIS } from '../events/encoding.ts';
import type { LogEvent, Head } from '../events/event.ts';
import { lastPosition } from '../events/read.ts';
import { upcast } from '../events/upcasters.ts';
import { fold } from './fold/fold.ts';
import type { RecordChange } from './fold/change.ts';
import { Records } from './store.ts';

/** A range of missing positions, inclusive. */
export interface Gap {
  first: number;
  last: number;
}

/** A discontinuity of a stream: a version is skipped, or an event does not follow by its hash. */
export interface Break {
  project_id: string | null;
  /** Last version before it and its hash; 0 and zeros: the beginning of the stream is missing. */
  version: number;
  hash: string;
  /** First event after it. */
  next_version: number;
  next_prev: string;
  /** Positions between which the missing events lie. */
  after: number;
  before: number;
}

/** A record that can neither be read nor folded from its events. */
export interface LostRecord {
  collection: string;
  id: string;
}

export interface RecoveredLog {
  /** Highest position that the log knows of. */
  position: number;
  /** Number of undamaged events. */
  whole: number;
  missing: Gap[];
  breaks: Break[];
  /** Last event of each stream. */
  heads: Map<string, Head>;
  records: Records;
  /** Fold of the undamaged events. */
  folded: Records;
  lost: LostRecord[];
}

/**
 * Recovers what a damaged log still tells: every undamaged event, and every record, as stored where it is undamaged,
 * else folded from its events where those are. Reads every position by itself; changes nothing.
 */
export const recoverLog = async (store: Store): Promise<RecoveredLog> => {
  const heads = await wholeHeads(store);
  const walk = new Walk(heads);
  const last = Math.max(
    await lastKey(store),
    store.witness?.seen?.position ?? 0,
    ...[...heads.values()].map(({ position }) => position),
  );
  for (let from = 1; from <= last; from += BLOCK) {
    const positions = Array.from({ length: Math.min(BLOCK, last - from + 1) }, (_, n) => from + n);
    const texts = await textsAt(store, positions);
    for (const [n, position] of positions.entries()) walk.look(position, texts[n]);
  }
  walk.end();
  const { records, lost } = await pickRecords(store, walk);
  const { whole, missing, breaks, streams } = walk;
  return { position: last, whole, missing, breaks, heads: streams, records, folded: walk.folded, lost };
};

const BLOCK = 500;

/** Unreadable events count as missing; the others of their block are read one by one then. */
const textsAt = async (store: Store, positions: readonly number[]): Promise<(string | undefined)[]> => {
  try {
    return await store.getMany(positions.map((n) => KEYS.event(n)));
  } catch {
    return Promise.all(positions.map((n) => store.get(KEYS.event(n)).catch(() => undefined)));
  }
};

const lastKey = (store: Store): Promise<number> => lastPosition(store).catch(() => lastReadable(store));

/** Last position whose key can be read, from the beginning. */
const lastReadable = async (store: Store): Promise<number> => {
  let last = 0;
  const see = (key: string): void => void (last = positionOf(key));
  await eachReadable(store, { gte: KEYS.event(0), lte: KEYS.eventEnd }, see, see);
  return last;
};

const wholeHeads = async (store: Store): Promise<Map<string, Head>> => {
  const heads = new Map<string, Head>();
  await eachReadable(store, { gte: KEYS.headStart, lte: KEYS.headEnd }, (key, text) => {
    const head = parsed(text) as Head | null;
    if (head !== null && Number.isSafeInteger(head.position)) heads.set(key.slice(KEYS.headStart.length), head);
  });
  return heads;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Reads as much of a range as possible; `onDamaged` gets the keys of damaged entries. An error of LevelDB itself ends
 * it.
 */
const eachReadable = async (
  store: Store,
  range: { gte: string; lte: string },
  on: (key: string, value: string) => void,
  onDamaged: (key: string) => void = () => undefined,
): Promise<void> => {
  const damaged = ({ key }: Damage): void => onDamaged(key);
  try {
    for await (const [key, value] of entries(store, { ...range, damaged }, 1)) on(key, value);
  } catch {
    // Everything before the error was reported.
  }
};

class Walk {
  readonly streams = new Map<string, Head>();
  readonly missing: Gap[] = [];
  readonly breaks: Break[] = [];
  readonly folded = new Records();
  /** Streams whose last event replaces one that was lost in an earlier repair. */
  readonly #lost = new Set<string>();
  whole = 0;
  readonly #heads: ReadonlyMap<string, Head>;

  constructor(heads: ReadonlyMap<string, Head>) {
    this.#heads = heads;
  }

  look(position: number, text: string | undefined): void {
    const event = text !== undefined && fitsHash(text) ? (JSON.parse(text) as LogEvent) : null;
    if (text === undefined || event?.position !== position) return this.#miss(position);
    this.whole++;
    this.#follow(event);
    this.#fold(event);
  }

  #miss(position: number): void {
    const gap = this.missing.at(-1);
    if (gap?.last === position - 1) gap.last = position;
    else this.missing.push({ first: position, last: position });
  }

  #break(
    project_id: string | null,
    { version, hash, position }: Head,
    next: Pick<Break, 'next_version' | 'next_prev' | 'before'>,
  ): void {
    this.breaks.push({ project_id, version, hash, after: position, ...next });
  }

  #follow({ project_id, version, position, prev, hash, type }: LogEvent): void {
    const stream = streamOf(project_id);
    const from = this.streams.get(stream) ?? { version: 0, hash: GENESIS, position: 0 };
    const follows = version === from.version + 1 && (prev === from.hash || this.#lost.has(stream));
    if (!follows) this.#break(project_id, from, { next_version: version, next_prev: prev, before: position });
    if (type === 'event.lost') this.#lost.add(stream);
    else this.#lost.delete(stream);
    this.streams.set(stream, { version, position, hash });
  }

  #fold(event: LogEvent): void {
    try {
      this.folded.apply(fold(this.folded.committed, upcast(event)));
    } catch {
      // The event depends on a missing one.
    }
  }

  /** Adds breaks for streams that end before their heads, which name the last version. */
  end(): void {
    for (const [stream, head] of this.#heads) {
      const found = this.streams.get(stream) ?? { version: 0, hash: GENESIS, position: 0 };
      if (head.version <= found.version) continue;
      const project_id = stream === streamOf(null) ? null : stream;
      const next = { next_version: head.version + 1, next_prev: head.hash, before: head.position + 1 };
      this.#break(project_id, found, next);
      this.streams.set(stream, head);
    }
  }

  isWhole(projectId: string | null): boolean {
    return !this.breaks.some(({ project_id }) => project_id === projectId);
  }
}

type Known = { project_id?: string; changed?: number } | undefined;

const pickRecords = async (store: Store, walk: Walk): Promise<{ records: Records; lost: LostRecord[] }> => {
  const folded = new Map<string, RecordChange>();
  for (const [collection, id, record] of walk.folded.all())
    folded.set(KEYS.record(collection, id), { collection, id, record } as RecordChange);
  const keys = new Set(folded.keys());
  const add = (key: string): void => void keys.add(key);
  await eachReadable(store, { gte: KEYS.recordStart, lte: KEYS.recordEnd }, add, add);
  const picked: RecordChange[] = [];
  const lost: LostRecord[] = [];
  for (const key of keys) {
    const [, collection = '', id = ''] = key.split('/');
    const known = folded.get(key)?.record as Known;
    const choice = chooseRecord(await storedAt(store, key), known, walk);
    if (choice === 'lost') lost.push({ collection, id });
    else if (choice !== 'gone') picked.push({ collection, id, record: choice } as unknown as RecordChange);
  }
  const records = new Records();
  records.restore(picked);
  return { records, lost };
};

/** undefined: there is none; null: unreadable. */
const storedAt = async (store: Store, key: string): Promise<Known | null> => {
  try {
    const text = await store.get(key);
    return text === undefined ? undefined : ((parsed(text) as Known) ?? null);
  } catch {
    return null;
  }
};

/** Prefers the fold of a complete stream; of an incomplete one, the stored record. */
const chooseRecord = (stored: Known | null, folded: Known, walk: Walk): Known | 'lost' | 'gone' => {
  const project = (folded ?? stored)?.project_id ?? null;
  const isWhole = (folded ?? stored) == null ? walk.breaks.length === 0 : walk.isWhole(project);
  if (isWhole && (stored?.changed ?? 0) <= (folded?.changed ?? 0)) return folded ?? 'gone';
  if (stored === undefined) return 'gone';
  return stored ?? 'lost';
};
