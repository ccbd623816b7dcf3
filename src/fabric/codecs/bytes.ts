/** Big-endian reads and writes. Bytes outside the array read as 0, so that a decoder with a missed length check cannot throw. */
export const get8 = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

export const get16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

export const get32 = (bytes: Uint8Array, at: number): number => get16(bytes, at) * 0x10000 + get16(bytes, at + 2);

export function put16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function put32(bytes: Uint8Array, at: number, value: number): void {
  put16(bytes, at, value >>> 16);
  put16(bytes, at + 2, value & 0xffff);
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
