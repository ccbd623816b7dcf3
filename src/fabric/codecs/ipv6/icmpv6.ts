/** Internet Control Message Protocol for IPv6, RFC 4443, with the messages of neighbour discovery (RFC 4861). */
import { concat, get16, get32, get8, put16, put32 } from '../bytes.ts';
import { checksum, pseudoHeaderSum } from '../checksum.ts';
import { PROTOCOL_ICMPV6 } from './ipv6.ts';
import { decodeDiscovery, type Discovery, encodeDiscovery } from './neighbour-discovery.ts';

/** Codes of `unreachable`. */
export const UNREACHABLE_V6 = { noRoute: 0, prohibited: 1, beyondScope: 2, address: 3, port: 4 } as const;

export type Icmpv6Message =
  | { kind: 'echo_request' | 'echo_reply'; identifier: number; sequence: number; data: Uint8Array }
  /** `original`: as much of the packet that met the error as fits. */
  | { kind: 'unreachable' | 'exceeded'; code: number; original: Uint8Array }
  | { kind: 'too_big'; mtu: number; original: Uint8Array }
  | { kind: 'parameter_problem'; code: number; pointer: number; original: Uint8Array }
  | Discovery;

const HEADER = 8;
const TYPES = { unreachable: 1, too_big: 2, exceeded: 3, parameter_problem: 4, echo_request: 128, echo_reply: 129 };

export function encodeIcmpv6(message: Icmpv6Message, source: bigint, destination: bigint): Uint8Array {
  const bytes = bytesOf(message);
  put16(bytes, 2, checksum(bytes, pseudoHeaderSum(source, destination, PROTOCOL_ICMPV6, bytes.length)));
  return bytes;
}

function bytesOf(message: Icmpv6Message): Uint8Array {
  const header = new Uint8Array(HEADER);
  switch (message.kind) {
    case 'echo_request':
    case 'echo_reply':
      put16(header, 4, message.identifier);
      put16(header, 6, message.sequence);
      return finished(message.kind, header, message.data);
    case 'too_big':
      put32(header, 4, message.mtu);
      return finished(message.kind, header, message.original);
    case 'parameter_problem':
      header[1] = message.code;
      put32(header, 4, message.pointer);
      return finished(message.kind, header, message.original);
    case 'unreachable':
    case 'exceeded':
      header[1] = message.code;
      return finished(message.kind, header, message.original);
    default:
      return encodeDiscovery(message);
  }
}

function finished(kind: keyof typeof TYPES, header: Uint8Array, rest: Uint8Array): Uint8Array {
  header[0] = TYPES[kind];
  return concat(header, rest);
}

/** Null when malformed, when the checksum is wrong, and for types not listed above. */
export function decodeIcmpv6(bytes: Uint8Array, source: bigint, destination: bigint): Icmpv6Message | null {
  if (bytes.length < HEADER) return null;
  if (checksum(bytes, pseudoHeaderSum(source, destination, PROTOCOL_ICMPV6, bytes.length)) !== 0) return null;
  const code = get8(bytes, 1);
  const rest = bytes.subarray(HEADER);
  switch (get8(bytes, 0)) {
    case TYPES.echo_request:
    case TYPES.echo_reply: {
      const kind = get8(bytes, 0) === TYPES.echo_request ? 'echo_request' : 'echo_reply';
      return code === 0 ? { kind, identifier: get16(bytes, 4), sequence: get16(bytes, 6), data: rest } : null;
    }
    case TYPES.unreachable:
      return { kind: 'unreachable', code, original: rest };
    case TYPES.too_big:
      return { kind: 'too_big', mtu: get32(bytes, 4), original: rest };
    case TYPES.exceeded:
      return { kind: 'exceeded', code, original: rest };
    case TYPES.parameter_problem:
      return { kind: 'parameter_problem', code, pointer: get32(bytes, 4), original: rest };
    default:
      return code === 0 ? decodeDiscovery(bytes) : null;
  }
}
