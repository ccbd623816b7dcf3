import { decodeIcmp, FRAGMENTATION_NEEDED } from '../../codecs/icmpv4.ts';
import { formatIpv4, parseIpv4 } from '../../codecs/ipv4-address.ts';
import { decodeIpv4Header, IPV4_HEADER, type Ipv4Packet, PROTOCOL_ICMP } from '../../codecs/ipv4.ts';
import type { ProbeOptions, ProbeResult } from './ip-host.ts';
import { DEFAULT_TTL, type IpLayer, type Outgoing } from './ip-layer.ts';
import { type ProbePacket, probePacket } from './probe-packet.ts';
import type { UdpLayer } from './udp-layer.ts';
import type { Waits } from './waits.ts';

const DEFAULT_TIMEOUT = 1000;
const DESTINATION_UNREACHABLE = 3;

interface Pending {
  probe: ProbePacket;
  destination: number;
  started: number;
  settle: (result: ProbeResult) => void;
}

interface Options {
  ip: IpLayer;
  udp: UdpLayer;
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

  async probe(to: string, options: ProbeOptions, signal?: AbortSignal): Promise<ProbeResult> {
    const { ip, udp, random } = this.#options;
    const destination = parseIpv4(to);
    const nextHop = destination === null ? null : ip.nextHop(destination);
    if (destination === null || nextHop === null) return { kind: 'no_route' };
    const mac = await ip.resolve(nextHop, signal);
    const source = ip.configuration?.address;
    if (source === undefined) return { kind: 'no_route' };
    if (signal?.aborted === true) return { kind: 'timeout' };
    if (mac === null) return { kind: 'no_arp', next_hop: formatIpv4(nextHop) };
    const sourcePort = options.source_port ?? udp.freePort();
    const sequence = Math.floor(random() * 0x100000000);
    const probe = probePacket(options, { source, destination, sourcePort, sequence });
    return this.#exchange(mac, { probe, destination }, options, signal);
  }

  async #exchange(
    mac: number,
    { probe, destination }: Pick<Pending, 'probe' | 'destination'>,
    options: ProbeOptions,
    signal?: AbortSignal,
  ): Promise<ProbeResult> {
    const { ip, waits, now } = this.#options;
    const wait = waits.wait<ProbeResult>(options.timeout_ms ?? DEFAULT_TIMEOUT, { kind: 'timeout' }, signal);
    const mine = { probe, destination, started: now(), settle: wait.settle };
    // Before the packet leaves: over embedded cables the answer comes within the call that sends it.
    this.#pending.add(mine);
    const outgoing: Outgoing = { protocol: probe.protocol, destination, payload: probe.payload };
    if (options.ttl !== undefined) outgoing.ttl = options.ttl;
    if (options.dont_fragment !== undefined) outgoing.dontFragment = options.dont_fragment;
    if (!ip.transmit(mac, outgoing)) wait.settle(tooBig(ip));
    const result = await wait.promise;
    this.#pending.delete(mine);
    return result;
  }

  /** True when the packet belongs to a probe under way. */
  receive(packet: Ipv4Packet): boolean {
    if (this.#pending.size === 0) return false;
    return (packet.protocol === PROTOCOL_ICMP && this.#receiveError(packet)) || this.#receiveAnswer(packet);
  }

  #receiveAnswer(packet: Ipv4Packet): boolean {
    const { ip, now } = this.#options;
    for (const { probe: sent, started, settle } of this.#pending) {
      const answer = sent.protocol === packet.protocol ? sent.answer(packet) : null;
      if (answer === null) continue;
      const { refused, farewell: payload } = answer;
      settle({ kind: 'reply', ...seenIn(packet), ms: now() - started, ...(refused !== undefined && { refused }) });
      if (payload !== undefined) ip.send({ protocol: sent.protocol, destination: packet.source, payload });
      return true;
    }
    return false;
  }

  #receiveError(packet: Ipv4Packet): boolean {
    const { ip, now } = this.#options;
    const message = decodeIcmp(packet.payload);
    if (message?.kind !== 'unreachable' && message?.kind !== 'exceeded') return false;
    const original = decodeIpv4Header(message.original);
    if (original === null || original.source !== ip.configuration?.address) return false;
    for (const { probe: sent, destination, started, settle } of this.#pending) {
      const same = original.protocol === sent.protocol && original.destination === destination;
      if (!same || original.payload.length < 8 || !sent.quoted(original.payload)) continue;
      const seen = { ...seenIn(packet), ms: now() - started };
      if (message.kind === 'exceeded') settle({ kind: 'exceeded', ...seen });
      else settle({ kind: 'unreachable', ...seen, type: DESTINATION_UNREACHABLE, code: message.code });
      return true;
    }
    return false;
  }
}

/** `bytes` is the length of the whole IPv4 packet that came: 84 for an echo reply of 56 bytes. */
const seenIn = (packet: Ipv4Packet): { from: string; bytes: number; ttl: number } => ({
  from: formatIpv4(packet.source),
  bytes: IPV4_HEADER + packet.options.length + packet.payload.length,
  ttl: packet.ttl,
});

/** The host itself says that a packet is larger than its MTU and must not be fragmented. */
const tooBig = (ip: IpLayer): ProbeResult => ({
  kind: 'unreachable',
  from: formatIpv4(ip.configuration?.address ?? 0),
  bytes: 0,
  ttl: DEFAULT_TTL,
  ms: 0,
  type: DESTINATION_UNREACHABLE,
  code: FRAGMENTATION_NEEDED,
});
