/** Internet Protocol version 4, RFC 791. */
import { get16, get32, get8, put16, put32 } from './bytes.ts';
import { checksum } from './checksum.ts';

export const PROTOCOL_ICMP = 1;
export const PROTOCOL_TCP = 6;
export const PROTOCOL_UDP = 17;
/** Header without options. */
export const IPV4_HEADER = 20;
export const IPV4_MAX = 65535;

export interface Ipv4Packet {
  /** DSCP and ECN (RFC 2474, RFC 3168). */
  trafficClass: number;
  identification: number;
  dontFragment: boolean;
  moreFragments: boolean;
  /** Bytes, a multiple of 8. */
  fragmentOffset: number;
  ttl: number;
  protocol: number;
  source: number;
  destination: number;
  /** A multiple of 4 bytes, at most 40. */
  options: Uint8Array;
  payload: Uint8Array;
}

export function encodeIpv4(packet: Ipv4Packet): Uint8Array {
  const header = IPV4_HEADER + packet.options.length;
  const bytes = new Uint8Array(header + packet.payload.length);
  bytes[0] = 0x40 | (header >>> 2);
  bytes[1] = packet.trafficClass;
  put16(bytes, 2, bytes.length);
  put16(bytes, 4, packet.identification);
  const flags = (packet.dontFragment ? 0x4000 : 0) | (packet.moreFragments ? 0x2000 : 0);
  put16(bytes, 6, flags | (packet.fragmentOffset >>> 3));
  bytes[8] = packet.ttl;
  bytes[9] = packet.protocol;
  put32(bytes, 12, packet.source);
  put32(bytes, 16, packet.destination);
  bytes.set(packet.options, IPV4_HEADER);
  put16(bytes, 10, checksum(bytes.subarray(0, header)));
  bytes.set(packet.payload, header);
  return bytes;
}

/** Null when malformed or when the header checksum is wrong. Bytes after the total length (Ethernet padding) are ignored. */
export function decodeIpv4(bytes: Uint8Array): Ipv4Packet | null {
  const total = get16(bytes, 2);
  const quoted = decodeIpv4Header(bytes);
  if (quoted === null || total > bytes.length) return null;
  const header = IPV4_HEADER + quoted.options.length;
  if (total < header || checksum(bytes.subarray(0, header)) !== 0) return null;
  return { ...quoted, payload: bytes.subarray(header, total) };
}

/**
 * The packet quoted by an ICMP error: cut short, and routers on the way may have changed its header without
 * correcting the checksum, so neither total length nor checksum is looked at.
 */
export function decodeIpv4Header(bytes: Uint8Array): Ipv4Packet | null {
  const header = (get8(bytes, 0) & 0x0f) * 4;
  if (get8(bytes, 0) >>> 4 !== 4 || header < IPV4_HEADER || bytes.length < header) return null;
  const flags = get16(bytes, 6);
  return {
    trafficClass: get8(bytes, 1),
    identification: get16(bytes, 4),
    dontFragment: (flags & 0x4000) !== 0,
    moreFragments: (flags & 0x2000) !== 0,
    fragmentOffset: (flags & 0x1fff) * 8,
    ttl: get8(bytes, 8),
    protocol: get8(bytes, 9),
    source: get32(bytes, 12),
    destination: get32(bytes, 16),
    options: bytes.subarray(IPV4_HEADER, header),
    payload: bytes.subarray(header),
  };
}
