import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inSlices, type Steps } from '../../common/slices.ts';
import { crc32c, unmasked } from './crc32c.ts';
import type { Damage } from './damage.ts';

/**
 * Verifies the checksum of every block of LevelDB's tables, which LevelDB does not do when it reads. Only this
 * detects the loss of an entry that no other entry refers to. Format: leveldb/doc/table_format.md.
 */
export interface TableDamage extends Damage {
  /** The block holds keys greater than `after` and up to `upTo`; null: not known. */
  after: string | null;
  upTo: string | null;
}

const isTable = (name: string): boolean => /^\d+\.(?:ldb|sst)$/.test(name);

const FOOTER = 48;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
/** Octets behind each block: type of compression, and checksum. */
const TRAILER = 5;
/** Octets behind each key of a table: sequence number and kind. */
const KEY_TAIL = 8;

interface Handle {
  at: number;
  size: number;
}

/** Reads varints: seven bits per octet, lowest first. */
class Cursor {
  readonly #octets: Buffer;
  at: number;
  constructor(octets: Buffer, at = 0) {
    this.#octets = octets;
    this.at = at;
  }
  number(): number {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const octet = this.#octets[this.at++];
      if (octet === undefined) throw new RangeError('it ends in the middle of a number');
      value += (octet & 127) * shift;
      if (octet < 128) return value;
    }
  }
  handle(): Handle {
    return { at: this.number(), size: this.number() };
  }
}

const isWhole = (file: Buffer, { at, size }: Handle): boolean => {
  const end = at + size + 1;
  return end + 4 <= file.length && crc32c(file, at, end) === unmasked(file.readUInt32LE(end));
};

/** Content of a block; null when its checksum does not fit. */
const blockAt = (file: Buffer, handle: Handle): Buffer | null => {
  if (!isWhole(file, handle)) return null;
  const { at, size } = handle;
  const octets = file.subarray(at, at + size);
  return file[at + size] === 1 ? unsnapped(octets) : octets;
};

/** Entries of a block; each key shares a prefix with the one before. */
function* entriesOf(block: Buffer): Generator<{ key: string; handle: Handle }> {
  const end = block.length - 4 * (block.readUInt32LE(block.length - 4) + 1);
  const cursor = new Cursor(block);
  let key = Buffer.alloc(0);
  while (cursor.at < end) {
    const [shared, own, length] = [cursor.number(), cursor.number(), cursor.number()];
    key = Buffer.concat([key.subarray(0, shared), block.subarray(cursor.at, cursor.at + own)]);
    cursor.at += own + length;
    const text = key.subarray(0, -KEY_TAIL).toString();
    yield { key: text, handle: new Cursor(block, cursor.at - length).handle() };
  }
}

function* damagesOf(name: string, file: Buffer): Steps<TableDamage[]> {
  const found: TableDamage[] = [];
  const add = (after: string | null, upTo: string | null, what: string): void => {
    const where = `file ${name}, ${what}`;
    found.push({ position: null, key: where, where, message: 'its checksum does not fit', after, upTo });
  };
  const footer = file.subarray(-FOOTER);
  if (file.length < FOOTER || !footer.subarray(-8).equals(MAGIC)) {
    add(null, null, 'its end');
    return found;
  }
  const handles = new Cursor(footer);
  const [meta, index] = [blockAt(file, handles.handle()), blockAt(file, handles.handle())];
  if (meta === null) add(null, null, 'the list of its filters');
  else
    for (const { handle } of entriesOf(meta))
      if (!isWhole(file, handle)) add(null, null, `the filter at octet ${handle.at}`);
  if (index === null) {
    add(null, null, 'its index');
    return found;
  }
  let after: string | null = null;
  for (const { key, handle } of entriesOf(index)) {
    if (!isWhole(file, handle)) add(after, key, `octets ${handle.at} to ${handle.at + handle.size + TRAILER}`);
    after = key;
    yield;
  }
  return found;
}

/** Existing tables: LevelDB verifies those that it writes from now on before it uses them. */
export const tablesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter(isTable).sort();

/** Every damaged block, table by table, in slices, until `isEnded`. */
export async function* checkTables(
  directory: string,
  tables: readonly string[],
  isEnded: () => boolean = () => false,
): AsyncGenerator<TableDamage> {
  for (const name of tables) {
    if (isEnded()) return;
    const file = await readFile(path.join(directory, name)).catch((error: unknown) => {
      // LevelDB has compacted it meanwhile.
      if ((error as { code?: string }).code === 'ENOENT') return null;
      throw error;
    });
    if (file === null) continue;
    try {
      yield* await inSlices(damagesOf(name, file));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const where = `file ${name}`;
      yield { position: null, key: where, where, message: error.message, after: null, upTo: null };
    }
  }
}

/**
 * Decompresses Snappy's raw format (github.com/google/snappy, format_description.txt). Throws a RangeError for
 * invalid input.
 */
export const unsnapped = (octets: Buffer): Buffer => {
  let at = 0;
  const next = (): number => {
    const octet = octets[at++];
    if (octet === undefined) throw new RangeError('compressed octets end too early');
    return octet;
  };
  const little = (count: number): number => {
    let value = 0;
    for (let n = 0; n < count; n++) value += next() * 256 ** n;
    return value;
  };
  let size = 0;
  for (let shift = 1; ; shift *= 128) {
    const octet = next();
    size += (octet & 127) * shift;
    if (octet < 128) break;
  }
  const parts = Buffer.alloc(size);
  let done = 0;
  const copy = (offset: number, length: number): void => {
    if (offset === 0 || offset > done || done + length > size) throw new RangeError('compressed octets lead nowhere');
    // Copied octet by octet: source and target may overlap.
    for (let n = 0; n < length; n++, done++) parts[done] = parts[done - offset] ?? 0;
  };
  while (at < octets.length) {
    const tag = next();
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const length = (high < 60 ? high : little(high - 59)) + 1;
      if (at + length > octets.length || done + length > size) throw new RangeError('compressed octets end too early');
      octets.copy(parts, done, at, at + length);
      at += length;
      done += length;
    } else if ((tag & 3) === 1) copy((tag >> 5) * 256 + next(), (high & 7) + 4);
    else copy(little((tag & 3) === 2 ? 2 : 4), high + 1);
  }
  if (done !== size) throw new RangeError('compressed octets end too early');
  return parts;
};
