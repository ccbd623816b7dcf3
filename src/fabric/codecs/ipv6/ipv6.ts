/** Internet Protocol version 6, RFC 8200. Extension headers other than the fragment header are skipped. */
import { get16, get32, get8, put16, put32 } from '../bytes.ts';
import { readIpv6, writeIpv6 } from '../ip-address.ts';

export const IPV6_HEADER = 40;
/** Every link carries packets of this size. */
export const IPV6_LEAST_MTU = 1280;
export const PROTOCOL_ICMPV6 = 58;
const FRAGMENT_HEADER = 8;
const FRAGMENT = 44;
/** Hop-by-hop, routing, destination options: a next header and a length in units of eight octets. */
const OPTIONS: ReadonlySet<number> = new Set([0, 43, 60]);
/** A packet with more of them is not worth following. */
const MOST_HEADERS = 8;

export interface Ipv6Packet {
  trafficClass: number;
  /** 20 bits. */
  flowLabel: number;
  /** 32 bits; 0 where there is no fragment header. */
  identification: number;
  moreFragments: boolean;
  /** Bytes, a multiple of 8. */
  fragmentOffset: number;
  /** The hop limit. */
  ttl: number;
  /** Protocol of the payload, after extension headers. */
  protocol: number;
  source: bigint;
  destination: bigint;
  payload: Uint8Array;
}

export function encodeIpv6(packet: Ipv6Packet): Uint8Array {
  const isPart = packet.moreFragments || packet.fragmentOffset > 0;
  const header = IPV6_HEADER + (isPart ? FRAGMENT_HEADER : 0);
  const bytes = new Uint8Array(header + packet.payload.length);
  put32(bytes, 0, 0x60000000 + packet.trafficClass * 0x100000 + packet.flowLabel);
  put16(bytes, 4, bytes.length - IPV6_HEADER);
  bytes[6] = isPart ? FRAGMENT : packet.protocol;
  bytes[7] = packet.ttl;
  writeIpv6(bytes, 8, packet.source);
  writeIpv6(bytes, 24, packet.destination);
  if (isPart) {
    bytes[IPV6_HEADER] = packet.protocol;
    put16(bytes, IPV6_HEADER + 2, packet.fragmentOffset | (packet.moreFragments ? 1 : 0));
    put32(bytes, IPV6_HEADER + 4, packet.identification);
  }
  bytes.set(packet.payload, header);
  return bytes;
}

/** Null when malformed. Bytes after the payload (Ethernet padding) are ignored. */
export function decodeIpv6(bytes: Uint8Array): Ipv6Packet | null {
  const end = IPV6_HEADER + get16(bytes, 4);
  return end > bytes.length ? null : decodeIpv6Header(bytes.subarray(0, end));
}

/** The packet quoted by an ICMPv6 error, which is cut short: its length is not looked at. */
export function decodeIpv6Header(bytes: Uint8Array): Ipv6Packet | null {
  if (bytes.length < IPV6_HEADER || get8(bytes, 0) >>> 4 !== 6) return null;
  const packet = { identification: 0, moreFragments: false, fragmentOffset: 0 };
  let [protocol, at] = [get8(bytes, 6), IPV6_HEADER];
  for (let n = 0; OPTIONS.has(protocol) || protocol === FRAGMENT; n++) {
    const length = protocol === FRAGMENT ? FRAGMENT_HEADER : (get8(bytes, at + 1) + 1) * 8;
    if (n === MOST_HEADERS || at + length > bytes.length) return null;
    if (protocol === FRAGMENT) {
      packet.fragmentOffset = get16(bytes, at + 2) & 0xfff8;
      packet.moreFragments = (get16(bytes, at + 2) & 1) === 1;
      packet.identification = get32(bytes, at + 4);
    }
    protocol = get8(bytes, at);
    at += length;
    // Only the first fragment has the headers that follow.
    if (packet.fragmentOffset > 0) break;
  }
  return {
    ...packet,
    trafficClass: (get16(bytes, 0) >>> 4) & 0xff,
    flowLabel: get32(bytes, 0) % 0x100000,
    ttl: get8(bytes, 7),
    protocol,
    source: readIpv6(bytes, 8),
    destination: readIpv6(bytes, 24),
    payload: bytes.subarray(at),
  };
}

/** The packet as it is when it fits, else its fragments. */
export function fragmentIpv6(packet: Ipv6Packet, mtu: number): Ipv6Packet[] {
  if (IPV6_HEADER + packet.payload.length <= mtu) return [packet];
  const step = (mtu - IPV6_HEADER - FRAGMENT_HEADER) & ~7;
  const fragments: Ipv6Packet[] = [];
  for (let at = 0; at < packet.payload.length; at += step) {
    const payload = packet.payload.subarray(at, at + step);
    const moreFragments = at + step < packet.payload.length;
    fragments.push({ ...packet, moreFragments, fragmentOffset: at, payload });
  }
  return fragments;
}
