/** Transmission Control Protocol segments, RFC 9293; options are kept as bytes. */
import { get16, get32, get8, put16, put32 } from './bytes.ts';
import { checksum, pseudoHeaderSum } from './checksum.ts';
import type { IpAddress } from './ip-address.ts';
import { PROTOCOL_TCP } from './ipv4.ts';

const TCP_HEADER = 20;

export interface TcpSegment {
  sourcePort: number;
  destinationPort: number;
  sequence: number;
  acknowledgment: number;
  syn: boolean;
  ack: boolean;
  rst: boolean;
  fin: boolean;
  push: boolean;
  window: number;
  /** A multiple of 4 bytes, at most 40. */
  options: Uint8Array;
  payload: Uint8Array;
}

/** Defaults for the fields of a segment. */
export const EMPTY_SEGMENT: Readonly<TcpSegment> = {
  sourcePort: 0,
  destinationPort: 0,
  sequence: 0,
  acknowledgment: 0,
  syn: false,
  ack: false,
  rst: false,
  fin: false,
  push: false,
  window: 0,
  options: new Uint8Array(0),
  payload: new Uint8Array(0),
};

const FIN = 0x01;
const SYN = 0x02;
const RST = 0x04;
const PSH = 0x08;
const ACK = 0x10;

/** The addresses are those of the IP header; the checksum covers them. */
export function encodeTcp(segment: TcpSegment, source: IpAddress, destination: IpAddress): Uint8Array {
  const header = TCP_HEADER + segment.options.length;
  const bytes = new Uint8Array(header + segment.payload.length);
  put16(bytes, 0, segment.sourcePort);
  put16(bytes, 2, segment.destinationPort);
  put32(bytes, 4, segment.sequence);
  put32(bytes, 8, segment.acknowledgment);
  bytes[12] = (header >>> 2) << 4;
  bytes[13] =
    (segment.fin ? FIN : 0) |
    (segment.syn ? SYN : 0) |
    (segment.rst ? RST : 0) |
    (segment.push ? PSH : 0) |
    (segment.ack ? ACK : 0);
  put16(bytes, 14, segment.window);
  bytes.set(segment.options, TCP_HEADER);
  bytes.set(segment.payload, header);
  put16(bytes, 16, checksum(bytes, pseudoHeaderSum(source, destination, PROTOCOL_TCP, bytes.length)));
  return bytes;
}

/** Null when malformed or when the checksum is wrong. */
export function decodeTcp(bytes: Uint8Array, source: IpAddress, destination: IpAddress): TcpSegment | null {
  const header = (get8(bytes, 12) >>> 4) * 4;
  if (header < TCP_HEADER || header > bytes.length) return null;
  if (checksum(bytes, pseudoHeaderSum(source, destination, PROTOCOL_TCP, bytes.length)) !== 0) return null;
  const flags = get8(bytes, 13);
  return {
    sourcePort: get16(bytes, 0),
    destinationPort: get16(bytes, 2),
    sequence: get32(bytes, 4),
    acknowledgment: get32(bytes, 8),
    syn: (flags & SYN) !== 0,
    ack: (flags & ACK) !== 0,
    rst: (flags & RST) !== 0,
    fin: (flags & FIN) !== 0,
    push: (flags & PSH) !== 0,
    window: get16(bytes, 14),
    options: bytes.subarray(TCP_HEADER, header),
    payload: bytes.subarray(header),
  };
}
