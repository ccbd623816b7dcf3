/** What an ICMP error says, by type and code (RFC 792, RFC 1122, RFC 1812). */
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

/** `(ICMP type:3, code:1, Destination host unreachable)` */
export function describeIcmp(type: number, code: number): string {
  const names = type === 3 ? UNREACHABLE : type === 11 ? EXCEEDED : [];
  return `(ICMP type:${type}, code:${code}, ${names[code] ?? 'Unknown'})`;
}
