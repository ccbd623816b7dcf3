/** User Datagram Protocol, RFC 768; over IPv6 it always has a checksum (RFC 8200, section 8.1). */
import { get16, put16 } from './bytes.ts';
import { checksum, pseudoHeaderSum } from './checksum.ts';
import type { IpAddress } from './ip-address.ts';
import { PROTOCOL_UDP } from './ipv4.ts';

const UDP_HEADER = 8;

export interface UdpDatagram {
  sourcePort: number;
  destinationPort: number;
  payload: Uint8Array;
}

/** The addresses are those of the IP header; the checksum covers them. */
export function encodeUdp(datagram: UdpDatagram, source: IpAddress, destination: IpAddress): Uint8Array {
  const bytes = new Uint8Array(UDP_HEADER + datagram.payload.length);
  put16(bytes, 0, datagram.sourcePort);
  put16(bytes, 2, datagram.destinationPort);
  put16(bytes, 4, bytes.length);
  bytes.set(datagram.payload, UDP_HEADER);
  const sum = checksum(bytes, pseudoHeaderSum(source, destination, PROTOCOL_UDP, bytes.length));
  // 0 would mean "no checksum".
  put16(bytes, 6, sum === 0 ? 0xffff : sum);
  return bytes;
}

/** Null when malformed or when the checksum is wrong; over IPv4 a checksum of 0 means that the sender made none. */
export function decodeUdp(bytes: Uint8Array, source: IpAddress, destination: IpAddress): UdpDatagram | null {
  const length = get16(bytes, 4);
  if (bytes.length < UDP_HEADER || length < UDP_HEADER || length > bytes.length) return null;
  const whole = bytes.subarray(0, length);
  const pseudo = pseudoHeaderSum(source, destination, PROTOCOL_UDP, length);
  const isMade = get16(bytes, 6) !== 0 || typeof source === 'bigint';
  if (isMade && checksum(whole, pseudo) !== 0) return null;
  return { sourcePort: get16(bytes, 0), destinationPort: get16(bytes, 2), payload: whole.subarray(UDP_HEADER) };
}
