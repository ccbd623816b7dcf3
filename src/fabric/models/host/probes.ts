import { get16, get32 } from '../../codecs/bytes.ts';
import { FRAGMENTATION_NEEDED } from '../../codecs/icmpv4.ts';
import { formatIp, type IpAddress, parseIp } from '../../codecs/ip-address.ts';
import { IPV4_HEADER, IPV4_MAX, PROTOCOL_TCP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { IPV6_HEADER } from '../../codecs/ipv6/ipv6.ts';
import { decodeTcp, EMPTY_SEGMENT, encodeTcp } from '../../codecs/tcp.ts';
import { decodeUdp, encodeUdp } from '../../codecs/udp.ts';
import type { EchoRequest, EchoResult } from '../../protocol.ts';
import { echoOutgoing, type EitherIcmp, icmpIn, quotedIn } from './icmp.ts';
import type { ProbeOptions, Prober, ProbeResult } from './ip-host.ts';
import {
  DEFAULT_TTL,
  type IpPacket,
  type IpService,
  isIpv6Packet,
  type Outgoing,
  type ResolvedRoute,
} from './ip-service.ts';
import type { Handshake, TcpConnection, TcpLayer } from './tcp.ts';
import { ECHO_PORT, type UdpLayer } from './udp-layer.ts';
import type { Waits } from './waits.ts';

const DEFAULT_TIMEOUT = 1000;
/** Types of errors by family. */
const [UNREACHABLE, UNREACHABLE_V6, TOO_BIG_V6] = [3, 1, 2];

interface Pending {
  probe: ProbePacket;
  destination: IpAddress;
  started: number;
  settle: (result: ProbeResult) => void;
  /** TCP: takes the open connection. Absent: it is closed. */
  use: TcpUse | undefined;
}

type TcpUse = (connection: TcpConnection) => void;
const close: TcpUse = (connection) => connection.close();

interface Options {
  ip: IpService;
  udp: UdpLayer;
  tcp: TcpLayer;
  waits: Waits;
  now: () => number;
  random: () => number;
}

export class Probes {
  readonly #options: Options;
  readonly #pending = new Set<Pending>();

  constructor(options: Options) {
    this.#options = options;
  }

  async probe(to: string, options: ProbeOptions & { use?: TcpUse }, signal?: AbortSignal): Promise<ProbeResult> {
    const { ip, udp, random } = this.#options;
    const destination = parseIp(to);
    if (destination === null) return { kind: 'no_route' };
    const route = await ip.resolveRoute(destination, signal);
    if (signal?.aborted === true) return { kind: 'timeout' };
    if ('kind' in route) return route;
    const { source } = route;
    const sourcePort = options.source_port ?? udp.freePort();
    const sequence = Math.floor(random() * 0x100000000);
    const probe = probePacket(options, { source, destination, sourcePort, sequence });
    return this.#exchange(route, { probe, destination }, options, signal);
  }

  async #exchange(
    route: ResolvedRoute,
    { probe, destination }: Pick<Pending, 'probe' | 'destination'>,
    options: ProbeOptions & { use?: TcpUse },
    signal?: AbortSignal,
  ): Promise<ProbeResult> {
    const { waits, now } = this.#options;
    const wait = waits.wait<ProbeResult>(options.timeout_ms ?? DEFAULT_TIMEOUT, { kind: 'timeout' }, signal);
    const mine = { probe, destination, started: now(), settle: wait.settle, use: options.use };
    // Before the packet leaves: over embedded cables the answer comes within the call that sends it.
    this.#pending.add(mine);
    const { source } = route;
    const outgoing: Outgoing = { protocol: probe.protocol, source, destination, payload: probe.payload };
    if (options.ttl !== undefined) outgoing.ttl = options.ttl;
    if (options.dont_fragment !== undefined) outgoing.dontFragment = options.dont_fragment;
    if (!route.transmit(outgoing)) wait.settle(tooBig(source));
    const result = await wait.promise;
    this.#pending.delete(mine);
    return result;
  }

  /** True when the packet belongs to a probe under route. */
  receive(packet: IpPacket): boolean {
    if (this.#pending.size === 0) return false;
    return this.#receiveError(packet) || this.#receiveAnswer(packet);
  }

  #receiveAnswer(packet: IpPacket): boolean {
    const { now } = this.#options;
    for (const { probe: sent, started, settle, use } of this.#pending) {
      const answer = sent.protocol === packet.protocol ? sent.answer(packet) : null;
      if (answer === null) continue;
      const { refused, opened } = answer;
      settle({ kind: 'reply', ...seenIn(packet), ms: now() - started, ...(refused !== undefined && { refused }) });
      if (opened !== undefined) this.#options.tcp.complete(opened, use ?? close);
      return true;
    }
    return false;
  }

  #receiveError(packet: IpPacket): boolean {
    const { ip, now } = this.#options;
    const message = icmpIn(packet);
    const error = message === null ? null : errorIn(message, isIpv6Packet(packet));
    const original = error === null ? null : quotedIn(error.original, packet);
    if (error === null || original === null || !ip.isOwn(original.source)) return false;
    for (const { probe: sent, destination, started, settle } of this.#pending) {
      const same = original.protocol === sent.protocol && original.destination === destination;
      if (!same || original.payload.length < 8 || !sent.quoted(original.payload)) continue;
      const seen = { ...seenIn(packet), ms: now() - started };
      if (error.type === null) settle({ kind: 'exceeded', ...seen });
      else settle({ kind: 'unreachable', ...seen, type: error.type, code: error.code });
      return true;
    }
    return false;
  }
}

/** Fields of an error; `type` null: time exceeded. */
function errorIn(
  message: EitherIcmp,
  isIpv6: boolean,
): { type: number | null; code: number; original: Uint8Array } | null {
  switch (message.kind) {
    case 'exceeded':
      return { type: null, code: message.code, original: message.original };
    case 'unreachable':
      return { type: isIpv6 ? UNREACHABLE_V6 : UNREACHABLE, code: message.code, original: message.original };
    case 'too_big':
      return { type: TOO_BIG_V6, code: 0, original: message.original };
    default:
      return null;
  }
}

/** `bytes`: length of the whole packet, 84 for an echo reply of 56 bytes over IPv4. */
const seenIn = (packet: IpPacket): { from: string; bytes: number; ttl: number } => ({
  from: formatIp(packet.source),
  bytes: (isIpv6Packet(packet) ? IPV6_HEADER : IPV4_HEADER + packet.options.length) + packet.payload.length,
  ttl: packet.ttl,
});

/** Result for a packet that is larger than the node's own MTU and must not be fragmented. */
const tooBig = (source: IpAddress): ProbeResult => ({
  kind: 'unreachable',
  from: formatIp(source),
  bytes: 0,
  ttl: DEFAULT_TTL,
  ms: 0,
  ...(typeof source === 'bigint' ? { type: TOO_BIG_V6, code: 0 } : { type: UNREACHABLE, code: FRAGMENTATION_NEEDED }),
});

/** Sends one echo request. `why`: why there was no answer. */
export const probeOnce = async (
  host: Pick<Prober, 'probe'>,
  address: string,
  { size = 56, ...echo }: EchoRequest,
): Promise<Pick<EchoResult, 'rtt_ms' | 'why'>> => {
  const result = await host.probe(address, { protocol: 'icmp', size, ...echo });
  return result.kind === 'reply'
    ? { rtt_ms: result.ms, why: null }
    : { rtt_ms: null, why: whyOf(result, echo.timeout_ms) };
};

const whyOf = (result: Exclude<ProbeResult, { kind: 'reply' }>, timeoutMs: number): string => {
  switch (result.kind) {
    case 'timeout':
      return `no answer within ${timeoutMs} ms`;
    case 'exceeded':
      return `${result.from} says that the time to live was exceeded`;
    case 'unreachable':
      return `${result.from} says that it is unreachable (code ${result.code})`;
    case 'no_arp':
      return `nobody answers for ${result.next_hop}`;
    case 'no_route':
      return 'it has no address or no route there';
  }
};

const DEFAULT_SIZE = 56;
/** Octets of the header of an echo request, and of a UDP datagram. */
const HEADER = 8;

/** A probe as bytes, and how to match answers to it. */
interface ProbePacket {
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
  /** TCP: the connection that the answer opens; it must not stay half-open at the other end. */
  opened?: Handshake;
}

interface Route {
  source: IpAddress;
  destination: IpAddress;
  sourcePort: number;
  /** Sequence number of a TCP segment. */
  sequence: number;
}

function probePacket(options: ProbeOptions, route: Route): ProbePacket {
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
    protocol,
    payload,
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
