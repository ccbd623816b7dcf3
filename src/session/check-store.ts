import { isDeepStrictEqual } from 'node:util';
import { chainOf, KEYS, positionOf, type Range, type Store } from '../events/database.ts';
import { type Damage, DamagedLog } from '../events/damage.ts';
import { decodeFact, GENESIS } from '../events/encoding.ts';
import type { Fact } from '../events/fact.ts';
import type { Head } from '../events/startup.ts';
import { upcast } from '../events/upcasters.ts';
import { messageOf } from '../errors.ts';
import { fold } from '../projections/fold.ts';
import { CHECKPOINTS } from '../projections/checkpoints.ts';
import { Records } from '../projections/store.ts';
import { checkEntries, missingEntry } from './check-indexes.ts';
import { takeSnapshot } from './snapshot.ts';

/** The first thing that does not fit. */
export interface StoreProblem {
  /** Position of the fact at which, or by which, it was found; null for what has no fact. */
  position: number | null;
  /** What is broken: `fact`, `head`, `index`, `record` or `checkpoint`, with its name. */
  where: string;
  message: string;
}

export interface StoreVerdict {
  ok: boolean;
  /** Facts walked. */
  facts: number;
  /** Records compared. */
  records: number;
  problem: StoreProblem | null;
}

class Broken extends Error {
  readonly problem: StoreProblem;
  constructor(position: number | null, where: string, message: string) {
    super(message);
    this.problem = { position, where, message };
  }
}

const RANGES = {
  heads: { gte: KEYS.headStart, lte: KEYS.headEnd },
  records: { gte: KEYS.recordStart, lte: KEYS.recordEnd },
  checkpoints: { gte: CHECKPOINTS.start, lte: CHECKPOINTS.end },
  objects: { gte: 'o/', lte: 'o/~' },
} satisfies Record<string, Range>;

/**
 * Walks every fact of a store (or of one project) and everything that is derived from the facts: heads, indexes, records and
 * checkpoints, and says what does not fit first. Reads one moment of a log that may be written at the same time, in blocks, so that
 * others get their turn.
 */
export const checkStore = async (store: Store, projectId: string | null = null): Promise<StoreVerdict> => {
  const chain = projectId === null ? null : chainOf(projectId);
  const walk = new Walk(store, chain);
  try {
    await walkAll(store, walk, chain);
    return walk.verdict(null);
  } catch (error) {
    if (error instanceof Broken) return walk.verdict(error.problem);
    if (error instanceof DamagedLog) return walk.verdict(problemOf(error.damage));
    throw error;
  }
};

/** What a read has found, in the words of a verdict. */
const problemOf = ({ position, key, message }: Damage): StoreProblem => {
  const names: Record<string, string> = { p: 'index', o: 'index', h: 'head', r: 'record', c: 'checkpoint' };
  const name = names[key.slice(0, key.indexOf('/'))];
  return { position, where: key.startsWith('f/') ? 'fact' : name === undefined ? key : `${name} ${key}`, message };
};

const walkAll = async (store: Store, walk: Walk, chain: string | null): Promise<void> => {
  const snapshot = await takeSnapshot(store, {
    ...RANGES,
    facts:
      chain === null
        ? { gte: KEYS.fact(0), lte: KEYS.factEnd }
        : { gte: KEYS.chain(chain, 0), lte: KEYS.chainEnd(chain) },
    chains: chain === null ? { gte: 'p/', lte: 'p/~' } : { gte: KEYS.chain(chain, 0), lte: KEYS.chainEnd(chain) },
  });
  try {
    await walk.loadCheckpoints(snapshot.rows.checkpoints);
    await walk.facts(snapshot.rows.facts);
    await walk.heads(snapshot.rows.heads);
    await walk.indexes(snapshot.rows.chains);
    await walk.indexes(snapshot.rows.objects);
    await walk.records(snapshot.rows.records);
  } finally {
    await snapshot.close();
  }
};

type Rows = AsyncIterable<[string, string][]>;

class Walk {
  readonly #store: Store;
  /** Only this one, or all. */
  readonly #chain: string | null;
  readonly #chains = new Map<string, Head>();
  readonly #folded = new Records();
  readonly #checkpoints = new Map<string, string>();
  #facts = 0;
  #records = 0;

  constructor(store: Store, chain: string | null) {
    this.#store = store;
    this.#chain = chain;
  }

  verdict(problem: StoreProblem | null): StoreVerdict {
    return { ok: problem === null, facts: this.#facts, records: this.#records, problem };
  }

  async loadCheckpoints(rows: Rows): Promise<void> {
    for await (const block of rows)
      for (const [key, text] of block) if (this.#concerns(key)) this.#checkpoints.set(key, text);
  }

  /** Keys of heads, chains and checkpoints name the chain in their second part. */
  #concerns(key: string): boolean {
    return this.#chain === null || key.split('/')[1] === this.#chain;
  }

  /** Rows are facts, or, for one chain, entries of its index. */
  async facts(rows: Rows): Promise<void> {
    for await (const block of rows) {
      const positions = block.map(([key, value]) => (this.#chain === null ? positionOf(key) : Number(value)));
      const texts = this.#chain === null ? block.map(([, text]) => text) : await this.#texts(positions);
      const found = positions.map((position, i) => this.#fact(position, texts[i]));
      const missing = await missingEntry(this.#store, found);
      if (missing !== null) throw new Broken(missing.position, `index ${missing.key}`, 'the entry is missing or wrong');
    }
  }

  #texts(positions: number[]): Promise<(string | undefined)[]> {
    return this.#store.getMany(positions.map((position) => KEYS.fact(position)));
  }

  #fact(position: number, text: string | undefined): Fact {
    if (this.#chain === null && position !== this.#facts + 1)
      throw new Broken(this.#facts + 1, 'fact', `the fact is missing; the next one is ${position}`);
    if (text === undefined) throw new Broken(position, 'fact', 'the fact is missing');
    const fact = decodeFact(text);
    if (fact?.position !== position) throw new Broken(position, 'fact', 'the stored content does not fit its hash');
    const name = chainOf(fact.project_id);
    const chain = this.#chains.get(name) ?? { version: 0, position: 0, hash: GENESIS };
    if (
      (this.#chain !== null && name !== this.#chain) ||
      fact.version !== chain.version + 1 ||
      fact.prev !== chain.hash
    )
      throw new Broken(position, 'fact', `it does not follow version ${chain.version} of chain ${this.#chain ?? name}`);
    this.#chains.set(name, { version: fact.version, position, hash: fact.hash });
    this.#fold(fact);
    this.#facts++;
    return fact;
  }

  #fold(fact: Fact): void {
    try {
      this.#folded.apply(fold(this.#folded.committed, upcast(fact)));
    } catch (error) {
      throw new Broken(fact.position, 'fact', `it cannot be folded: ${messageOf(error)}`);
    }
    const key = CHECKPOINTS.key(chainOf(fact.project_id), fact.version);
    const checkpoint = this.#checkpoints.get(key);
    if (checkpoint === undefined) return;
    this.#checkpoints.delete(key);
    if (!this.#isFoldOf(fact.project_id, checkpoint))
      throw new Broken(fact.position, `checkpoint ${key}`, 'it is not what the facts up to it fold to');
  }

  #isFoldOf(projectId: string | null, checkpoint: string): boolean {
    const expected: Stored[] = [];
    for (const [collection, id, record] of this.#folded.all())
      // What belongs to no project is of the server's own chain.
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
    const left = new Map(this.#chains);
    for await (const block of rows)
      for (const [key, text] of block) {
        if (!this.#concerns(key)) continue;
        const chain = key.slice(KEYS.headStart.length);
        const head = left.get(chain);
        const stored = parsed(text) as Partial<Head> | null;
        if (head === undefined || !isDeepStrictEqual(stored, head))
          throw new Broken(head?.position ?? stored?.position ?? null, `head ${key}`, HEAD_PROBLEM);
        left.delete(chain);
      }
    for (const [chain, head] of left) throw new Broken(head.position, `head ${KEYS.head(chain)}`, HEAD_PROBLEM);
    for (const key of this.#checkpoints.keys())
      throw new Broken(null, `checkpoint ${key}`, 'there is no such version of the chain');
  }

  /** Entries that no fact accounts for. */
  async indexes(rows: Rows): Promise<void> {
    for await (const block of rows) {
      const wrong = await checkEntries(this.#store, block, this.#chain);
      if (wrong !== null) throw new Broken(wrong.position, `index ${wrong.key}`, 'no fact accounts for the entry');
    }
  }

  async records(rows: Rows): Promise<void> {
    const left = new Map<string, unknown>();
    for (const [collection, id, record] of this.#folded.all()) left.set(KEYS.record(collection, id), record);
    for await (const block of rows)
      for (const [key, text] of block) {
        const stored = parsed(text) as { project_id?: unknown; changed?: unknown } | null;
        const expected = left.get(key);
        if (this.#chain !== null && expected === undefined && stored?.project_id !== this.#chain) continue;
        const position = changedAt(expected) ?? changedAt(stored);
        if (expected === undefined) throw new Broken(position, `record ${key}`, 'there are no facts for it');
        if (!isDeepStrictEqual(stored, plain(expected)))
          throw new Broken(position, `record ${key}`, 'it is not what the facts fold to');
        left.delete(key);
        this.#records++;
      }
    for (const [key, record] of left) throw new Broken(changedAt(record), `record ${key}`, 'it is missing');
  }
}

const HEAD_PROBLEM = 'it is not the last fact of its chain';

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
