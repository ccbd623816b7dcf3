import { crc32 } from 'node:zlib';
import { TopologError } from '../../common/errors.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { type Damage, DamagedLog, Damages, placeOf } from './damage.ts';
import { fitsHash } from '../encoding.ts';
import type { TableDamage } from './level-tables.ts';
import { KEYS, type Range, type Store, type StoreOp, type Witness } from './store.ts';

/**
 * LevelDB does not verify its checksums when it reads. Every value therefore carries a checksum over its key and
 * itself, which is verified by each read: an event has its hash, any other value ends in `#` and eight hexadecimal
 * digits of a CRC-32. Values that were written before there were checksums have none; they are accepted as long as
 * the log is not marked as sealed.
 */
export const SEAL = 9;
const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));
const hex = (octet: number): string => HEX[octet & 255] ?? '';
/** Formatted by hand, as every entry needs one. */
const sealOf = (key: string, value: string): string => {
  // Computed in two steps: concatenating key and value would copy each value.
  const crc = crc32(value, crc32(`${key}\n`));
  return `#${hex(crc >>> 24)}${hex(crc >>> 16)}${hex(crc >>> 8)}${hex(crc)}`;
};
/** Stored form of a value that is no event. */
export const sealed = (key: string, value: string): string => value + sealOf(key, value);
const isSealed = (text: string): boolean => /#[0-9a-f]{8}$/.test(text);
const isEvent = (key: string): boolean => key.startsWith('f/');

/** Number of operations from which sealing is sliced. */
const MANY = 2_000;

/** Adds the checksum to an entry that is put; deletions and events get none. */
const seal = (ops: StoreOp[], i: number): void => {
  const op = ops[i];
  if (op?.type === 'put' && !isEvent(op.key)) ops[i] = { type: 'put', key: op.key, value: sealed(op.key, op.value) };
};

function* sealAll(ops: StoreOp[]): Steps<void> {
  for (let i = 0; i < ops.length; i++) {
    seal(ops, i);
    yield;
  }
}

/** State and collaborators of a store beside its entries. */
interface Known {
  /** Every value is sealed. */
  allSealed: boolean;
  /** List of the damage found. */
  damages?: Damages;
  witness?: Witness;
  cut?: string | null;
  /** Iterates over damaged tables until `isEnded`. */
  damagedTables?: (isEnded: () => boolean) => AsyncIterable<TableDamage>;
}

// oxlint-disable-next-line typescript/require-await -- there are none
async function* none(): AsyncGenerator<TableDamage> {
  yield* [];
}

/** A store whose reads throw `DamagedLog` for entries that are not as they were written. */
export class CheckedStore implements Store {
  readonly #below: Store;
  readonly damages: Damages;
  /** Every value is sealed: the log was created with checksums, or they were added. */
  #allSealed: boolean;

  readonly witness?: Witness;
  readonly moment?: () => Promise<Store>;
  readonly cut: string | null;
  readonly #damagedTables: (isEnded: () => boolean) => AsyncIterable<TableDamage>;
  #tables: Promise<TableDamage[]> | null = null;
  #closed = false;

  constructor(below: Store, known: Known) {
    const { allSealed, damages = new Damages(), witness, cut = null, damagedTables = none } = known;
    this.#damagedTables = damagedTables;
    this.#below = below;
    this.#allSealed = allSealed;
    this.damages = damages;
    if (witness !== undefined) this.witness = witness;
    if (below.moment !== undefined)
      this.moment = async () =>
        new CheckedStore((await below.moment?.()) ?? below, { allSealed: this.#allSealed, damages });
    this.cut = cut;
  }

  async batch(ops: StoreOp[], options: { sync: boolean }): Promise<void> {
    const isFormat = ops.some(({ type, key }) => type === 'put' && key === KEYS.format);
    if (ops.length < MANY) for (let i = 0; i < ops.length; i++) seal(ops, i);
    else await inSlices(sealAll(ops));
    await this.#below.batch(ops, options);
    if (isFormat) this.#allSealed = true;
  }

  async get(key: string): Promise<string | undefined> {
    const text = await this.#read(key, () => this.#below.get(key));
    return text === undefined ? undefined : this.#checked(key, text);
  }

  async getMany(keys: string[]): Promise<(string | undefined)[]> {
    const texts = await this.#read(keys[0] ?? '', () => this.#below.getMany(keys));
    return texts.map((text, i) => (text === undefined ? undefined : this.#checked(keys[i] ?? '', text)));
  }

  iterator({ damaged, ...range }: Range): ReturnType<Store['iterator']> {
    let below: ReturnType<Store['iterator']>;
    try {
      below = this.#below.iterator(range);
    } catch (error) {
      throw inReopening(error);
    }
    const next = (size: number) => this.#read(range.gte ?? range.gt ?? '', () => below.nextv(size));
    return {
      nextv: async (size) => {
        for (;;) {
          const rows = await next(size);
          const whole = damaged === undefined ? this.#all(rows) : this.#some(rows, damaged);
          // An empty block would mean the end.
          if (rows.length === 0 || whole.length > 0) return whole;
        }
      },
      close: () => below.close(),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#tables?.catch(() => undefined);
    await this.#below.close();
  }

  async check(): Promise<void> {
    await (this.#tables ??= this.#checkTables());
  }

  async sure(gte: string, lte: string): Promise<void> {
    await this.check();
    const found = (await this.#tables)?.find(({ after, upTo }) => (after ?? '') < lte && (upTo ?? lte) >= gte);
    if (found !== undefined) throw new DamagedLog(found);
  }

  async #checkTables(): Promise<TableDamage[]> {
    const found: TableDamage[] = [];
    for await (const damage of this.#damagedTables(() => this.#closed)) {
      found.push(damage);
      this.damages.add(damage);
    }
    return found;
  }

  async settle(): Promise<void> {
    await this.#below.settle?.();
  }

  #all(rows: [string, string][]): [string, string][] {
    for (const row of rows) row[1] = this.#checked(row[0], row[1]);
    return rows;
  }

  #some(rows: [string, string][], damaged: (damage: Damage) => void): [string, string][] {
    return rows.filter((row) => {
      try {
        row[1] = this.#checked(row[0], row[1]);
        return true;
      } catch (error) {
        if (!(error instanceof DamagedLog)) throw error;
        damaged(error.damage);
        return false;
      }
    });
  }

  /** The value without its checksum. */
  #checked(key: string, text: string): string {
    if (isEvent(key)) {
      if (text.startsWith(`{"position":${Number(key.slice(2))},`) && fitsHash(text)) return text;
      throw damaged(this, { ...placeOf(key), message: 'the stored content does not fit its hash' });
    }
    if (!this.#allSealed && !isSealed(text)) return text;
    const value = text.slice(0, -SEAL);
    if (text.length >= SEAL && text.endsWith(sealOf(key, value))) return value;
    throw damaged(this, { ...placeOf(key), message: 'the stored content does not fit its checksum' });
  }

  /** Corruption that LevelDB reports itself has no key; it is attributed to the beginning of the read. */
  async #read<T>(key: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isUnreadable(error)) throw inReopening(error);
      throw damaged(this, { ...placeOf(key), message: `it cannot be read: ${(error as Error).message}` });
    }
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && /^LEVEL_(?:CORRUPTION|IO_ERROR)$/.test((error as { code?: string }).code ?? '');

/** A failed store is closed and reopened while others read from it: those reads fail without a defect. */
const inReopening = (error: unknown): unknown =>
  /^LEVEL_(?:DATABASE|ITERATOR)_NOT_OPEN$/.test((error as { code?: string }).code ?? '')
    ? new TopologError('log_read_only', { reason: 'it is being opened again' }, { cause: error })
    : error;

/** Adds damage to the list of the store and returns the error to throw. */
export const damaged = (store: Pick<Store, 'damages'>, damage: Damage): DamagedLog => {
  store.damages?.add(damage);
  return new DamagedLog(damage);
};
