import { FRAGMENTATION_NEEDED } from '../../codecs/icmpv4.ts';
import { formatIp, type IpAddress, parseIp } from '../../codecs/ip-address.ts';
import { IPV4_HEADER } from '../../codecs/ipv4.ts';
import { IPV6_HEADER } from '../../codecs/ipv6/ipv6.ts';
import { type EitherIcmp, icmpIn, quotedIn } from './icmp.ts';
import type { ProbeOptions, ProbeResult } from './ip-host.ts';
import { DEFAULT_TTL, type IpPacket, type IpService, isIpv6Packet, type Outgoing, type Way } from './ip-service.ts';
import { type ProbePacket, probePacket } from './probe-packet.ts';
import type { TcpConnection } from './tcp/tcp-connection.ts';
import type { TcpLayer } from './tcp/tcp-layer.ts';
import type { UdpLayer } from './udp-layer.ts';
import type { Waits } from './waits.ts';

const DEFAULT_TIMEOUT = 1000;
/** Type and code of errors, by family. */
const [UNREACHABLE, UNREACHABLE_V6, TOO_BIG_V6] = [3, 1, 2];

interface Pending {
  probe: ProbePacket;
  destination: IpAddress;
  started: number;
  settle: (result: ProbeResult) => void;
  /** Of TCP: takes the connection that is open then. Absent: it is closed. */
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
    const way = await ip.way(destination, signal);
    if (signal?.aborted === true) return { kind: 'timeout' };
    if ('kind' in way) return way;
    const { source } = way;
    const sourcePort = options.source_port ?? udp.freePort();
    const sequence = Math.floor(random() * 0x100000000);
    const probe = probePacket(options, { source, destination, sourcePort, sequence });
    return this.#exchange(way, { probe, destination }, options, signal);
  }

  async #exchange(
    way: Way,
    { probe, destination }: Pick<Pending, 'probe' | 'destination'>,
    options: ProbeOptions & { use?: TcpUse },
    signal?: AbortSignal,
  ): Promise<ProbeResult> {
    const { waits, now } = this.#options;
    const wait = waits.wait<ProbeResult>(options.timeout_ms ?? DEFAULT_TIMEOUT, { kind: 'timeout' }, signal);
    const mine = { probe, destination, started: now(), settle: wait.settle, use: options.use };
    // Before the packet leaves: over embedded cables the answer comes within the call that sends it.
    this.#pending.add(mine);
    const { source } = way;
    const outgoing: Outgoing = { protocol: probe.protocol, source, destination, payload: probe.payload };
    if (options.ttl !== undefined) outgoing.ttl = options.ttl;
    if (options.dont_fragment !== undefined) outgoing.dontFragment = options.dont_fragment;
    if (!way.transmit(outgoing)) wait.settle(tooBig(source));
    const result = await wait.promise;
    this.#pending.delete(mine);
    return result;
  }

  /** True when the packet belongs to a probe under way. */
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

/** What an error says; `type` is null when a packet was too long under way. */
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

/** `bytes` is the length of the whole packet that came: 84 for an echo reply of 56 bytes over IPv4. */
const seenIn = (packet: IpPacket): { from: string; bytes: number; ttl: number } => ({
  from: formatIp(packet.source),
  bytes: (isIpv6Packet(packet) ? IPV6_HEADER : IPV4_HEADER + packet.options.length) + packet.payload.length,
  ttl: packet.ttl,
});

/** The node itself says that a packet is larger than its MTU and must not be fragmented. */
const tooBig = (source: IpAddress): ProbeResult => ({
  kind: 'unreachable',
  ...{ from: formatIp(source), bytes: 0, ttl: DEFAULT_TTL, ms: 0 },
  ...(typeof source === 'bigint' ? { type: TOO_BIG_V6, code: 0 } : { type: UNREACHABLE, code: FRAGMENTATION_NEEDED }),
});
