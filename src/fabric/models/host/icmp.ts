/** Control messages of both families, for hosts and routers. */
import {
  decodeIcmp,
  encodeIcmp,
  FRAGMENTATION_NEEDED,
  type IcmpMessage,
  PORT_UNREACHABLE,
} from '../../codecs/icmpv4.ts';
import { type IpAddress, isMulticastIpv6, UNSPECIFIED_IPV6 } from '../../codecs/ip-address.ts';
import { decodeIpv4Header, encodeIpv4, IPV4_HEADER, type Ipv4Packet, PROTOCOL_ICMP } from '../../codecs/ipv4.ts';
import { decodeIcmpv6, encodeIcmpv6, type Icmpv6Message, UNREACHABLE_V6 } from '../../codecs/ipv6/icmpv6.ts';
import {
  decodeIpv6Header,
  encodeIpv6,
  IPV6_HEADER,
  IPV6_LEAST_MTU,
  type Ipv6Packet,
  PROTOCOL_ICMPV6,
} from '../../codecs/ipv6/ipv6.ts';
import { type IpPacket, isIpv6Packet, type Outgoing } from './ip-service.ts';

/** Payload bytes of the IPv4 packet that an error quotes after its header (RFC 792). */
const QUOTED = 8;
const ICMP_HEADER = 8;
/** Octets of an IPv6 packet that an error quotes: all that fits without fragments (RFC 4443, section 2.4). */
const QUOTED_V6 = IPV6_LEAST_MTU - IPV6_HEADER - ICMP_HEADER;
const NET_UNREACHABLE = 0;
const HOST_UNREACHABLE = 1;
/** RFC 4443, section 2.4(e): lower types are errors, which must not be answered by errors. */
const FIRST_INFORMATION_V6 = 128;

/** Why a packet is not delivered. `too_big`: the MTU of the next link. */
export type Problem = 'port' | 'no_route' | 'no_neighbour' | 'ttl' | { too_big: number };

export type EitherIcmp = IcmpMessage | Icmpv6Message;

const isIcmp = ({ protocol, source }: Pick<IpPacket, 'protocol' | 'source'>): boolean =>
  protocol === (typeof source === 'bigint' ? PROTOCOL_ICMPV6 : PROTOCOL_ICMP);

export function icmpIn(packet: IpPacket): EitherIcmp | null {
  if (!isIcmp(packet)) return null;
  return isIpv6Packet(packet)
    ? decodeIcmpv6(packet.payload, packet.source, packet.destination)
    : decodeIcmp(packet.payload);
}

/** Header of the packet that an error quotes. */
export const quotedIn = (original: Uint8Array, packet: IpPacket): IpPacket | null =>
  isIpv6Packet(packet) ? decodeIpv6Header(original) : decodeIpv4Header(original);

type Echo = Extract<IcmpMessage, { kind: 'echo_request' | 'echo_reply' }>;

export function echoOutgoing(message: Echo, source: IpAddress, destination: IpAddress): Outgoing {
  if (typeof source === 'bigint' && typeof destination === 'bigint') {
    return { protocol: PROTOCOL_ICMPV6, source, destination, payload: encodeIcmpv6(message, source, destination) };
  }
  return { protocol: PROTOCOL_ICMP, source, destination, payload: encodeIcmp(message) };
}

/** The answer to an echo request, from `own`; null for other packets. */
export function echoReply(packet: IpPacket, own: IpAddress | null): Outgoing | null {
  const message = icmpIn(packet);
  if (message?.kind !== 'echo_request' || own === null) return null;
  return echoOutgoing({ ...message, kind: 'echo_reply' }, own, packet.source);
}

/** The error for the sender; null where none may be sent (RFC 1122 section 3.2.2, RFC 4443 section 2.4). */
export function errorAbout(packet: IpPacket, problem: Problem, own: IpAddress): Outgoing | null {
  if (isIpv6Packet(packet)) return typeof own === 'bigint' ? errorAboutIpv6(packet, problem, own) : null;
  return typeof own === 'number' ? errorAboutIpv4(packet, problem, own) : null;
}

function errorAboutIpv4(packet: Ipv4Packet, problem: Problem, source: number): Outgoing | null {
  const isError = packet.protocol === PROTOCOL_ICMP && packet.payload[0] !== 8 && packet.payload[0] !== 0;
  if (packet.source === 0 || packet.fragmentOffset > 0 || isError) return null;
  const original = encodeIpv4(packet).subarray(0, IPV4_HEADER + packet.options.length + QUOTED);
  return {
    protocol: PROTOCOL_ICMP,
    source,
    destination: packet.source,
    payload: encodeIcmp(ipv4Error(problem, original)),
  };
}

function ipv4Error(problem: Problem, original: Uint8Array): IcmpMessage {
  if (problem === 'ttl') return { kind: 'exceeded', code: 0, original };
  if (typeof problem === 'object') {
    return { kind: 'unreachable', code: FRAGMENTATION_NEEDED, mtu: problem.too_big, original };
  }
  const codes = { port: PORT_UNREACHABLE, no_route: NET_UNREACHABLE, no_neighbour: HOST_UNREACHABLE };
  return { kind: 'unreachable', code: codes[problem], mtu: 0, original };
}

function errorAboutIpv6(packet: Ipv6Packet, problem: Problem, source: bigint): Outgoing | null {
  const { protocol, payload } = packet;
  const isError = protocol === PROTOCOL_ICMPV6 && (payload[0] ?? 0) < FIRST_INFORMATION_V6;
  const isOfGroup = isMulticastIpv6(packet.destination) && typeof problem !== 'object';
  if (packet.source === UNSPECIFIED_IPV6 || isMulticastIpv6(packet.source) || isError || isOfGroup) return null;
  const message = ipv6Error(problem, encodeIpv6(packet).subarray(0, QUOTED_V6));
  const destination = packet.source;
  return { protocol: PROTOCOL_ICMPV6, source, destination, payload: encodeIcmpv6(message, source, destination) };
}

function ipv6Error(problem: Problem, original: Uint8Array): Icmpv6Message {
  if (problem === 'ttl') return { kind: 'exceeded', code: 0, original };
  if (typeof problem === 'object') return { kind: 'too_big', mtu: problem.too_big, original };
  const { port, noRoute, address } = UNREACHABLE_V6;
  return { kind: 'unreachable', code: { port, no_route: noRoute, no_neighbour: address }[problem], original };
}
