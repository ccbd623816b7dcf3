/** Internet Control Message Protocol, RFC 792 (and RFC 1191 for the next-hop MTU). */
import { concat, get16, get8, put16 } from './bytes.ts';
import { checksum } from './checksum.ts';

export const PORT_UNREACHABLE = 3;
export const FRAGMENTATION_NEEDED = 4;

export type IcmpMessage =
  | { kind: 'echo_request' | 'echo_reply'; identifier: number; sequence: number; data: Uint8Array }
  /** `original`: header and first bytes of the packet that met the error. `mtu` is 0 but for code 4. */
  | { kind: 'unreachable'; code: number; mtu: number; original: Uint8Array }
  | { kind: 'exceeded'; code: number; original: Uint8Array };

const HEADER = 8;

export function encodeIcmp(message: IcmpMessage): Uint8Array {
  const header = new Uint8Array(HEADER);
  let rest: Uint8Array;
  switch (message.kind) {
    case 'echo_request':
    case 'echo_reply':
      header[0] = message.kind === 'echo_request' ? 8 : 0;
      put16(header, 4, message.identifier);
      put16(header, 6, message.sequence);
      rest = message.data;
      break;
    case 'unreachable':
      header[0] = 3;
      header[1] = message.code;
      put16(header, 6, message.mtu);
      rest = message.original;
      break;
    case 'exceeded':
      header[0] = 11;
      header[1] = message.code;
      rest = message.original;
      break;
  }
  const bytes = concat(header, rest);
  put16(bytes, 2, checksum(bytes));
  return bytes;
}

/** Null when malformed, when the checksum is wrong, and for types not listed above. */
export function decodeIcmp(bytes: Uint8Array): IcmpMessage | null {
  if (bytes.length < HEADER || checksum(bytes) !== 0) return null;
  const code = get8(bytes, 1);
  const rest = bytes.subarray(HEADER);
  switch (get8(bytes, 0)) {
    case 0:
    case 8: {
      const kind = get8(bytes, 0) === 8 ? 'echo_request' : 'echo_reply';
      return code === 0 ? { kind, identifier: get16(bytes, 4), sequence: get16(bytes, 6), data: rest } : null;
    }
    case 3:
      return { kind: 'unreachable', code, mtu: get16(bytes, 6), original: rest };
    case 11:
      return { kind: 'exceeded', code, original: rest };
    default:
      return null;
  }
}
