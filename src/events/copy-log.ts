import { conflict, TopologError } from '../common/errors.ts';
import { GENESIS } from './encoding.ts';
import type { Head, LogEvent } from './event.ts';
import { endOf, follows, inspect, refuseUnfinished } from './log/startup.ts';
import { eventAt, eventTexts, lastPosition, readRecords } from './read.ts';
import { DamagedLog } from './store/damage.ts';
import {
  blocks,
  entries,
  handled,
  KEYS,
  type Range,
  type Sighting,
  type Store,
  type StoreOp,
  streamOf,
} from './store/store.ts';

/** A log and its address for people. */
export interface CopySide {
  store: Store;
  place: string;
}

/** Progress of a copy. */
export interface CopyProgress {
  doing: 'events' | 'indexes and records' | 'comparing';
  done: number;
  /** Null: not known yet. */
  of: number | null;
}

/** Result of a copy. */
export interface Copied {
  events: number;
  /** Events among them that an earlier, interrupted copy had written. */
  resumed: number;
  /** Entries of the store: events, indexes, records, checkpoints, notes. */
  entries: number;
  /** Sum of the lengths of their keys and values. */
  octets: number;
  /** Hash of the last event. */
  head: string;
}

type Tell = (progress: CopyProgress) => void;

/** A log that was inspected and can be copied. */
export interface Original {
  side: CopySide;
  last: Sighting;
  /** Hash of its first event. */
  first: string;
}

/** Throws `DamagedLog` for damage that shows without reading all events. */
export const inspectOriginal = async (side: CopySide): Promise<Original> => {
  const last = await inPlace(side, () => wholeEnd(side.store));
  if (last.position === 0) throw conflict(`the log of ${side.place} has no events: there is nothing to copy`);
  const { hash: first } = await inPlace(side, () => eventAt(side.store, 1));
  return { side, last, first };
};

/** Marks a log as an unfinished copy; written before anything else. */
export const unfinishedNote = ({ first: value }: Original): { key: string; value: string } => ({
  key: KEYS.copying,
  value,
});

/** Key ranges of everything but events. */
const OTHERS: readonly Range[] = [
  { gte: '', lte: 'f/' },
  { gte: 'f0', lte: '\u{10ffff}' },
];
const EVENTS: Range = { gte: KEYS.event(0), lte: KEYS.eventEnd };

/**
 * Copies a log to another store, entry by entry. Until the copy is complete it carries a note with which no server
 * opens it; a copy that was interrupted is resumed.
 */
export class LogCopy {
  readonly #from: CopySide;
  readonly #to: CopySide;
  readonly #last: Sighting;
  readonly #done: number;

  private constructor({ side, last }: Original, to: CopySide, done: number) {
    this.#from = side;
    this.#to = to;
    this.#last = last;
    this.#done = done;
  }

  /**
   * Writes the note into the target. Throws a conflict when the target holds anything but the beginning of this copy.
   */
  static async begin(original: Original, to: CopySide): Promise<LogCopy> {
    const { side: from, last, first } = original;
    const found = await inPlace(to, () => to.store.get(KEYS.copying));
    if (found !== undefined && found !== first)
      throw conflict(`${to.place} has an unfinished copy of another log; copy to a place that is empty`);
    if (found === undefined && !(await isEmpty(to.store)))
      throw conflict(`${to.place} has a log already; copy to a place that is empty`);
    if (found === undefined) await to.store.batch([{ type: 'put', ...unfinishedNote(original) }], { sync: true });
    const done = await lastPosition(to.store);
    if (done > last.position)
      throw conflict(`${to.place} has ${done} events already, and ${from.place} ${last.position}`);
    return new LogCopy(original, to, done);
  }

  /** `unchanged` throws when the original was written meanwhile: the copy then stays unfinished. */
  async run(tell: Tell, unchanged: () => Promise<void>): Promise<Copied> {
    const { store } = this.#to;
    await this.#copyEvents(tell);
    const others = await this.#copyOthers(tell);
    const compared = await this.#compare(this.#last.position + others, tell);
    await unchanged();
    await store.witness?.begin(this.#last);
    await store.batch([{ type: 'del', key: KEYS.copying }], { sync: true });
    return { events: this.#last.position, resumed: this.#done, ...compared, head: this.#last.hash };
  }

  /** Copies events together with the heads of their streams, so that the target is a valid log at every moment. */
  async #copyEvents(tell: Tell): Promise<void> {
    const [from, to] = [this.#from, this.#to];
    const heads = await inPlace(to, () => headsOf(to.store));
    await this.#compareHeads(heads);
    let written = Promise.resolve();
    let done = this.#done;
    for await (const block of textsOf(from, done + 1, this.#last.position)) {
      const ops = eventOps(block, heads, from.place);
      await written;
      written = handled(to.store.batch(ops, { sync: true }));
      done += block.length;
      tell({ doing: 'events', done, of: this.#last.position });
    }
    await written;
  }

  /**
   * Checks that what an earlier run copied is the beginning of this log: streams with equal heads are equal up to
   * there, as hashes are linked.
   */
  async #compareHeads(heads: ReadonlyMap<string, End>): Promise<void> {
    for (const { position, hash } of heads.values()) {
      const event = await inPlace(this.#from, () => eventAt(this.#from.store, position));
      if (event.hash !== hash)
        throw conflict(
          `position ${position} of ${this.#to.place} is another event than in ${this.#from.place}; copy to a place that is empty`,
        );
    }
  }

  /** Returns the number of entries. */
  async #copyOthers(tell: Tell): Promise<number> {
    let done = 0;
    for (const range of OTHERS)
      for await (const part of this.#differences(range)) {
        if (part.ops.length > 0) await this.#to.store.batch(part.ops, { sync: true });
        done += part.entries;
        tell({ doing: 'indexes and records', done, of: null });
      }
    return done;
  }

  /** Reads both logs again and compares what is stored. */
  async #compare(of: number, tell: Tell): Promise<Pick<Copied, 'entries' | 'octets'>> {
    const total = { entries: 0, octets: 0 };
    for (const range of [EVENTS, ...OTHERS])
      for await (const part of this.#differences(range)) {
        const [wrong] = part.ops;
        if (wrong !== undefined)
          throw conflict(`the copy in ${this.#to.place} is not the same at ${wrong.key}; copy to another place`);
        total.entries += part.entries;
        total.octets += part.octets;
        tell({ doing: 'comparing', done: total.entries, of });
      }
    return total;
  }

  async *#differences(range: Range): ReturnType<typeof differences> {
    for await (const part of differences(readingIn(this.#from), readingIn(this.#to), range))
      yield { ...part, ops: part.ops.filter(({ key }) => key !== KEYS.copying) };
  }
}

type End = Head & { type: string };

/** Throws where an event does not follow its stream; updates `heads`. */
const eventOps = (texts: readonly string[], heads: Map<string, End>, place: string): StoreOp[] => {
  const ops: StoreOp[] = [];
  const moved = new Set<string>();
  for (const text of texts) {
    const { position, project_id, version, prev, hash, type } = JSON.parse(text) as LogEvent;
    const stream = streamOf(project_id);
    const last = heads.get(stream) ?? { version: 0, hash: GENESIS, type: '' };
    if (!follows({ version, prev } as LogEvent, last))
      throw conflict(
        `position ${position} of ${place} does not follow version ${last.version} of its stream; topolog verify says more`,
      );
    heads.set(stream, { version, position, hash, type });
    moved.add(stream);
    ops.push({ type: 'put', key: KEYS.event(position), value: text });
  }
  for (const stream of moved) {
    const { version = 0, position = 0, hash = '' } = heads.get(stream) ?? {};
    ops.push({ type: 'put', key: KEYS.head(stream), value: JSON.stringify({ version, position, hash }) });
  }
  return ops;
};

const headsOf = async (store: Store): Promise<Map<string, End>> => {
  const heads = new Map<string, End>();
  for await (const [key, text] of entries(store, { gte: KEYS.headStart, lte: KEYS.headEnd })) {
    const head = JSON.parse(text) as Head;
    const { type } = await eventAt(store, head.position);
    heads.set(key.slice(KEYS.headStart.length), { ...head, type });
  }
  return heads;
};

const wholeEnd = async (store: Store): Promise<Sighting> => {
  await refuseUnfinished(store);
  const { heads, last, whole } = await inspect(store, { takesNewer: true });
  if (last > whole)
    throw conflict(
      `events ${whole + 1} to ${last} were never completely written: a server that starts on it cuts them`,
    );
  await store.check?.();
  const [damage] = store.damages?.list ?? [];
  if (damage !== undefined) throw new DamagedLog(damage);
  for await (const _ of readRecords(store));
  return endOf(whole, heads);
};

const isEmpty = async (store: Store): Promise<boolean> => {
  for await (const _ of entries(store, { gte: '', lte: '\u{10ffff}', limit: 1 }, 1)) return false;
  return true;
};

async function* textsOf(side: CopySide, from: number, to: number): AsyncGenerator<string[]> {
  if (from > to) return;
  try {
    yield* eventTexts(side.store, from, to);
  } catch (error) {
    throw named(side, error);
  }
}

const readingIn = (side: CopySide): Pick<Store, 'iterator'> => ({
  iterator(range) {
    const below = side.store.iterator(range);
    return { nextv: (size) => inPlace(side, () => below.nextv(size)), close: () => below.close() };
  },
});

const inPlace = async <T>(side: CopySide, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    throw named(side, error);
  }
};

/** Prefixes errors of damage and of reading with the log that they are about. */
const named = ({ place }: CopySide, error: unknown): unknown =>
  error instanceof TopologError ? TopologError.saying(error.code, `${place}: ${error.message}`, error.details) : error;

type Readable = Pick<Store, 'iterator'>;

/** Result of comparing a part of two ranges. */
interface Compared {
  /** Operations that make the second range equal to the first. */
  ops: StoreOp[];
  /** Entries of the first range, and the sum of the lengths of their keys and values. */
  entries: number;
  octets: number;
}

/** Reads a range row by row; awaits only at the end of a block. */
class Rows {
  readonly #blocks: AsyncGenerator<[string, string][]>;
  #block: [string, string][] = [];
  #at = 0;

  constructor(store: Readable, range: Range) {
    this.#blocks = blocks(store, range);
  }

  /** Undefined after `fill`: the range has ended. */
  get row(): [string, string] | undefined {
    return this.#block[this.#at];
  }

  async fill(): Promise<void> {
    if (this.#at < this.#block.length) return;
    const next = await this.#blocks.next();
    this.#block = next.done === true ? [] : next.value;
    this.#at = 0;
  }

  /** Moves on; false at the end of the block. */
  step(): boolean {
    return ++this.#at < this.#block.length;
  }

  async close(): Promise<void> {
    await this.#blocks.return(undefined);
  }
}

/** Compares keys by octets, as they are stored. */
const order = (a: string, b: string): number => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** Compares up to the end of a block of either. */
const compare = (from: Rows, to: Rows): Compared => {
  const found: Compared = { ops: [], entries: 0, octets: 0 };
  for (let goesOn = true; goesOn;) {
    const [a, b] = [from.row, to.row];
    if (a === undefined && b === undefined) return found;
    const which = a === undefined ? 1 : b === undefined ? -1 : order(a[0], b[0]);
    if (a !== undefined && which <= 0) {
      found.entries++;
      found.octets += Buffer.byteLength(a[0]) + Buffer.byteLength(a[1]);
      if (which < 0 || a[1] !== b?.[1]) found.ops.push({ type: 'put', key: a[0], value: a[1] });
      goesOn = from.step();
    }
    if (b !== undefined && which >= 0) {
      if (which > 0) found.ops.push({ type: 'del', key: b[0] });
      goesOn = to.step() && goesOn;
    }
  }
  return found;
};

/**
 * Compares a range of two stores part by part. Applying the ops of a part does not affect what is read afterwards.
 */
async function* differences(from: Readable, to: Readable, range: Range): AsyncGenerator<Compared> {
  const [a, b] = [new Rows(from, range), new Rows(to, range)];
  try {
    for (;;) {
      await Promise.all([a.fill(), b.fill()]);
      if (a.row === undefined && b.row === undefined) return;
      yield compare(a, b);
    }
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
}
