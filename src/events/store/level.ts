import { fstatSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Level } from 'level';
import { syncPath } from '../../common/durable.ts';
import { messageOf, TopologError } from '../../common/errors.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { CheckedStore } from './checked-store.ts';
import { DamagedLog } from './damage.ts';
import { checkTables, tablesIn } from './level-tables.ts';
import { KEYS, type Range, type Store, type StoreOp } from './store.ts';
import type { FileWitness } from './witness.ts';

const ENCODINGS = { keyEncoding: 'utf8', valueEncoding: 'utf8' } as const;

/** Options of opening. `create`: create a log where there is none. */
interface Opening {
  create: boolean;
  witness: FileWitness;
  cut?: string | null;
  /** Syncs the entries of the directory. */
  syncDirectory?: (directory: string) => Promise<void>;
}

/** Opens the LevelDB in a directory. Throws a conflict when another process holds it. */
export const openLevel = async (directory: string, opening: Opening): Promise<CheckedStore> => {
  const { create, witness, cut = null } = opening;
  const level = new Level(directory, { ...ENCODINGS, createIfMissing: create });
  try {
    // Listed before opening, which deletes unused tables and may begin new ones at once.
    const tables = await tablesIn(directory).catch(() => []);
    await level.open();
    const allSealed = (await level.get(KEYS.format)) !== undefined;
    const store = new LevelStore(level, await Journal.open(directory, opening.syncDirectory), witness);
    return new CheckedStore(store, {
      allSealed,
      witness,
      cut,
      damagedTables: (isEnded) => checkTables(directory, tables, isEnded),
    });
  } catch (error) {
    await level.close();
    await witness.close();
    throw openingError(directory, error);
  }
};

/** Error to throw for a failed opening. */
export const openingError = (directory: string, error: unknown): Error => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = (cause as { code?: string }).code;
  if (code === 'LEVEL_LOCKED')
    return new TopologError(
      'conflict',
      { reason: `another server uses ${directory}; end it, or take another data directory` },
      { cause: error },
    );
  const damage = { position: null, key: directory, where: "LevelDB's files", message: messageOf(cause) };
  if (code === 'LEVEL_CORRUPTION') return new DamagedLog(damage, { cause: error });
  return new Error(`${directory} cannot be opened: ${messageOf(cause)}`, { cause: error });
};

/** Rebuilds a LevelDB from everything readable in a directory whose manifest is damaged. Changes the directory. */
export const repairLevel = async (directory: string): Promise<void> => {
  await (Level as unknown as { repair(location: string): Promise<void> }).repair(directory);
};

class LevelStore implements Store {
  readonly #level: Level;
  readonly #journal: Journal;
  readonly #witness: FileWitness;
  /** Batches being written, and their total number. */
  #writing = 0;
  #begun = 0;
  #failure: unknown = null;

  constructor(level: Level, journal: Journal, witness: FileWitness) {
    this.#level = level;
    this.#journal = journal;
    this.#witness = witness;
  }

  /**
   * Uses a chained batch, at a third of the cost of an array on the main thread: its operations are not cloned, nor
   * read key by key.
   */
  async batch(ops: StoreOp[], options: { sync: boolean }): Promise<void> {
    // Anything written after an incomplete record would prove that record damaged.
    if (this.#failure !== null) throw this.#failure as Error;
    const batch = this.#level.batch();
    if (ops.length < MANY) for (const op of ops) put(batch, op);
    else await inSlices(putAll(batch, ops));
    // LevelDB has copied them: kept until they are on disk, they would be moved by every garbage collection.
    ops.length = 0;
    const begun = ++this.#begun;
    const first = this.#writing++ === 0;
    try {
      await batch.write(options);
      await this.#journal.written(first && begun === this.#begun);
    } catch (error) {
      this.#failure = error;
      throw error;
    } finally {
      this.#writing--;
    }
  }

  get(key: string): Promise<string | undefined> {
    return this.#level.get(key);
  }

  getMany(keys: string[]): Promise<(string | undefined)[]> {
    return this.#level.getMany(keys);
  }

  iterator(range: Range): ReturnType<Store['iterator']> {
    return this.#level.iterator(range);
  }

  async close(): Promise<void> {
    try {
      await this.#level.close();
    } finally {
      await this.#journal.close();
      await this.#witness.close();
    }
  }

  /** LevelDB writes its buffer as a table before it compacts; this range has nothing to compact. */
  settle(): Promise<void> {
    return (this.#level as unknown as { compactRange(start: string, end: string): Promise<void> }).compactRange(
      '~',
      '~~',
    );
  }
}

/** Number of operations from which building a batch is sliced. */
const MANY = 2_000;

type Batch = ReturnType<Level['batch']>;

const put = (batch: Batch, op: StoreOp): void => {
  if (op.type === 'put') batch.put(op.key, op.value);
  else batch.del(op.key);
};

function* putAll(batch: Batch, ops: readonly StoreOp[]): Steps<void> {
  for (const op of ops) {
    put(batch, op);
    yield;
  }
}

const numberOf = (name: string): number => Number(/^(\d+)\.log$/.exec(name)?.[1] ?? -1);

/**
 * Tracks the journal that LevelDB writes to. LevelDB begins another one when its write buffer is full, and syncs that
 * file, but not its directory entry: until the full buffer has become a table, a power cut could remove the journal
 * and everything answered from it.
 */
export class Journal {
  readonly #directory: string;
  readonly #sync: (directory: string) => Promise<void>;
  #file: FileHandle | null = null;
  #size = -1;
  #following: Promise<void> = Promise.resolve();
  #closed = false;

  static async open(directory: string, sync: (directory: string) => Promise<void> = syncPath): Promise<Journal> {
    const journal = new Journal(directory, sync);
    await journal.written(false);
    return journal;
  }

  private constructor(directory: string, sync: (directory: string) => Promise<void>) {
    this.#directory = directory;
    this.#sync = sync;
  }

  /**
   * Resolves when the directory entry of the journal with the last write is on disk. `alone`: no other batch was
   * written meanwhile.
   */
  async written(alone: boolean): Promise<void> {
    if (this.#closed || (alone && this.#hasGrown())) return;
    this.#following = this.#following.catch(() => undefined).then(() => this.#follow());
    await this.#following;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#following.catch(() => undefined);
    await this.#file?.close();
    this.#file = null;
  }

  /** Whether the last write is in the known journal. */
  #hasGrown(): boolean {
    if (this.#file === null) return false;
    const { size } = fstatSync(this.#file.fd);
    const isLonger = size > this.#size;
    this.#size = size;
    return isLonger;
  }

  async #follow(): Promise<void> {
    const names = await readdir(this.#directory);
    const newest = names.reduce((a, b) => (numberOf(b) > numberOf(a) ? b : a), '');
    const before = this.#file;
    this.#file = await open(path.join(this.#directory, newest), 'r');
    await before?.close();
    this.#size = fstatSync(this.#file.fd).size;
    await this.#sync(this.#directory);
  }
}
