/** IEEE 802 MAC addresses, kept as 48-bit integers in a number. */
import { get16, get32, put16, put32 } from './bytes.ts';

export const BROADCAST_MAC = 0xffffffffffff;

/** Accepts `00:50:79:66:68:00`, the same with dashes, and `0050.7966.6800`. */
export function parseMac(text: string): number | null {
  const colons = /^[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i;
  const dots = /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/i;
  return colons.test(text) || dots.test(text) ? Number.parseInt(text.replaceAll(/[:.-]/g, ''), 16) : null;
}

export function formatMac(mac: number): string {
  const digits = mac.toString(16).padStart(12, '0');
  return (digits.match(/../g) ?? []).join(':');
}

export const readMac = (bytes: Uint8Array, at: number): number => get16(bytes, at) * 0x100000000 + get32(bytes, at + 2);

export function writeMac(bytes: Uint8Array, at: number, mac: number): void {
  put16(bytes, at, Math.floor(mac / 0x100000000));
  put32(bytes, at + 2, mac >>> 0);
}

/** Whether it is the address of an IPv6 multicast group (RFC 2464, section 7). */
export const isIpv6GroupMac = (mac: number): boolean => Math.floor(mac / 0x100000000) === 0x3333;

/** The group bit: multicast or broadcast. */
export const isGroupMac = (mac: number): boolean => (Math.floor(mac / 0x10000000000) & 1) === 1;
