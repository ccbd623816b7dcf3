/** CRC-32C (Castagnoli, RFC 3720, B.4), eight octets at a time: the checksum of LevelDB's records and blocks. */
const POLYNOMIAL = 0x82f63b78;

const tables = Array.from({ length: 8 }, () => new Int32Array(256));
const at = (table: number, octet: number): number => tables[table]?.[octet & 255] ?? 0;
for (let n = 0; n < 256; n++) {
  let crc = n;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  (tables[0] as Int32Array)[n] = crc;
}
for (let table = 1; table < 8; table++)
  for (let n = 0; n < 256; n++) (tables[table] as Int32Array)[n] = (at(table - 1, n) >>> 8) ^ at(0, at(table - 1, n));
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

export const crc32c = (octets: Uint8Array, from: number, to: number): number => {
  let crc = -1;
  let i = from;
  /* oxlint-disable typescript/no-non-null-assertion -- `to` is within the array, and this is the one place where a lookup costs */
  for (; i + 8 <= to; i += 8) {
    crc ^= octets[i]! | (octets[i + 1]! << 8) | (octets[i + 2]! << 16) | (octets[i + 3]! << 24);
    crc =
      t7[crc & 255]! ^
      t6[(crc >>> 8) & 255]! ^
      t5[(crc >>> 16) & 255]! ^
      t4[crc >>> 24]! ^
      t3[octets[i + 4]!]! ^
      t2[octets[i + 5]!]! ^
      t1[octets[i + 6]!]! ^
      t0[octets[i + 7]!]!;
  }
  for (; i < to; i++) crc = (crc >>> 8) ^ t0[(crc ^ octets[i]!) & 255]!;
  /* oxlint-enable typescript/no-non-null-assertion */
  return ~crc >>> 0;
};

/**
 * Undoes LevelDB's masking (util/crc32c.h: rotated, plus a constant), which lets data that contains checksums be
 * summed itself.
 */
export const unmasked = (stored: number): number => {
  const turned = (stored - 0xa282ead8) >>> 0;
  return ((turned >>> 17) | (turned << 15)) >>> 0;
};
