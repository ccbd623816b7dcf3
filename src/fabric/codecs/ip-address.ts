/** Addresses of both families, as numbers (IPv4) and bigints (IPv6). */
import { isIPv6 } from 'node:net';
import { get16, put16 } from './bytes.ts';

export type IpAddress = number | bigint;

export const parseIp = (text: string): IpAddress | null => (text.includes(':') ? parseIpv6(text) : parseIpv4(text));

export const formatIp = (address: IpAddress): string =>
  typeof address === 'number' ? formatIpv4(address) : formatIpv6(address);

// IPv4 addresses as unsigned 32-bit integers, their text (RFC 6943 section 3.1.1, strict form) and subnets (RFC 4632).

export const BROADCAST_IPV4 = 0xffffffff;

export function parseIpv4(text: string): number | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return null;
  return parts.reduce((address, part) => address * 256 + part, 0);
}

export const formatIpv4 = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** Mask of a prefix length 0..32. */
export const maskOf = (prefix: number): number => (prefix === 0 ? 0 : (0xffffffff << (32 - prefix)) >>> 0);

/** Prefix length of a mask; null when its ones are not contiguous. */
export function prefixOf(mask: number): number | null {
  const prefix = Math.clz32(~mask >>> 0);
  return maskOf(prefix) === mask >>> 0 ? prefix : null;
}

export const networkOf = (address: number, prefix: number): number => (address & maskOf(prefix)) >>> 0;

export const broadcastOf = (address: number, prefix: number): number => (address | ~maskOf(prefix)) >>> 0;

export const sameSubnet = (a: number, b: number, prefix: number): boolean =>
  networkOf(a, prefix) === networkOf(b, prefix);

export const isMulticastIpv4 = (address: number): boolean => address >>> 28 === 14;

/** Can be the address of one host: not 0.0.0.0/8, loopback, multicast or the reserved class E. */
export const isHostIpv4 = (address: number): boolean => {
  const first = address >>> 24;
  return first !== 0 && first !== 127 && first < 224;
};

/** `a.b.c.d` or `a.b.c.d/len`. */
export function parseInterface(text: string, defaultPrefix: number): { address: number; prefix: number } | null {
  const [head = '', length, ...rest] = text.split('/');
  const address = parseIpv4(head);
  if (address === null || rest.length > 0) return null;
  if (length === undefined) return { address, prefix: defaultPrefix };
  return /^\d{1,2}$/.test(length) && Number(length) <= 32 ? { address, prefix: Number(length) } : null;
}

// IPv6 addresses as 128-bit integers, their text (RFC 4291, formatted by RFC 5952) and their prefixes.

export const UNSPECIFIED_IPV6 = 0n;
export const ALL_NODES = 0xff02_0000_0000_0000_0000_0000_0000_0001n;
export const ALL_ROUTERS = 0xff02_0000_0000_0000_0000_0000_0000_0002n;
const LOOPBACK_IPV6 = 1n;
const LINK_LOCAL = 0xfe80n << 112n;
const SOLICITED_NODE = 0xff02_0000_0000_0000_0000_0001_ff00_0000n;
const ALL_ONES = (1n << 128n) - 1n;

/** Null for other texts, and for an address with a zone (`%eth0`). */
export function parseIpv6(text: string): bigint | null {
  const octets = parseIpv6Octets(text);
  return octets === null ? null : readIpv6(octets, 0);
}

/** The 16 octets of an address; null for another text. */
export function parseIpv6Octets(text: string): Uint8Array | null {
  if (!isIPv6(text) || text.includes('%')) return null;
  const [head = '', tail] = withGroups(text).split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const between = tail === undefined ? 0 : 8 - first.length - last.length;
  const all = [...first, ...Array.from({ length: between }, () => 0), ...last];
  return Uint8Array.from(all.flatMap((group) => [group >>> 8, group & 255]));
}

/** An IPv4 address at the end as two groups. */
function withGroups(text: string): string {
  const ipv4 = /(?<![\d.])[\d.]+$/.exec(text)?.[0] ?? '';
  const number = ipv4.includes('.') ? parseIpv4(ipv4) : null;
  if (number === null) return text;
  return `${text.slice(0, -ipv4.length)}${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
}

export function formatIpv6(address: bigint): string {
  const octets = new Uint8Array(16);
  writeIpv6(octets, 0, address);
  return formatIpv6Octets(octets);
}

/** The longest run of zeros is `::`. */
export function formatIpv6Octets(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) => get16(bytes, i * 2).toString(16));
  let [best, length] = [-1, 1];
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (groups[end] === '0') end++;
    if (end - at > length) [best, length] = [at, end - at];
  }
  if (best < 0) return groups.join(':');
  return `${groups.slice(0, best).join(':')}::${groups.slice(best + length).join(':')}`;
}

export function readIpv6(bytes: Uint8Array, at: number): bigint {
  let address = 0n;
  for (let group = 0; group < 8; group++) address = (address << 16n) | BigInt(get16(bytes, at + group * 2));
  return address;
}

export function writeIpv6(bytes: Uint8Array, at: number, address: bigint): void {
  let rest = address;
  for (let group = 7; group >= 0; group--) {
    put16(bytes, at + group * 2, Number(rest & 0xffffn));
    rest >>= 16n;
  }
}

/** The first bits of an address; `length` 0..128. */
export const ipv6Network = (address: bigint, length: number): bigint =>
  address & (ALL_ONES ^ (ALL_ONES >> BigInt(length)));

export const inIpv6Prefix = (address: bigint, prefix: bigint, length: number): boolean =>
  (address ^ prefix) >> BigInt(128 - length) === 0n;

export const isLinkLocalIpv6 = (address: bigint): boolean => inIpv6Prefix(address, LINK_LOCAL, 10);
export const isMulticastIpv6 = (address: bigint): boolean => address >> 120n === 0xffn;

/** Can be the address of one host. */
export const isHostIpv6 = (address: bigint): boolean =>
  address !== UNSPECIFIED_IPV6 && address !== LOOPBACK_IPV6 && !isMulticastIpv6(address);

/** Multicast group that the owner of an address listens to (RFC 4291, section 2.7.1). */
export const solicitedNode = (address: bigint): bigint => SOLICITED_NODE | (address & 0xffffffn);

/** RFC 2464, section 7. */
export const multicastMac = (group: bigint): number => 0x333300000000 + Number(group & 0xffffffffn);

/** The lower 64 bits of an address made of a MAC (modified EUI-64, RFC 4291 appendix A). */
export function eui64(mac: number): bigint {
  const address = BigInt(mac);
  return ((((address >> 24n) << 40n) | (0xfffen << 24n) | (address & 0xffffffn)) ^ (2n << 56n)) & 0xffffffffffffffffn;
}

export const linkLocalOf = (mac: number): bigint => LINK_LOCAL | eui64(mac);

/** `2001:db8::1` or `2001:db8::1/64`. */
export function parseIpv6Interface(text: string, defaultPrefix: number): { address: bigint; prefix: number } | null {
  const [head = '', length, ...rest] = text.split('/');
  const address = parseIpv6(head);
  if (address === null || rest.length > 0) return null;
  if (length === undefined) return { address, prefix: defaultPrefix };
  return /^\d{1,3}$/.test(length) && Number(length) <= 128 ? { address, prefix: Number(length) } : null;
}
