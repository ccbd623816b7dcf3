/**
 * Uncompresses files of compress(1) (.Z): LZW with codes of 9 bits and more, the first octets 1F 9D, then the longest code in the lower
 * five bits and 0x80 where code 256 empties the table. Codes are packed from the least significant bit on, in groups of eight; a change of
 * their length begins a new group. Programs differ in what they make with no more than nine bits. Throws Error for that and for anything
 * else.
 */
export const uncompress = (data: Buffer): Buffer => {
  const longest = (data[2] ?? 0) & 0x1f;
  const empties = ((data[2] ?? 0) & 0x80) !== 0;
  if (data[0] !== 0x1f || data[1] !== 0x9d || longest <= SHORTEST || longest > 16)
    throw new Error('it is not compressed the way it says');
  const out: Buffer[] = [];
  const codes = createCodes(data.subarray(3), longest);
  const first = empties ? EMPTY + 1 : EMPTY;
  let table = freshTable(first);
  let before: Buffer | null = null;
  for (let code = codes.next(); code !== null; code = codes.next()) {
    if (empties && code === EMPTY) {
      table = freshTable(first);
      before = null;
      codes.reset();
      continue;
    }
    const known: Buffer | undefined = table[code];
    const entry: Buffer | null = known ?? (before !== null && code === table.length ? extended(before, before) : null);
    if (entry === null) throw new Error(`code ${code} is not in the table`);
    out.push(entry);
    if (before !== null && table.length < 1 << longest) {
      table.push(extended(before, entry));
      codes.grow(table.length);
    }
    before = entry;
  }
  return Buffer.concat(out);
};

const SHORTEST = 9;
const EMPTY = 256;

const freshTable = (first: number): Buffer[] =>
  Array.from({ length: first }, (_, n) => (n < EMPTY ? Buffer.from([n]) : Buffer.alloc(0)));

const extended = (before: Buffer, entry: Buffer): Buffer => Buffer.concat([before, entry.subarray(0, 1)]);

interface Codes {
  /** null at the end. */
  next(): number | null;
  /** The table has so many entries now. */
  grow(entries: number): void;
  reset(): void;
}

const createCodes = (data: Buffer, longest: number): Codes => {
  let bits = SHORTEST;
  /** Beginning of the group of eight codes, and the place of the next code in it. Octets, codes. */
  let group = 0;
  let index = 0;
  const setBits = (wanted: number): void => {
    // The rest of the group holds no codes.
    if (index > 0) group += bits;
    index = 0;
    bits = wanted;
  };
  return {
    next() {
      const bit = index * bits;
      const at = group + (bit >> 3);
      if (group * 8 + bit + bits > data.length * 8) return null;
      const octets = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16);
      index += 1;
      if (index === 8) {
        group += bits;
        index = 0;
      }
      return (octets >> (bit & 7)) & ((1 << bits) - 1);
    },
    grow(entries) {
      if (entries >= 1 << bits && bits < longest) setBits(bits + 1);
    },
    reset: () => setBits(SHORTEST),
  };
};
