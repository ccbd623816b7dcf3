import { get32, get16 } from '../../codecs/bytes.ts';
import type { IpAddress } from '../../codecs/ip-address.ts';
import { IPV4_HEADER, IPV4_MAX, PROTOCOL_TCP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { decodeTcp, EMPTY_SEGMENT, encodeTcp } from '../../codecs/tcp.ts';
import { decodeUdp, encodeUdp } from '../../codecs/udp.ts';
import type { ProbeOptions } from './ip-host.ts';
import { echoOutgoing, icmpIn } from './icmp.ts';
import type { IpPacket } from './ip-service.ts';
import type { Answered } from './tcp/tcp-layer.ts';
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
  /** TCP: the connection that the answer opens, which must not stay half-open at the other end. */
  opened?: Answered;
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

/** A SYN; SYN-ACK and RST both show that the host is there. */
function tcpProbe(options: ProbeOptions, { source, destination, sourcePort, sequence }: Route): ProbePacket {
  const port = options.port ?? ECHO_PORT;
  const syn = { ...EMPTY_SEGMENT, sourcePort, destinationPort: port, sequence, syn: true, window: 65535 };
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
      if (!reply.syn) return null;
      const ends = { local: source, localPort: sourcePort, remote: destination, remotePort: port };
      const opened = { ends, sequence: next, expected: (reply.sequence + 1) >>> 0, window: reply.window };
      return { refused: false, opened };
    },
  };
}

function filler(options: ProbeOptions): Uint8Array {
  const size = Math.min(Math.max(options.size ?? DEFAULT_SIZE, 0), IPV4_MAX - IPV4_HEADER - HEADER);
  return Uint8Array.from({ length: size }, (_, index) => index & 0xff);
}
