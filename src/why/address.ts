import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../fabric/codecs/ip-address.ts';

/** An IPv4 or IPv6 address with the prefix of its network. */
export interface Address {
  family: 4 | 6;
  value: bigint;
  /** Prefix length in bits; 32 or 128 for an address without a network. */
  prefix: number;
  text: string;
}

const BITS = { 4: 32, 6: 128 } as const;

/** Parses `10.0.0.1`, `10.0.0.1/24`, `2001:db8::1/64`; null for anything else. */
export const parseAddress = (text: string): Address | null => {
  const [plain = '', length, ...rest] = text.trim().split('/');
  const four = parseIpv4(plain);
  const six = four === null ? parseIpv6(plain) : null;
  if ((four === null && six === null) || rest.length > 0) return null;
  const family = four === null ? 6 : 4;
  const prefix = length === undefined ? BITS[family] : Number(length);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > BITS[family]) return null;
  const value = four === null ? (six ?? 0n) : BigInt(four);
  return { family, value, prefix, text: plain };
};

/** Whether an address is in the network of another. */
export const isIn = (one: Address, network: Address): boolean => {
  if (one.family !== network.family) return false;
  const rest = BigInt(BITS[network.family] - network.prefix);
  return one.value >> rest === network.value >> rest;
};

/** Whether an address is link-local (fe80::/10), valid on one link only. */
export const isLinkLocal = ({ family, value }: Address): boolean => family === 6 && value >> 118n === 0x3fan;

export const withPrefix = ({ text, prefix }: Address): string => `${text}/${prefix}`;

/** `10.0.1.0/24` */
export const networkText = (of: Address): string => {
  const rest = BigInt(BITS[of.family] - of.prefix);
  const value = (of.value >> rest) << rest;
  return `${of.family === 4 ? formatIpv4(Number(value)) : formatIpv6(value)}/${of.prefix}`;
};

/** Octets of an address, most significant first. */
export const bytesOf = ({ family, value }: Address): Uint8Array => {
  const length = BITS[family] / 8;
  return Uint8Array.from({ length }, (_, n) => Number((value >> BigInt(8 * (length - 1 - n))) & 255n));
};
