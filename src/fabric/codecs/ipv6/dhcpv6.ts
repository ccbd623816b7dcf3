/** DHCP for IPv6, RFC 8415: the messages of a client for one address, and name servers (RFC 3646). */
import { concat, get16, get32, get8, put16, put32 } from '../bytes.ts';
import { writeMac } from '../mac-address.ts';
import { readIpv6, writeIpv6 } from '../ip-address.ts';

export const DHCPV6_CLIENT_PORT = 546;
export const DHCPV6_SERVER_PORT = 547;
export const ALL_DHCP_SERVERS = 0xff02_0000_0000_0000_0000_0000_0001_0002n;

export const DHCPV6_TYPE = {
  solicit: 1,
  advertise: 2,
  request: 3,
  renew: 5,
  rebind: 6,
  reply: 7,
  release: 8,
  decline: 9,
} as const;

const OPTION = {
  clientId: 1,
  serverId: 2,
  identityAssociation: 3,
  address: 5,
  wanted: 6,
  elapsed: 8,
  status: 13,
  dns: 23,
};

export interface LeasedAddress {
  address: bigint;
  /** Seconds. */
  preferred: number;
  valid: number;
}

/** An identity association for addresses (IA_NA). */
export interface IdentityAssociation {
  id: number;
  /** Seconds after which it is renewed, and rebound; 0: as the client likes. */
  renewAfter: number;
  rebindAfter: number;
  addresses: LeasedAddress[];
  /** 0: success. */
  status: number;
}

export interface Dhcpv6Message {
  type: number;
  /** 24 bits. */
  transaction: number;
  /** DUIDs; null: absent. */
  clientId: Uint8Array | null;
  serverId: Uint8Array | null;
  association: IdentityAssociation | null;
  /** Status of the whole message; 0: success. */
  status: number;
  dns: bigint[];
}

/** DUID-LL (RFC 8415, section 11.4): made of the MAC alone. */
export function duidOf(mac: number): Uint8Array {
  const bytes = new Uint8Array(10);
  put16(bytes, 0, 3);
  put16(bytes, 2, 1);
  writeMac(bytes, 4, mac);
  return bytes;
}

export function encodeDhcpv6(message: Dhcpv6Message): Uint8Array {
  const head = new Uint8Array(4);
  put32(head, 0, message.type * 0x1000000 + message.transaction);
  const wanted = new Uint8Array(2);
  put16(wanted, 0, OPTION.dns);
  const isAsking = message.type !== DHCPV6_TYPE.advertise && message.type !== DHCPV6_TYPE.reply;
  return concat(
    head,
    ...(message.clientId === null ? [] : [option(OPTION.clientId, message.clientId)]),
    ...(message.serverId === null ? [] : [option(OPTION.serverId, message.serverId)]),
    ...(message.association === null ? [] : [associationOption(message.association)]),
    ...(message.status === 0 ? [] : [statusOption(message.status)]),
    ...(message.dns.length === 0 ? [] : [option(OPTION.dns, concat(...message.dns.map(addressBytes)))]),
    ...(isAsking ? [option(OPTION.wanted, wanted), option(OPTION.elapsed, new Uint8Array(2))] : []),
  );
}

function option(code: number, data: Uint8Array): Uint8Array {
  const head = new Uint8Array(4);
  put16(head, 0, code);
  put16(head, 2, data.length);
  return concat(head, data);
}

function statusOption(status: number): Uint8Array {
  const data = new Uint8Array(2);
  put16(data, 0, status);
  return option(OPTION.status, data);
}

function addressBytes(address: bigint): Uint8Array {
  const bytes = new Uint8Array(16);
  writeIpv6(bytes, 0, address);
  return bytes;
}

function associationOption({ id, renewAfter, rebindAfter, addresses, status }: IdentityAssociation): Uint8Array {
  const head = new Uint8Array(12);
  put32(head, 0, id);
  put32(head, 4, renewAfter);
  put32(head, 8, rebindAfter);
  const leased = addresses.map(({ address, preferred, valid }) => {
    const data = new Uint8Array(24);
    writeIpv6(data, 0, address);
    put32(data, 16, preferred);
    put32(data, 20, valid);
    return option(OPTION.address, data);
  });
  return option(OPTION.identityAssociation, concat(head, ...leased, ...(status === 0 ? [] : [statusOption(status)])));
}

/** Null when malformed. */
export function decodeDhcpv6(bytes: Uint8Array): Dhcpv6Message | null {
  const options = bytes.length < 4 ? null : optionsIn(bytes.subarray(4));
  if (options === null) return null;
  const association = dataOf(options, OPTION.identityAssociation);
  const decoded = association === null ? null : decodeAssociation(association);
  if (association !== null && decoded === null) return null;
  const dns = dataOf(options, OPTION.dns) ?? new Uint8Array(0);
  return {
    type: get8(bytes, 0),
    transaction: get32(bytes, 0) % 0x1000000,
    clientId: dataOf(options, OPTION.clientId),
    serverId: dataOf(options, OPTION.serverId),
    association: decoded,
    status: statusIn(options),
    dns: Array.from({ length: dns.length >>> 4 }, (_, index) => readIpv6(dns, index * 16)),
  };
}

interface Option {
  code: number;
  data: Uint8Array;
}

function optionsIn(bytes: Uint8Array): Option[] | null {
  const options: Option[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + 4 + get16(bytes, at + 2);
    if (at + 4 > bytes.length || end > bytes.length) return null;
    options.push({ code: get16(bytes, at), data: bytes.subarray(at + 4, end) });
    at = end;
  }
  return options;
}

const dataOf = (options: readonly Option[], code: number): Uint8Array | null =>
  options.find((one) => one.code === code)?.data ?? null;

function statusIn(options: readonly Option[]): number {
  const data = dataOf(options, OPTION.status);
  return data === null ? 0 : get16(data, 0);
}

function decodeAssociation(bytes: Uint8Array): IdentityAssociation | null {
  const options = bytes.length < 12 ? null : optionsIn(bytes.subarray(12));
  if (options === null) return null;
  return {
    id: get32(bytes, 0),
    renewAfter: get32(bytes, 4),
    rebindAfter: get32(bytes, 8),
    addresses: options
      .filter(({ code, data }) => code === OPTION.address && data.length >= 24)
      .map(({ data }) => ({ address: readIpv6(data, 0), preferred: get32(data, 16), valid: get32(data, 20) })),
    status: statusIn(options),
  };
}
