import { encodeArp } from '../fabric/codecs/arp.ts';
import { get16 } from '../fabric/codecs/bytes.ts';
import {
  encodeEthernet,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  isTagType,
  VLAN_TAG,
} from '../fabric/codecs/ethernet.ts';
import { fragmentIpv4 } from '../fabric/codecs/fragments.ts';
import { encodeIcmp } from '../fabric/codecs/icmpv4.ts';
import { encodeIpv4, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from '../fabric/codecs/ipv4.ts';
import { encodeIcmpv6, type Icmpv6Message } from '../fabric/codecs/ipv6/icmpv6.ts';
import { encodeIpv6, fragmentIpv6, IPV6_LEAST_MTU, PROTOCOL_ICMPV6 } from '../fabric/codecs/ipv6/ipv6.ts';
import { BROADCAST_MAC } from '../fabric/codecs/mac-address.ts';
import { EMPTY_SEGMENT, encodeTcp } from '../fabric/codecs/tcp.ts';
import { encodeUdp } from '../fabric/codecs/udp.ts';
import type { Address } from './address.ts';

/** Untagged frames that one node sends to the next one to deliver a packet. */
export interface Probe {
  packet: Uint8Array;
  /** Its other fragments, and what is needed before it: the question for the other's MAC address, and the answer to its question. */
  others: Uint8Array[];
  /** Question or answer that will be needed only later: the address is in the table of neighbours. */
  later: Uint8Array[];
}

/** A port that is asked for in place of a ping. */
export interface WantedPort {
  protocol: 'tcp' | 'udp';
  number: number;
}

export interface Sides {
  /** MAC addresses of this node and the next. */
  macs: readonly [number, number];
  /** Addresses of the packet; null if not known. */
  source: Address | null;
  destination: Address | null;
  /** Addresses of this node and the next. */
  hops: readonly [Address | null, Address | null];
  isReply: boolean;
  /** Octets of data. */
  size: number;
  port: WantedPort | null;
  /** Octets of the longest packet. */
  mtu: number;
  /** Whether this node has the next one in its table of neighbours, and the next one this node. */
  knows: readonly [boolean, boolean];
}

export const DEFAULT_SIZE = 56;
export const DEFAULT_MTU = 1500;
/** Every IPv4 link carries packets of this size (RFC 791, section 3.2). */
const LEAST_MTU = 68;
const TTL = 64;
/** Neighbour discovery is valid with this hop limit alone (RFC 4861, section 7.1). */
const LINK_TTL = 255;
/** A port that systems choose for themselves. */
const OWN_PORT = 49_152;

/** An address that is not known stands as 0. */
export const probeOf = (sides: Sides): Probe => {
  const family = (sides.source ?? sides.destination)?.family;
  if (family === undefined) return { packet: arp(sides, 'request'), others: [], later: [] };
  const [packet = new Uint8Array(0), ...rest] = family === 4 ? packetsV4(sides) : packetsV6(sides);
  const asked =
    family === 4 ? [arp(sides, 'request'), arp(sides, 'reply')] : [solicitation(sides), advertisement(sides)];
  const others = [...rest, ...asked.filter((_, n) => sides.knows[n] === false)];
  return { packet, others, later: asked.filter((_, n) => sides.knows[n] === true) };
};

const four = (address: Address | null): number => (address?.family === 4 ? Number(address.value) : 0);
const six = (address: Address | null): bigint => (address?.family === 6 ? address.value : 0n);

const arp = ({ macs: [own, other], hops: [here, there] }: Sides, operation: 'request' | 'reply'): Uint8Array =>
  encodeEthernet({
    destination: operation === 'request' ? BROADCAST_MAC : other,
    source: own,
    tags: [],
    ethertype: ETHERTYPE_ARP,
    payload: encodeArp({
      operation,
      senderMac: own,
      senderAddress: four(here),
      targetMac: operation === 'request' ? 0 : other,
      targetAddress: four(there),
    }),
  });

const packetsV4 = (sides: Sides): Uint8Array[] => {
  const { macs, isReply, size, mtu } = sides;
  const [source, destination] = [four(sides.source), four(sides.destination)];
  const kind = isReply ? ('echo_reply' as const) : ('echo_request' as const);
  const { protocol, payload } = carried(sides, source, destination) ?? {
    protocol: PROTOCOL_ICMP,
    payload: encodeIcmp({ kind, identifier: 1, sequence: 1, data: new Uint8Array(size) }),
  };
  const options = new Uint8Array(0);
  const packet = { ...PLAIN_V4, protocol, source, destination, options, payload };
  const parts = fragmentIpv4(packet, Math.max(mtu, LEAST_MTU)) ?? [packet];
  return ends(parts).map((one) => framed(macs, ETHERTYPE_IPV4, encodeIpv4(one)));
};

const packetsV6 = (sides: Sides): Uint8Array[] => {
  const { macs, isReply, size, mtu } = sides;
  const [source, destination] = [six(sides.source), six(sides.destination)];
  const kind = isReply ? ('echo_reply' as const) : ('echo_request' as const);
  const { protocol, payload } = carried(sides, source, destination) ?? {
    protocol: PROTOCOL_ICMPV6,
    payload: encodeIcmpv6({ kind, identifier: 1, sequence: 1, data: new Uint8Array(size) }, source, destination),
  };
  const packet = { ...PLAIN_V6, protocol, source, destination, payload };
  const parts = fragmentIpv6(packet, Math.max(mtu, IPV6_LEAST_MTU));
  return ends(parts).map((one) => framed(macs, ETHERTYPE_IPV6, encodeIpv6(one)));
};

/** Fragments between the first and the last are like the first. */
const ends = <P>(parts: readonly P[]): P[] => [...parts.slice(0, 1), ...parts.slice(1).slice(-1)];

const PLAIN = { trafficClass: 0, moreFragments: false, fragmentOffset: 0, ttl: TTL };
const PLAIN_V4 = { ...PLAIN, identification: 1, dontFragment: false };
const PLAIN_V6 = { ...PLAIN, identification: 0, flowLabel: 0 };

/** Payload of a packet to the wanted port, or of its answer; null: a ping is asked for. */
const carried = <A extends number | bigint>({ port, isReply, size }: Sides, source: A, destination: A) => {
  if (port === null) return null;
  const [sourcePort, destinationPort] = isReply ? [port.number, OWN_PORT] : [OWN_PORT, port.number];
  if (port.protocol === 'tcp') {
    const segment = { ...EMPTY_SEGMENT, sourcePort, destinationPort, syn: true, ack: isReply };
    return { protocol: PROTOCOL_TCP, payload: encodeTcp(segment, source, destination) };
  }
  const datagram = { sourcePort, destinationPort, payload: new Uint8Array(size) };
  return { protocol: PROTOCOL_UDP, payload: encodeUdp(datagram, source, destination) };
};

const framed = ([source, destination]: Sides['macs'], ethertype: number, payload: Uint8Array): Uint8Array =>
  encodeEthernet({ destination, source, tags: [], ethertype, payload });

/** Neighbour discovery between this node and the next. */
const discovery = (
  macs: Sides['macs'],
  [source, destination]: [bigint, bigint],
  message: Icmpv6Message,
): Uint8Array => {
  const payload = encodeIcmpv6(message, source, destination);
  const packet = { ...PLAIN_V6, ttl: LINK_TTL, protocol: PROTOCOL_ICMPV6, source, destination, payload };
  return framed(macs, ETHERTYPE_IPV6, encodeIpv6(packet));
};

/** The question goes to the group of the last three octets of the wanted address (RFC 4291, section 2.7.1; RFC 2464, section 7). */
const solicitation = ({ macs: [mac], hops: [here, there] }: Sides): Uint8Array => {
  const target = six(there);
  const last = target & 0xff_ffffn;
  const group = 0xff02_0000_0000_0000_0000_0001_ff00_0000n | last;
  return discovery([mac, 0x3333_ff00_0000 + Number(last)], [six(here), group], {
    kind: 'neighbour_solicitation',
    target,
    mac,
  });
};

const advertisement = ({ macs: [mac, other], hops: [here, there] }: Sides): Uint8Array => {
  const flags = { router: false, solicited: true, override: true };
  const message = { kind: 'neighbour_advertisement' as const, target: six(here), mac, ...flags };
  return discovery([mac, other], [six(here), six(there)], message);
};

/** VLAN tags of a frame, as octets. */
export const tagsOf = (frame: Uint8Array): Uint8Array => {
  let end = 12;
  while (end + VLAN_TAG + 2 <= frame.length && isTagType(get16(frame, end))) end += VLAN_TAG;
  return frame.subarray(12, end);
};

/** Inserts VLAN tags into a frame. */
export const withTags = (frame: Uint8Array, tags: Uint8Array): Uint8Array => {
  if (tags.length === 0) return frame;
  const bytes = new Uint8Array(frame.length + tags.length);
  bytes.set(frame.subarray(0, 12));
  bytes.set(tags, 12);
  bytes.set(frame.subarray(12), 12 + tags.length);
  return bytes;
};
