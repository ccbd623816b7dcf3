/** The Internet checksum, RFC 1071. */
import { get16, get8 } from './bytes.ts';
import type { IpAddress } from './ip-address.ts';

/** Sum of 16-bit words, not yet folded; an odd last byte counts as the high byte of a word. */
function wordSum(bytes: Uint8Array, initial = 0): number {
  let sum = initial;
  const even = bytes.length & ~1;
  for (let at = 0; at < even; at += 2) sum += get16(bytes, at);
  if (even !== bytes.length) sum += get8(bytes, even) << 8;
  return sum;
}

/** The checksum to store; over bytes that hold a right checksum already it is 0. */
export function checksum(bytes: Uint8Array, initial = 0): number {
  let sum = wordSum(bytes, initial);
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

/** Start of a checksum over a pseudo header: that of RFC 768 and RFC 9293, for IPv6 that of RFC 8200, section 8.1. */
export function pseudoHeaderSum(source: IpAddress, destination: IpAddress, protocol: number, length: number): number {
  return wordsOf(source) + wordsOf(destination) + protocol + length;
}

function wordsOf(address: IpAddress): number {
  if (typeof address === 'number') return (address >>> 16) + (address & 0xffff);
  let sum = 0;
  for (let rest = address; rest > 0n; rest >>= 16n) sum += Number(rest & 0xffffn);
  return sum;
}
