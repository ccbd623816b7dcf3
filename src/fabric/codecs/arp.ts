/** Address Resolution Protocol for IPv4 over Ethernet, RFC 826. */
import { get16, get32, get8, put16, put32 } from './bytes.ts';
import { readMac, writeMac } from './mac-address.ts';

export interface ArpMessage {
  operation: 'request' | 'reply';
  senderMac: number;
  /** 0 in a probe for duplicates (RFC 5227). */
  senderAddress: number;
  targetMac: number;
  targetAddress: number;
}

const LENGTH = 28;

export function encodeArp(message: ArpMessage): Uint8Array {
  const bytes = new Uint8Array(LENGTH);
  put16(bytes, 0, 1);
  put16(bytes, 2, 0x0800);
  bytes[4] = 6;
  bytes[5] = 4;
  put16(bytes, 6, message.operation === 'request' ? 1 : 2);
  writeMac(bytes, 8, message.senderMac);
  put32(bytes, 14, message.senderAddress);
  writeMac(bytes, 18, message.targetMac);
  put32(bytes, 24, message.targetAddress);
  return bytes;
}

/** Null also for other hardware or protocol types and for reverse ARP. Padding after the message is fine. */
export function decodeArp(bytes: Uint8Array): ArpMessage | null {
  const operation = get16(bytes, 6);
  const known = get16(bytes, 0) === 1 && get16(bytes, 2) === 0x0800 && get8(bytes, 4) === 6 && get8(bytes, 5) === 4;
  if (bytes.length < LENGTH || !known || (operation !== 1 && operation !== 2)) return null;
  return {
    operation: operation === 1 ? 'request' : 'reply',
    senderMac: readMac(bytes, 8),
    senderAddress: get32(bytes, 14),
    targetMac: readMac(bytes, 18),
    targetAddress: get32(bytes, 24),
  };
}
