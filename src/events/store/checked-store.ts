import { crc32 } from 'node:zlib';
import { TopologError } from '../../common/errors.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { type Damage, DamagedLog, Damages, placeOf } from './damage.ts';
import { fitsHash } from '../encoding.ts';
import type { TableDamage } from './level-tables.ts';
import { KEYS, type Range, type Store, type StoreOp, type Witness } from './store.ts';

/**
 * LevelDB does not look at its own checksums when it reads. So every value carries one over its key and itself, which is looked at
 * whenever it is read: an event has its hash, all else `#` and eight hexadecimal digits of a CRC-32 at its end. A value that was
 * written before there were checksums ends in no such thing; it is taken as long as the log says that it has not been sealed yet.
 */
export const SEAL = 9;
const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));
const hex = (octet: number): string => HEX[octet & 255] ?? '';
/** Every entry has one made, so it is put together by hand. */
const sealOf = (key: string, value: string): string => {
  // One after the other: put together first, each value would be copied once more.
  const crc = crc32(value, crc32(`${key}\n`));
  return `#${hex(crc >>> 24)}${hex(crc >>> 16)}${hex(crc >>> 8)}${hex(crc)}`;
};
/** A value as it is stored. Of what is no event. */
export const sealed = (key: string, value: string): string => value + sealOf(key, value);
const isSealed = (text: string): boolean => /#[0-9a-f]{8}$/.test(text);
const isEvent = (key: string): boolean => key.startsWith('f/');

/** Operations from which they are sealed in several turns of the event loop. */
const MANY = 2_000;

/** Puts its seal on an entry that is to be written; a deletion and an event get none. */
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

/** What is known of a store beside what is in it. */
interface Known {
  /** Every value is sealed. */
  allSealed: boolean;
  /** Where what is found damaged is noted. */
  damages?: Damages;
  witness?: Witness;
  cut?: string | null;
  /** Looks for them until it is ended. */
  damagedTables?: (isEnded: () => boolean) => AsyncIterable<TableDamage>;
}

// oxlint-disable-next-line typescript/require-await -- there are none
async function* none(): AsyncGenerator<TableDamage> {
  yield* [];
}

/** A store of which nothing can be read that is not as it was written: such a read throws `DamagedLog`. */
export class CheckedStore implements Store {
  readonly #below: Store;
  readonly damages: Damages;
  /** Every value is sealed: the log was begun with checksums, or has been given them. */
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
          // No rows would be the end.
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

  /** The value that was put under this key. */
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

  /** What LevelDB itself finds wrong when it reads names no key; the place is where the read began. */
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

/** A store that failed is closed to be opened again, also under who is just reading: that is no defect of theirs. */
const inReopening = (error: unknown): unknown =>
  /^LEVEL_(?:DATABASE|ITERATOR)_NOT_OPEN$/.test((error as { code?: string }).code ?? '')
    ? new TopologError('log_read_only', { reason: 'it is being opened again' }, { cause: error })
    : error;

/** What a reader throws when something of a store is not as it was written; the store keeps it on its list. */
export const damaged = (store: Pick<Store, 'damages'>, damage: Damage): DamagedLog => {
  store.damages?.add(damage);
  return new DamagedLog(damage);
};
