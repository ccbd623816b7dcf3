import { isIPv6 } from 'node:net';
import { parseIpv4 } from '../../codecs/ipv4-address.ts';

/** The 16 octets of an address of RFC 4291; null for another text. */
export const parseIpv6 = (text: string): Uint8Array | null => {
  if (!isIPv6(text) || text.includes('%')) return null;
  const [head = '', tail] = withGroups(text).split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const between = tail === undefined ? 0 : 8 - first.length - last.length;
  const all = [...first, ...Array.from({ length: between }, () => 0), ...last];
  return Uint8Array.from(all.flatMap((group) => [group >>> 8, group & 255]));
};

/** An IPv4 address at the end as two groups. */
const withGroups = (text: string): string => {
  const ipv4 = /[\d.]+$/.exec(text)?.[0] ?? '';
  const number = ipv4.includes('.') ? parseIpv4(ipv4) : null;
  if (number === null) return text;
  return `${text.slice(0, -ipv4.length)}${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
};
