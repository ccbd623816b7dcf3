/** What an ICMP error says, by type and code (RFC 792, RFC 1122, RFC 1812; RFC 4443). */
const UNREACHABLE = [
  'Destination network unreachable',
  'Destination host unreachable',
  'Destination protocol unreachable',
  'Destination port unreachable',
  'Fragmentation required, and DF flag set',
  'Source route failed',
  'Destination network unknown',
  'Destination host unknown',
  'Source host isolated',
  'Network administratively prohibited',
  'Host administratively prohibited',
  'Network unreachable for TOS',
  'Host unreachable for TOS',
  'Communication administratively prohibited',
  'Host precedence violation',
  'Precedence cutoff in effect',
];
const EXCEEDED = ['TTL expired in transit', 'Fragment reassembly time exceeded'];

const UNREACHABLE_V6 = [
  'No route to destination',
  'Communication administratively prohibited',
  'Beyond scope of source address',
  'Address unreachable',
  'Port unreachable',
];
const EXCEEDED_V6 = ['Hop limit exceeded in transit', 'Fragment reassembly time exceeded'];

/** Names of codes by type; `exceeded` is the type of what was too long under way. */
const ICMP = {
  exceeded: 11,
  names: new Map([
    [3, UNREACHABLE],
    [11, EXCEEDED],
  ]),
};
const ICMPV6 = {
  exceeded: 3,
  names: new Map([
    [1, UNREACHABLE_V6],
    [2, ['Packet too big']],
    [3, EXCEEDED_V6],
  ]),
};

/** `(ICMP type:3, code:1, Destination host unreachable)`; the type is null of what was too long under way. */
export function describeIcmp(from: string, type: number | null, code: number): string {
  const isIpv6 = from.includes(':');
  const { exceeded, names } = isIpv6 ? ICMPV6 : ICMP;
  const known = type ?? exceeded;
  return `(${isIpv6 ? 'ICMPv6' : 'ICMP'} type:${known}, code:${code}, ${names.get(known)?.[code] ?? 'Unknown'})`;
}
