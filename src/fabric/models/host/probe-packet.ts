import { get32, get16 } from '../../codecs/bytes.ts';
import type { IpAddress } from '../../codecs/ip-address.ts';
import { IPV4_HEADER, IPV4_MAX, PROTOCOL_TCP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { decodeTcp, encodeTcp, type TcpSegment } from '../../codecs/tcp.ts';
import { decodeUdp, encodeUdp } from '../../codecs/udp.ts';
import type { ProbeOptions } from './ip-host.ts';
import { echoOutgoing, icmpIn } from './icmp.ts';
import type { IpPacket } from './ip-service.ts';
import { ECHO_PORT } from './udp-layer.ts';

const DEFAULT_SIZE = 56;
/** Of an echo request and of a UDP datagram alike. */
const HEADER = 8;

/** One probe as bytes, and how to know what comes back for it. */
export interface ProbePacket {
  protocol: number;
  payload: Uint8Array;
  /** The first bytes of a payload, as an ICMP error quotes them, are those of this probe. */
  quoted: (head: Uint8Array) => boolean;
  /** Null when the packet, of the same protocol, is not the answer. */
  answer: (packet: IpPacket) => ProbeAnswer | null;
}

interface ProbeAnswer {
  /** TCP: the port is closed. */
  refused?: boolean;
  /** What is to be said in return. */
  farewell?: Uint8Array;
}

interface Route {
  source: IpAddress;
  destination: IpAddress;
  sourcePort: number;
  /** Of a TCP segment. */
  sequence: number;
}

export function probePacket(options: ProbeOptions, route: Route): ProbePacket {
  switch (options.protocol) {
    case 'icmp':
      return icmpProbe(options, route);
    case 'udp':
      return udpProbe(options, route);
    case 'tcp':
      return tcpProbe(options, route);
  }
}

function icmpProbe(options: ProbeOptions, { source, destination }: Route): ProbePacket {
  const identifier = options.identifier & 0xffff;
  const sequence = options.sequence & 0xffff;
  const request = { kind: 'echo_request', identifier, sequence, data: filler(options) } as const;
  const { protocol, payload } = echoOutgoing(request, source, destination);
  return {
    ...{ protocol, payload },
    quoted: (head) => head[0] === payload[0] && get16(head, 4) === identifier && get16(head, 6) === sequence,
    answer: (packet) => {
      const message = icmpIn(packet);
      const ours = message?.kind === 'echo_reply' && message.identifier === identifier && message.sequence === sequence;
      return ours ? {} : null;
    },
  };
}

function udpProbe(options: ProbeOptions, { source, destination, sourcePort }: Route): ProbePacket {
  const port = options.port ?? ECHO_PORT;
  return {
    protocol: PROTOCOL_UDP,
    payload: encodeUdp({ sourcePort, destinationPort: port, payload: filler(options) }, source, destination),
    quoted: (head) => get16(head, 0) === sourcePort && get16(head, 2) === port,
    answer: (packet) => {
      const reply = decodeUdp(packet.payload, packet.source, packet.destination);
      const ours = packet.source === destination && reply?.sourcePort === port && reply.destinationPort === sourcePort;
      return ours ? {} : null;
    },
  };
}

/** A SYN without data; SYN-ACK and RST both show that the host is there. */
function tcpProbe(options: ProbeOptions, { source, destination, sourcePort, sequence }: Route): ProbePacket {
  const port = options.port ?? ECHO_PORT;
  const syn = { ...BARE, sourcePort, destinationPort: port, sequence, syn: true, window: 65535 };
  const next = (sequence + 1) >>> 0;
  return {
    protocol: PROTOCOL_TCP,
    payload: encodeTcp(syn, source, destination),
    quoted: (head) => get16(head, 0) === sourcePort && get16(head, 2) === port && get32(head, 4) === sequence,
    answer: (packet) => {
      const reply = decodeTcp(packet.payload, packet.source, packet.destination);
      const ours = packet.source === destination && reply?.sourcePort === port && reply.destinationPort === sourcePort;
      if (!ours || !reply.ack || reply.acknowledgment !== next) return null;
      if (reply.rst) return { refused: true };
      // The half-open connection at the other end must not stay.
      const farewell = encodeTcp({ ...syn, syn: false, rst: true, sequence: next }, source, destination);
      return reply.syn ? { refused: false, farewell } : null;
    },
  };
}

const BARE: TcpSegment = {
  sourcePort: 0,
  destinationPort: 0,
  sequence: 0,
  acknowledgment: 0,
  syn: false,
  ack: false,
  rst: false,
  fin: false,
  push: false,
  window: 0,
  options: new Uint8Array(0),
  payload: new Uint8Array(0),
};

/** RFC 9293 section 3.10.7.1: the answer of a closed port; null when the segment is a reset itself. */
export function resetFor(packet: IpPacket): Uint8Array | null {
  const segment = decodeTcp(packet.payload, packet.source, packet.destination);
  if (segment === null || segment.rst) return null;
  const ports = { sourcePort: segment.destinationPort, destinationPort: segment.sourcePort };
  const length = segment.payload.length + (segment.syn ? 1 : 0) + (segment.fin ? 1 : 0);
  const numbers = segment.ack
    ? { sequence: segment.acknowledgment }
    : { acknowledgment: (segment.sequence + length) >>> 0, ack: true };
  return encodeTcp({ ...BARE, ...ports, ...numbers, rst: true }, packet.destination, packet.source);
}

function filler(options: ProbeOptions): Uint8Array {
  const size = Math.min(Math.max(options.size ?? DEFAULT_SIZE, 0), IPV4_MAX - IPV4_HEADER - HEADER);
  return Uint8Array.from({ length: size }, (_, index) => index & 0xff);
}
