/** Internet Protocol version 6 (RFC 8200) and its control messages (RFC 4443, RFC 4861), as far as a list of packets shows them. */
import { get16, get8 } from '../codecs/bytes.ts';
import { PROTOCOL_TCP, PROTOCOL_UDP } from '../codecs/ipv4.ts';
import { IPV6_HEADER, PROTOCOL_ICMPV6 } from '../codecs/ipv6/ipv6.ts';
import { formatIpv6Octets } from '../codecs/ipv6/ipv6-address.ts';
import { ICMPV6_TYPES } from './fields/values.ts';
import { hex, type Layer, octets } from './packet.ts';
import { ports, tcpFlags } from './transport.ts';

const FRAGMENT = 44;
const NOTHING = 59;
/** Hop-by-hop, routing, destination options: a next header and a length in units of eight octets. */
const OPTIONS: ReadonlySet<number> = new Set([0, 43, 60]);
/** A packet with more of them is not worth following. */
const MOST_HEADERS = 8;

/** Null for what is no such packet. */
export function ipv6Layer(
  bytes: Uint8Array,
  udp: (payload: Uint8Array, from: number, to: number) => Layer,
): Layer | null {
  if (bytes.length < IPV6_HEADER || get8(bytes, 0) >>> 4 !== 6) return null;
  const addresses = {
    source: formatIpv6Octets(bytes.subarray(8, 24)),
    destination: formatIpv6Octets(bytes.subarray(24, 40)),
  };
  let [next, at] = [get8(bytes, 6), IPV6_HEADER];
  const end = Math.min(bytes.length, IPV6_HEADER + get16(bytes, 4));
  for (let n = 0; n < MOST_HEADERS && (OPTIONS.has(next) || next === FRAGMENT) && at + 8 <= end; n++) {
    const offset = get16(bytes, at + 2) & 0xfff8;
    if (next === FRAGMENT && offset > 0)
      return { ...addresses, protocol: 'IPv6', summary: `Fragment from octet ${offset} on` };
    const length = next === FRAGMENT ? 8 : (get8(bytes, at + 1) + 1) * 8;
    next = get8(bytes, at);
    at += length;
  }
  const payload = bytes.subarray(Math.min(at, end), end);
  return { ...addresses, ...upperLayer(next, payload, udp) };
}

function upperLayer(
  next: number,
  bytes: Uint8Array,
  udp: (payload: Uint8Array, from: number, to: number) => Layer,
): Layer {
  if (next === PROTOCOL_ICMPV6 && bytes.length >= 4) return { protocol: 'ICMPv6', summary: icmpv6Text(bytes) };
  if (next === PROTOCOL_UDP && bytes.length >= 8) return udp(bytes.subarray(8), get16(bytes, 0), get16(bytes, 2));
  if (next === PROTOCOL_TCP && bytes.length >= 20)
    return { protocol: 'TCP', summary: `${ports(bytes)} ${tcpFlags(bytes)}` };
  if (next === NOTHING) return { protocol: 'IPv6', summary: 'No next header' };
  return { protocol: 'IPv6', summary: `Next header ${next}, ${octets(bytes.length)}` };
}

function icmpv6Text(bytes: Uint8Array): string {
  const type = get8(bytes, 0);
  const name = ICMPV6_TYPES[type] ?? `Type ${type}, code ${get8(bytes, 1)}`;
  if (type === 128 || type === 129) return `${name}, id ${hex(get16(bytes, 4))}, sequence ${get16(bytes, 6)}`;
  if ((type === 135 || type === 136) && bytes.length >= 24)
    return `${name} of ${formatIpv6Octets(bytes.subarray(8, 24))}`;
  return name;
}
