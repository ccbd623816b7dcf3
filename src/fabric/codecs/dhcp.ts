/** Dynamic Host Configuration Protocol messages, RFC 2131; options of RFC 2132, long ones as RFC 3396 joins them. */
import { concat, get16, get32, get8, put16, put32 } from './bytes.ts';
import { readMac, writeMac } from './mac-address.ts';

export const DHCP_SERVER_PORT = 67;
export const DHCP_CLIENT_PORT = 68;

export const DHCP_OPTION = {
  subnetMask: 1,
  router: 3,
  dns: 6,
  hostName: 12,
  domainName: 15,
  requestedAddress: 50,
  leaseTime: 51,
  messageType: 53,
  server: 54,
  parameterList: 55,
  renewalTime: 58,
  rebindingTime: 59,
  clientId: 61,
} as const;

export const DHCP_TYPE = { discover: 1, offer: 2, request: 3, decline: 4, ack: 5, nak: 6, release: 7 } as const;

export interface DhcpMessage {
  operation: 'request' | 'reply';
  transaction: number;
  /** Seconds since the client began. */
  seconds: number;
  /** The client cannot take unicast before it has an address. */
  broadcast: boolean;
  clientAddress: number;
  yourAddress: number;
  serverAddress: number;
  relayAddress: number;
  clientMac: number;
  options: ReadonlyMap<number, Uint8Array>;
}

const MAGIC = 0x63825363;
const FIXED = 240;
/** BOOTP's smallest message (RFC 1542 section 2.1); some relays drop shorter ones. */
const SMALLEST = 300;
const PAD = 0;
const END = 255;

export function encodeDhcp(message: DhcpMessage): Uint8Array {
  const options = [...message.options].flatMap(([code, data]) => optionChunks(code, data));
  const used = FIXED + options.reduce((sum, option) => sum + option.length, 0) + 1;
  const bytes = new Uint8Array(Math.max(SMALLEST, used));
  bytes[0] = message.operation === 'request' ? 1 : 2;
  bytes[1] = 1;
  bytes[2] = 6;
  put32(bytes, 4, message.transaction);
  put16(bytes, 8, message.seconds);
  put16(bytes, 10, message.broadcast ? 0x8000 : 0);
  put32(bytes, 12, message.clientAddress);
  put32(bytes, 16, message.yourAddress);
  put32(bytes, 20, message.serverAddress);
  put32(bytes, 24, message.relayAddress);
  writeMac(bytes, 28, message.clientMac);
  put32(bytes, 236, MAGIC);
  bytes.set(concat(...options, Uint8Array.of(END)), FIXED);
  return bytes;
}

export function decodeDhcp(bytes: Uint8Array): DhcpMessage | null {
  const operation = get8(bytes, 0);
  const ethernet = get8(bytes, 1) === 1 && get8(bytes, 2) === 6;
  if (bytes.length < FIXED || (operation !== 1 && operation !== 2) || !ethernet) return null;
  const options = get32(bytes, 236) === MAGIC ? decodeOptions(bytes.subarray(FIXED)) : null;
  if (options === null) return null;
  return {
    operation: operation === 1 ? 'request' : 'reply',
    transaction: get32(bytes, 4),
    seconds: get16(bytes, 8),
    broadcast: (get16(bytes, 10) & 0x8000) !== 0,
    clientAddress: get32(bytes, 12),
    yourAddress: get32(bytes, 16),
    serverAddress: get32(bytes, 20),
    relayAddress: get32(bytes, 24),
    clientMac: readMac(bytes, 28),
    options,
  };
}

/** An option that holds one 32-bit number (an address, seconds); null when absent or of another length. */
export function numberOption(message: DhcpMessage, code: number): number | null {
  const data = message.options.get(code);
  return data?.length === 4 ? get32(data, 0) : null;
}

/** An option that lists addresses. */
export function addressesOption(message: DhcpMessage, code: number): number[] {
  const data = message.options.get(code) ?? new Uint8Array(0);
  return Array.from({ length: data.length >>> 2 }, (_, index) => get32(data, index * 4));
}

/** An option of text; servers sometimes end it by NUL. */
export function textOption(message: DhcpMessage, code: number): string | null {
  const data = message.options.get(code);
  return data === undefined
    ? null
    : Buffer.from(data)
        .toString('latin1')
        .replace(/(?<!\0)\0+$/, '');
}

export function messageType(message: DhcpMessage): number | null {
  return message.options.get(DHCP_OPTION.messageType)?.[0] ?? null;
}

export function numberData(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  put32(bytes, 0, value);
  return bytes;
}

function optionChunks(code: number, data: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    chunks.push(concat(Uint8Array.of(code, part.length), part));
  }
  return chunks;
}

function decodeOptions(bytes: Uint8Array): Map<number, Uint8Array> | null {
  const options = new Map<number, Uint8Array>();
  let at = 0;
  while (at < bytes.length && get8(bytes, at) !== END) {
    const code = get8(bytes, at);
    if (code === PAD) {
      at += 1;
      continue;
    }
    const end = at + 2 + get8(bytes, at + 1);
    if (at + 1 >= bytes.length || end > bytes.length) return null;
    const part = bytes.subarray(at + 2, end);
    const before = options.get(code);
    options.set(code, before === undefined ? part : concat(before, part));
    at = end;
  }
  return options;
}
