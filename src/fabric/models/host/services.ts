import { PROTOCOL_TCP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { UNSPECIFIED_IPV6 } from '../../codecs/ipv6/ipv6-address.ts';
import { createDnsResolver, type Query } from './dns-resolver.ts';
import { echoReply } from './icmp.ts';
import type { ProbeOptions, ProbeResult } from './ip-host.ts';
import type { IpPacket, IpService, Outgoing } from './ip-service.ts';
import { resetFor } from './probe-packet.ts';
import { Probes } from './probes.ts';
import { UdpLayer } from './udp-layer.ts';
import type { Waits } from './waits.ts';

interface Options {
  ip: IpService;
  waits: Waits;
  now: () => number;
  random: () => number;
}

/** What a node does with packets for itself, over both families: answers, probes, names. Rarer parts are made when they are needed. */
export class Services {
  readonly udp: UdpLayer;
  readonly #options: Options;
  #probes: Probes | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.udp = new UdpLayer(options.ip, options.random);
  }

  probe(to: string, options: ProbeOptions, signal?: AbortSignal): Promise<ProbeResult> {
    this.#probes ??= new Probes({ ...this.#options, udp: this.udp });
    return this.#probes.probe(to, options, signal);
  }

  resolve(query: Query, signal?: AbortSignal): Promise<string | null> {
    return createDnsResolver({ ...this.#options, udp: this.udp }).resolve(query, signal);
  }

  /** A whole packet for this node. */
  deliver(packet: IpPacket): void {
    if (this.#probes?.receive(packet) === true) return;
    if (packet.protocol === PROTOCOL_UDP) return this.udp.receive(packet);
    const answer = this.#answerTo(packet);
    if (answer !== null) this.#options.ip.send(answer);
  }

  #answerTo(packet: IpPacket): Outgoing | null {
    const { protocol, source, destination } = packet;
    const { ip } = this.#options;
    if (source === 0 || source === UNSPECIFIED_IPV6) return null;
    if (ip.isOwn(destination)) {
      const payload = protocol === PROTOCOL_TCP ? resetFor(packet) : null;
      if (payload === null) return echoReply(packet, destination);
      return { protocol, source: destination, destination: source, payload };
    }
    // Pings to a broadcast address are not answered, those to a group of IPv6 are (RFC 4443, section 4.2).
    return typeof source === 'bigint' ? echoReply(packet, ip.sourceFor(source)) : null;
  }
}
