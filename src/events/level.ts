import { Level } from 'level';
import { messageOf, TopologError } from '../errors.ts';
import { atOnce, inTurns, type Steps } from '../turns.ts';
import type { Range, Store, StoreOp } from './store.ts';

const ENCODINGS = { keyEncoding: 'utf8', valueEncoding: 'utf8' } as const;

/** Opens the LevelDB in a directory; with `create`, begins one where there is none. A directory that another process holds is a conflict. */
export const openLevel = async (directory: string, { create }: { create: boolean }): Promise<Store> => {
  const level = new Level<string, string>(directory, { ...ENCODINGS, createIfMissing: create });
  try {
    await level.open();
    return new LevelStore(level);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if ((cause as { code?: string } | undefined)?.code === 'LEVEL_LOCKED')
      throw new TopologError('conflict', { reason: `another server uses ${directory}` }, { cause: error });
    throw new Error(`the log in ${directory} cannot be opened: ${messageOf(cause ?? error)}`, { cause: error });
  }
};

/** Makes a LevelDB of all that can be read in a directory whose own list of files is damaged. Changes the directory. */
export const salvageLevel = async (directory: string): Promise<void> => {
  await (Level as unknown as { repair(location: string): Promise<void> }).repair(directory);
};

class LevelStore implements Store {
  readonly #level: Level;

  constructor(level: Level) {
    this.#level = level;
  }

  /** Chained, which costs the main thread a third of what an array of operations does: they are not cloned, nor read key by key. */
  async batch(ops: StoreOp[], options: { sync: boolean }): Promise<void> {
    const batch = this.#level.batch();
    const puts = putAll(batch, ops);
    if (ops.length < MANY) atOnce(puts);
    else await inTurns(puts);
    await batch.write(options);
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

  close(): Promise<void> {
    return this.#level.close();
  }
}

/** Operations from which a batch is put together in several turns of the event loop. */
const MANY = 2_000;

function* putAll(batch: ReturnType<Level['batch']>, ops: readonly StoreOp[]): Steps<void> {
  for (const op of ops) {
    if (op.type === 'put') batch.put(op.key, op.value);
    else batch.del(op.key);
    yield;
  }
}
