/** Messages of neighbour discovery, RFC 4861; name servers in advertisements, RFC 8106. The caller computes the checksum. */
import { concat, get16, get32, get8, put16, put32 } from '../bytes.ts';
import { readMac, writeMac } from '../mac-address.ts';
import { readIpv6, writeIpv6 } from '../ip-address.ts';

export interface PrefixInformation {
  prefix: bigint;
  /** Bits. */
  length: number;
  onLink: boolean;
  /** Hosts may make addresses of it (RFC 4862). */
  autonomous: boolean;
  /** Seconds; INFINITE_LIFETIME for ever. */
  valid: number;
  preferred: number;
}

export const INFINITE_LIFETIME = 0xffffffff;

export interface RouterAdvertisement {
  kind: 'router_advertisement';
  /** 0: unspecified; also in `reachable` and `retransmit`. */
  hopLimit: number;
  /** Addresses, or other settings, are to be had by DHCPv6. */
  managed: boolean;
  other: boolean;
  /** Seconds that the sender is a default router; 0: it is none. */
  lifetime: number;
  /** Milliseconds. */
  reachable: number;
  retransmit: number;
  /** Link-layer address of the sender; null: absent. */
  mac: number | null;
  mtu: number | null;
  prefixes: PrefixInformation[];
  /** Name servers, and seconds that they may be asked. */
  dns: { lifetime: number; servers: bigint[] }[];
}

export type Discovery =
  | { kind: 'router_solicitation'; mac: number | null }
  | RouterAdvertisement
  /** `mac`: of the sender; null in a probe for duplicates. */
  | { kind: 'neighbour_solicitation'; target: bigint; mac: number | null }
  | {
      kind: 'neighbour_advertisement';
      target: bigint;
      router: boolean;
      solicited: boolean;
      override: boolean;
      /** Link-layer address of the target; null: absent. */
      mac: number | null;
    };

const TYPES = {
  router_solicitation: 133,
  router_advertisement: 134,
  neighbour_solicitation: 135,
  neighbour_advertisement: 136,
};
const OPTION = { source: 1, target: 2, prefix: 3, mtu: 5, dns: 25 };

export function encodeDiscovery(message: Discovery): Uint8Array {
  switch (message.kind) {
    case 'router_solicitation':
      return withOptions(message.kind, new Uint8Array(8), macOption(OPTION.source, message.mac));
    case 'router_advertisement':
      return encodeAdvertisement(message);
    case 'neighbour_solicitation':
      return withOptions(message.kind, targeted(message.target), macOption(OPTION.source, message.mac));
    case 'neighbour_advertisement': {
      const head = targeted(message.target);
      head[4] = (message.router ? 0x80 : 0) | (message.solicited ? 0x40 : 0) | (message.override ? 0x20 : 0);
      return withOptions(message.kind, head, macOption(OPTION.target, message.mac));
    }
  }
}

function encodeAdvertisement(message: RouterAdvertisement): Uint8Array {
  const head = new Uint8Array(16);
  head[4] = message.hopLimit;
  head[5] = (message.managed ? 0x80 : 0) | (message.other ? 0x40 : 0);
  put16(head, 6, message.lifetime);
  put32(head, 8, message.reachable);
  put32(head, 12, message.retransmit);
  const options = [
    macOption(OPTION.source, message.mac),
    message.mtu === null ? NOTHING : numberOption(OPTION.mtu, message.mtu),
    ...message.prefixes.map(prefixOption),
    ...message.dns.map(dnsOption),
  ];
  return withOptions(message.kind, head, ...options);
}

const NOTHING = new Uint8Array(0);

function withOptions(kind: keyof typeof TYPES, head: Uint8Array, ...options: Uint8Array[]): Uint8Array {
  head[0] = TYPES[kind];
  return concat(head, ...options);
}

function targeted(target: bigint): Uint8Array {
  const head = new Uint8Array(24);
  writeIpv6(head, 8, target);
  return head;
}

/** Its second octet is the length in units of eight. */
function option(type: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes[0] = type;
  bytes[1] = length >>> 3;
  return bytes;
}

function macOption(type: number, mac: number | null): Uint8Array {
  if (mac === null) return NOTHING;
  const bytes = option(type, 8);
  writeMac(bytes, 2, mac);
  return bytes;
}

function numberOption(type: number, value: number): Uint8Array {
  const bytes = option(type, 8);
  put32(bytes, 4, value);
  return bytes;
}

function prefixOption(prefix: PrefixInformation): Uint8Array {
  const bytes = option(OPTION.prefix, 32);
  bytes[2] = prefix.length;
  bytes[3] = (prefix.onLink ? 0x80 : 0) | (prefix.autonomous ? 0x40 : 0);
  put32(bytes, 4, prefix.valid);
  put32(bytes, 8, prefix.preferred);
  writeIpv6(bytes, 16, prefix.prefix);
  return bytes;
}

function dnsOption({ lifetime, servers }: RouterAdvertisement['dns'][number]): Uint8Array {
  const bytes = option(OPTION.dns, 8 + servers.length * 16);
  put32(bytes, 4, lifetime);
  servers.forEach((server, index) => writeIpv6(bytes, 8 + index * 16, server));
  return bytes;
}

/** Null also for other types of ICMPv6. */
export function decodeDiscovery(bytes: Uint8Array): Discovery | null {
  const type = get8(bytes, 0);
  const head = type === TYPES.router_solicitation ? 8 : type === TYPES.router_advertisement ? 16 : 24;
  const isDiscovery = type >= TYPES.router_solicitation && type <= TYPES.neighbour_advertisement;
  const options = isDiscovery && bytes.length >= head ? optionsIn(bytes.subarray(head)) : null;
  if (options === null) return null;
  switch (type) {
    case TYPES.router_solicitation:
      return { kind: 'router_solicitation', mac: macIn(options, OPTION.source) };
    case TYPES.router_advertisement:
      return decodeAdvertisement(bytes, options);
    case TYPES.neighbour_solicitation: {
      const [target, mac] = [readIpv6(bytes, 8), macIn(options, OPTION.source)];
      return { kind: 'neighbour_solicitation', target, mac };
    }
    default: {
      const flags = get8(bytes, 4);
      return {
        kind: 'neighbour_advertisement',
        target: readIpv6(bytes, 8),
        router: (flags & 0x80) !== 0,
        solicited: (flags & 0x40) !== 0,
        override: (flags & 0x20) !== 0,
        mac: macIn(options, OPTION.target),
      };
    }
  }
}

interface Option {
  type: number;
  /** With type and length. */
  bytes: Uint8Array;
}

/** Null when one is cut short or has no length (RFC 4861, section 6.1.2). */
function optionsIn(bytes: Uint8Array): Option[] | null {
  const options: Option[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + get8(bytes, at + 1) * 8;
    if (end === at || end > bytes.length) return null;
    options.push({ type: get8(bytes, at), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return options;
}

function macIn(options: readonly Option[], type: number): number | null {
  const found = options.find((one) => one.type === type);
  return found === undefined ? null : readMac(found.bytes, 2);
}

function decodeAdvertisement(bytes: Uint8Array, options: readonly Option[]): RouterAdvertisement {
  const flags = get8(bytes, 5);
  const mtu = options.find((one) => one.type === OPTION.mtu);
  const ofType = (type: number, length: number): Uint8Array[] =>
    options.filter((one) => one.type === type && one.bytes.length >= length).map((one) => one.bytes);
  return {
    kind: 'router_advertisement',
    hopLimit: get8(bytes, 4),
    managed: (flags & 0x80) !== 0,
    other: (flags & 0x40) !== 0,
    lifetime: get16(bytes, 6),
    reachable: get32(bytes, 8),
    retransmit: get32(bytes, 12),
    mac: macIn(options, OPTION.source),
    mtu: mtu === undefined ? null : get32(mtu.bytes, 4),
    prefixes: ofType(OPTION.prefix, 32).map(prefixIn),
    dns: ofType(OPTION.dns, 8).map((one) => ({ lifetime: get32(one, 4), servers: addressesIn(one) })),
  };
}

const prefixIn = (bytes: Uint8Array): PrefixInformation => ({
  prefix: readIpv6(bytes, 16),
  length: Math.min(get8(bytes, 2), 128),
  onLink: (get8(bytes, 3) & 0x80) !== 0,
  autonomous: (get8(bytes, 3) & 0x40) !== 0,
  valid: get32(bytes, 4),
  preferred: get32(bytes, 8),
});

const addressesIn = (bytes: Uint8Array): bigint[] =>
  Array.from({ length: (bytes.length - 8) >>> 4 }, (_, index) => readIpv6(bytes, 8 + index * 16));
