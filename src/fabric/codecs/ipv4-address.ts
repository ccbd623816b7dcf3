/** IPv4 addresses as unsigned 32-bit integers, their text (RFC 6943 section 3.1.1, strict form) and subnets (RFC 4632). */
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
