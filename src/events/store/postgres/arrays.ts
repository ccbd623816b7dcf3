/**
 * Arrays in PostgreSQL's binary format (src/include/utils/array.h, array_recv), so that no text is escaped, copied
 * again or parsed: dimensions, null flag, element type; length and first index; then each element with its length in
 * octets.
 */
const HEADER = 20;
const INT8 = 20;
const TEXT = 25;

const begin = (size: number, type: number, count: number): Buffer => {
  const octets = Buffer.allocUnsafe(HEADER + size);
  octets.writeInt32BE(1, 0);
  octets.writeInt32BE(0, 4);
  octets.writeInt32BE(type, 8);
  octets.writeInt32BE(count, 12);
  octets.writeInt32BE(1, 16);
  return octets;
};

/** `text[]` */
export const textArray = (texts: readonly string[]): Buffer => {
  let size = 0;
  for (const text of texts) size += 4 + Buffer.byteLength(text);
  const octets = begin(size, TEXT, texts.length);
  let at = HEADER;
  for (const text of texts) {
    const length = octets.write(text, at + 4);
    octets.writeInt32BE(length, at);
    at += 4 + length;
  }
  return octets;
};

/** `int8[]` */
export const int8Array = (numbers: readonly number[]): Buffer => {
  const octets = begin(12 * numbers.length, INT8, numbers.length);
  let at = HEADER;
  for (const n of numbers) {
    octets.writeInt32BE(8, at);
    octets.writeBigInt64BE(BigInt(n), at + 4);
    at += 12;
  }
  return octets;
};
