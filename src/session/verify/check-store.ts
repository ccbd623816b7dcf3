import { setImmediate as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { streamOf, KEYS, type Range, type Store } from '../../events/store/database.ts';
import { type Damage, DamagedLog } from '../../events/store/damage.ts';
import { decodeEvent, GENESIS } from '../../events/encoding.ts';
import type { LogEvent } from '../../events/event.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { follows, type Head } from '../../events/log/startup.ts';
import { upcast } from '../../events/upcasters.ts';
import { messageOf } from '../../common/errors.ts';
import { fold } from '../../projections/fold/fold.ts';
import { CHECKPOINTS } from '../../projections/past/checkpoints.ts';
import type { Gap } from '../../projections/salvage.ts';
import { Records } from '../../projections/store.ts';
import { missingEntries, wrongEntries } from './check-indexes.ts';
import { verifySignature } from '../keys.ts';
import { repairText } from '../repair-text.ts';
import { takeSnapshot } from '../snapshot.ts';

/** Something that does not fit. */
export interface StoreProblem {
  /** Position of the event at which, or by which, it was found; null for what has no event. */
  position: number | null;
  /** What is broken: `event`, `head`, `index`, `record` or `checkpoint`, with its name. */
  where: string;
  message: string;
}

export interface StoreVerdict {
  ok: boolean;
  /** Events walked. */
  facts: number;
  /** Records compared. */
  records: number;
  /** Events that an earlier repair has left out; its `log.repaired` lists them. */
  lost: number;
  /** The first problem. */
  problem: StoreProblem | null;
  /** All of them, up to `MOST_PROBLEMS`. */
  problems: StoreProblem[];
}

/** What is listed at most: with more, all that is known is that much is damaged. */
export const MOST_PROBLEMS = 1000;
/** Events read at once. */
const BLOCK = 250;

export interface CheckOptions {
  /** Gets how far the events have been walked. */
  onPosition?: (position: number) => void;
  /** Gets every event that is whole. */
  onEvent?: (event: AnyEvent) => void;
}

const RANGES = {
  heads: { gte: KEYS.headStart, lte: KEYS.headEnd },
  records: { gte: KEYS.recordStart, lte: KEYS.recordEnd },
  checkpoints: { gte: CHECKPOINTS.start, lte: CHECKPOINTS.end },
  objects: { gte: 'o/', lte: 'o/~' },
} satisfies Record<string, Range>;

/**
 * Walks every event of a store (or of one project) and everything that is derived from the events: heads, indexes, records and
 * checkpoints, and says what does not fit. Reads one moment of a log that may be written at the same time, in blocks, so that
 * others get their turn. What cannot be read is a problem like any other.
 */
export const checkStore = async (
  store: Store,
  projectId: string | null = null,
  options: CheckOptions = {},
): Promise<StoreVerdict> => {
  const stream = projectId === null ? null : streamOf(projectId);
  const walk = new Walk(store, stream, options);
  const damaged = (damage: Damage): void => walk.damaged(damage);
  const snapshot = await takeSnapshot(store, {
    heads: { ...RANGES.heads, damaged },
    records: { ...RANGES.records, damaged },
    checkpoints: { ...RANGES.checkpoints, damaged },
    objects: { ...RANGES.objects, damaged },
    streams:
      stream === null
        ? { gte: 'p/', lte: 'p/~', damaged }
        : { gte: KEYS.stream(stream, 0), lte: KEYS.streamEnd(stream), damaged },
    own: { gte: KEYS.stream(stream ?? '', 0), lte: KEYS.streamEnd(stream ?? '') },
  });
  const { rows, position } = snapshot;
  try {
    await walk.part('checkpoint', () => walk.loadCheckpoints(rows.checkpoints));
    if (stream === null) await walk.events(upTo(position));
    else await walk.part('index', () => walk.events(entriesOf(rows.own)));
    walk.lost();
    await walk.part('head', () => walk.heads(rows.heads));
    await walk.part('index', () => walk.indexes(rows.streams));
    await walk.part('index', () => walk.indexes(rows.objects));
    await walk.part('record', () => walk.records(rows.records));
    return walk.verdict();
  } finally {
    await snapshot.close();
  }
};

/** Every position, in blocks: also those that no key leads to. */
function* upTo(last: number): Generator<number[]> {
  for (let from = 1; from <= last; from += BLOCK)
    yield Array.from({ length: Math.min(BLOCK, last - from + 1) }, (_, n) => from + n);
}

async function* entriesOf(rows: Rows): AsyncGenerator<number[]> {
  for await (const block of rows) yield block.map(([, value]) => Number(value));
}

type Rows = AsyncIterable<[string, string][]>;

class Walk {
  readonly #store: Store;
  /** Only this one, or all. */
  readonly #stream: string | null;
  readonly #options: CheckOptions;
  readonly #streams = new Map<string, Head>();
  readonly #folded = new Records();
  readonly #checkpoints = new Map<string, string>();
  readonly #problems: StoreProblem[] = [];
  /** Streams that miss events: what is derived from them cannot be judged. */
  readonly #torn = new Set<string>();
  /** Positions of events that are missing: what follows them in their unknown stream may not fit. */
  readonly #missed = new Set<number>();
  readonly #damaged = new Set<string>();
  /** Positions of events that an earlier repair has left out, and what the repairs say. */
  readonly #lost = new Set<number>();
  readonly #repairs: Gap[] = [];
  #events = 0;
  #records = 0;

  constructor(store: Store, stream: string | null, options: CheckOptions) {
    this.#store = store;
    this.#stream = stream;
    this.#options = options;
  }

  verdict(): StoreVerdict {
    const problems = this.#problems;
    const problem = problems[0] ?? null;
    const counted = { facts: this.#events, records: this.#records, lost: this.#lost.size };
    return { ok: problem === null, ...counted, problem, problems };
  }

  #broken(position: number | null, where: string, message: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ position, where, message });
  }

  /** An entry that is not as it was written. */
  damaged({ position, key, message }: Damage): void {
    if (this.#damaged.has(key) || (this.#stream !== null && !this.#concerns(key) && key.startsWith('h/'))) return;
    this.#damaged.add(key);
    const [kind = ''] = key.split('/');
    this.#broken(position, `${NAMES[kind] ?? 'entry'} ${key}`, message);
  }

  /** A part of the store that cannot be read to its end is a problem. */
  async part(where: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.#broken(null, where, `it cannot be read: ${messageOf(error)}`);
    }
  }

  async loadCheckpoints(rows: Rows): Promise<void> {
    for await (const block of rows)
      for (const [key, text] of block) if (this.#concerns(key)) this.#checkpoints.set(key, text);
  }

  /** Keys of heads, streams and checkpoints name the stream in their second part. */
  #concerns(key: string): boolean {
    return this.#stream === null || key.split('/')[1] === this.#stream;
  }

  async events(blocks: AsyncIterable<number[]> | Iterable<number[]>): Promise<void> {
    for await (const positions of blocks) {
      const texts = await this.#texts(positions);
      const found = positions.map((position, i) => this.#event(position, texts[i])).filter((event) => event !== null);
      for (const { key, position } of await missingEntries(this.#store, found))
        if (!this.#damaged.has(key)) this.#broken(position, `index ${key}`, 'the entry is missing or wrong');
      this.#options.onPosition?.(positions.at(-1) ?? 0);
      await pause();
    }
  }

  /** One that cannot be read is an error; the others of its block are read by themselves then. */
  async #texts(positions: number[]): Promise<(string | undefined | Error)[]> {
    const keys = positions.map((position) => KEYS.event(position));
    try {
      return await this.#store.getMany(keys);
    } catch {
      const one = (key: string) => this.#store.get(key).catch((error: unknown) => new Error(wordsOf(error)));
      return Promise.all(keys.map(one));
    }
  }

  #event(position: number, text: string | undefined | Error): LogEvent | null {
    const miss = (message: string): null => {
      this.#missed.add(position);
      this.#broken(position, 'event', message);
      return null;
    };
    if (text === undefined) return miss('the event is missing');
    if (text instanceof Error) return miss(text.message);
    const event = decodeEvent(text);
    if (event?.position !== position) return miss('the stored content does not fit its hash');
    const name = streamOf(event.project_id);
    if (this.#stream !== null && name !== this.#stream) {
      this.#broken(position, 'event', `it is not of stream ${this.#stream}`);
      return null;
    }
    this.#follow(event, name);
    this.#fold(event);
    this.#events++;
    return event;
  }

  #follow(event: LogEvent, name: string): void {
    const stream = this.#streams.get(name) ?? { version: 0, position: 0, hash: GENESIS };
    if (event.type === 'event.lost') this.#lost.add(event.position);
    if (event.type === 'log.repaired') this.#repaired(event as AnyEvent & { type: 'log.repaired' });
    if (!follows(event, { ...stream, type: this.#lost.has(stream.position) ? 'event.lost' : '' })) {
      this.#torn.add(name);
      // Where events are missing, the break is theirs.
      if (this.#missed.size === 0)
        this.#broken(event.position, 'event', `it does not follow version ${stream.version} of stream ${name}`);
    }
    this.#streams.set(name, { version: event.version, position: event.position, hash: event.hash });
  }

  /** What a repair says to be lost, when it has signed that. */
  #repaired({ position, data }: AnyEvent & { type: 'log.repaired' }): void {
    if (verifySignature(data.public_key, repairText(data), data.signature)) this.#repairs.push(...data.lost);
    else this.#broken(position, 'event', 'the signature of the repair does not fit what it says');
  }

  /** With one stream alone, the repair is in another. */
  lost(): void {
    if (this.#stream !== null) return;
    for (const position of this.#lost)
      if (!this.#repairs.some(({ first, last }) => first <= position && position <= last))
        this.#broken(position, 'event', 'it is lost, and no signed repair says so');
  }

  #fold(event: LogEvent): void {
    try {
      const known = upcast(event);
      this.#options.onEvent?.(known);
      this.#folded.apply(fold(this.#folded.committed, known));
    } catch (error) {
      if (!this.#torn.has(streamOf(event.project_id)))
        this.#broken(event.position, 'event', `it cannot be folded: ${messageOf(error)}`);
    }
    const key = CHECKPOINTS.key(streamOf(event.project_id), event.version);
    const checkpoint = this.#checkpoints.get(key);
    if (checkpoint === undefined) return;
    this.#checkpoints.delete(key);
    if (!this.#torn.has(streamOf(event.project_id)) && !this.#isFoldOf(event.project_id, checkpoint))
      this.#broken(event.position, `checkpoint ${key}`, 'it is not what the events up to it fold to');
  }

  #isFoldOf(projectId: string | null, checkpoint: string): boolean {
    const expected: Stored[] = [];
    for (const [collection, id, record] of this.#folded.all())
      // What belongs to no project is of the server's own stream.
      if (((record as { project_id?: string }).project_id ?? null) === projectId)
        expected.push([collection, id, plain(record)]);
    try {
      const stored = (JSON.parse(checkpoint) as { collection: string; id: string; record: unknown }[]).map(
        ({ collection, id, record }): Stored => [collection, id, record],
      );
      return isDeepStrictEqual(sorted(stored), sorted(expected));
    } catch {
      return false;
    }
  }

  async heads(rows: Rows): Promise<void> {
    const left = new Map(this.#streams);
    for await (const block of rows)
      for (const [key, text] of block) {
        if (!this.#concerns(key)) continue;
        const stream = key.slice(KEYS.headStart.length);
        const head = left.get(stream);
        const stored = parsed(text) as Partial<Head> | null;
        left.delete(stream);
        if (head !== undefined && isDeepStrictEqual(stored, head)) continue;
        // Its last events are missing.
        if ((stored?.version ?? 0) > (head?.version ?? 0)) this.#torn.add(stream);
        this.#broken(head?.position ?? stored?.position ?? null, `head ${key}`, HEAD_PROBLEM);
      }
    for (const [stream, head] of left)
      if (!this.#damaged.has(KEYS.head(stream))) this.#broken(head.position, `head ${KEYS.head(stream)}`, HEAD_PROBLEM);
    for (const key of this.#checkpoints.keys())
      if (!this.#torn.has(key.split('/')[1] ?? ''))
        this.#broken(null, `checkpoint ${key}`, 'there is no such version of the stream');
  }

  /** Entries that no event accounts for. */
  async indexes(rows: Rows): Promise<void> {
    for await (const block of rows)
      for (const { key, position } of await wrongEntries(this.#store, block, this.#stream))
        if (position === null || !this.#missed.has(position))
          this.#broken(position, `index ${key}`, 'no event accounts for the entry');
  }

  async records(rows: Rows): Promise<void> {
    const left = new Map<string, unknown>();
    for (const [collection, id, record] of this.#folded.all()) left.set(KEYS.record(collection, id), record);
    try {
      for await (const block of rows)
        for (const [key, text] of block) {
          this.#record(key, text, left.get(key));
          left.delete(key);
        }
    } catch (error) {
      await this.#unread(left);
      throw error;
    }
    for (const [key, record] of left)
      if (!this.#isTorn(record) && !this.#damaged.has(key))
        this.#broken(changedAt(record), `record ${key}`, 'it is missing');
  }

  #record(key: string, text: string, expected: unknown): void {
    const stored = parsed(text) as { project_id?: unknown; changed?: unknown } | null;
    if (this.#stream !== null && expected === undefined && stored?.project_id !== this.#stream) return;
    this.#records++;
    if (this.#isTorn(expected ?? stored)) return;
    const position = changedAt(expected) ?? changedAt(stored);
    if (expected === undefined) this.#broken(position, `record ${key}`, 'there are no events for it');
    else if (!isDeepStrictEqual(stored, plain(expected)))
      this.#broken(position, `record ${key}`, 'it is not what the events fold to');
  }

  /** Records that were not reached, one by one. */
  async #unread(left: ReadonlyMap<string, unknown>): Promise<void> {
    for (const [key, record] of left)
      try {
        const text = await this.#store.get(key);
        if (text === undefined) this.#broken(changedAt(record), `record ${key}`, 'it is missing');
        else this.#record(key, text, record);
      } catch (error) {
        this.#broken(changedAt(record), `record ${key}`, `it cannot be read: ${messageOf(error)}`);
      }
  }

  #isTorn(record: unknown): boolean {
    return this.#torn.has(streamOf((record as { project_id?: string } | null)?.project_id ?? null));
  }
}

const NAMES: Readonly<Record<string, string>> = { h: 'head', p: 'index', o: 'index', r: 'record', c: 'checkpoint' };
const HEAD_PROBLEM = 'it is not the last event of its stream';

/** The store says why an event is not taken. */
const wordsOf = (error: unknown): string => (error instanceof DamagedLog ? error.damage.message : messageOf(error));

type Stored = [collection: string, id: string, record: unknown];
const sorted = (records: Stored[]): Stored[] =>
  records.sort((a, b) => (`${a[0]}/${a[1]}` < `${b[0]}/${b[1]}` ? -1 : 1));

/** As it reads when it has been stored. */
const plain = (record: unknown): unknown => JSON.parse(JSON.stringify(record));

/** null for what is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const changedAt = (record: unknown): number | null => {
  const changed = (record as { changed?: unknown } | null | undefined)?.changed;
  return typeof changed === 'number' ? changed : null;
};
