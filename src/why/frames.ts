import { encodeArp } from '../fabric/codecs/arp.ts';
import { encodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4, isTagType, VLAN_TAG } from '../fabric/codecs/ethernet.ts';
import { get16 } from '../fabric/codecs/bytes.ts';
import { encodeIcmp } from '../fabric/codecs/icmpv4.ts';
import { encodeIpv4, PROTOCOL_ICMP } from '../fabric/codecs/ipv4.ts';
import { BROADCAST_MAC } from '../fabric/codecs/mac-address.ts';
import { type Address, bytesOf } from './address.ts';

/** Untagged frames that one node sends to the next one to deliver a packet. */
export interface Probe {
  packet: Uint8Array;
  /** Frames that are needed before it: the ARP request for the other's address, and the reply to its request. */
  others: Uint8Array[];
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
}

export const DEFAULT_SIZE = 56;
const TTL = 64;
const ETHERTYPE_IPV6 = 0x86dd;
const ICMP_V6 = 58;

export const probeOf = (sides: Sides): Probe => {
  const { source, destination } = sides;
  if (source === null || destination === null) return { packet: arp(sides, 'request'), others: [] };
  if (source.family === 6) return { packet: packetV6(sides, source, destination), others: [] };
  return { packet: packetV4(sides, source, destination), others: [arp(sides, 'request'), arp(sides, 'reply')] };
};

const valueOf = (address: Address | null): number => (address?.family === 4 ? Number(address.value) : 0);

const arp = ({ macs: [own, other], hops: [here, there] }: Sides, operation: 'request' | 'reply'): Uint8Array =>
  encodeEthernet({
    destination: operation === 'request' ? BROADCAST_MAC : other,
    source: own,
    tags: [],
    ethertype: ETHERTYPE_ARP,
    payload: encodeArp({
      operation,
      senderMac: own,
      senderAddress: valueOf(here),
      targetMac: operation === 'request' ? 0 : other,
      targetAddress: valueOf(there),
    }),
  });

const packetV4 = ({ macs: [own, other], isReply, size }: Sides, source: Address, destination: Address): Uint8Array =>
  encodeEthernet({
    destination: other,
    source: own,
    tags: [],
    ethertype: ETHERTYPE_IPV4,
    payload: encodeIpv4({
      trafficClass: 0,
      identification: 1,
      dontFragment: false,
      moreFragments: false,
      fragmentOffset: 0,
      ttl: TTL,
      protocol: PROTOCOL_ICMP,
      source: valueOf(source),
      destination: valueOf(destination),
      options: new Uint8Array(0),
      payload: encodeIcmp({
        kind: isReply ? 'echo_reply' : 'echo_request',
        identifier: 1,
        sequence: 1,
        data: new Uint8Array(size),
      }),
    }),
  });

/** RFC 8200 section 3, RFC 4443 section 4; without the checksum, as no filter reads it. */
const packetV6 = ({ macs: [own, other], isReply, size }: Sides, source: Address, destination: Address): Uint8Array => {
  const payload = new Uint8Array(40 + 8 + size);
  payload.set([0x60, 0, 0, 0, (8 + size) >> 8, (8 + size) & 255, ICMP_V6, TTL]);
  payload.set(bytesOf(source), 8);
  payload.set(bytesOf(destination), 24);
  payload[40] = isReply ? 129 : 128;
  return encodeEthernet({ destination: other, source: own, tags: [], ethertype: ETHERTYPE_IPV6, payload });
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
