import { get16 } from '../../codecs/bytes.ts';
import {
  formatIp,
  type IpAddress,
  isLinkLocalIpv6,
  isMulticastIpv6,
  parseIp,
  UNSPECIFIED_IPV6,
} from '../../codecs/ip-address.ts';
import type { Ipv4Packet } from '../../codecs/ipv4.ts';
import { IPV6_HEADER, type Ipv6Packet } from '../../codecs/ipv6/ipv6.ts';
import type { ModelContext } from '../../process/model.ts';
import { errorAbout, type Problem } from '../host/icmp.ts';
import type { ProbeOptions, Prober, ProbeResult } from '../host/ip-host.ts';
import type { IpPacket, IpService, RouteFailure, Outgoing, ResolvedRoute } from '../host/ip-service.ts';
import { Services } from '../host/services.ts';
import type { HttpNode } from '../host/http.ts';
import { Waits } from '../host/waits.ts';
import { RouteTable } from './route-table.ts';
import { RouterInterface } from './router-interface.ts';

/** Rate limit of ICMP errors (RFC 4443, section 2.4(f)): burst, and errors a second. */
const ERRORS_AT_ONCE = 50;
const ERRORS_A_SECOND = 100;

interface Options {
  /** MACs of the interfaces, in their order. */
  macs: readonly number[];
  now: () => number;
  timer: ModelContext['timer'];
  random: () => number;
  send: (port: number, frame: Uint8Array) => void;
  /** Called with a sentence about a problem of the network, such as a duplicate address. */
  report: (text: string) => void;
}

interface Hop {
  out: RouterInterface;
  nextHop: IpAddress;
}

/** Forwards packets of both families by static routes, RFC 1812 and RFC 8200; it sends no redirects. */
export class Router implements IpService, Prober {
  readonly interfaces: readonly RouterInterface[];
  readonly routes = new RouteTable();
  readonly #options: Options;
  readonly #waits: Waits;
  readonly #services: Services;
  #errors = { left: ERRORS_AT_ONCE, at: 0 };

  constructor(options: Options) {
    const { now, timer, random } = options;
    this.#options = options;
    this.#waits = new Waits(timer);
    this.#services = new Services({ ip: this, waits: this.#waits, now, random, timer });
    const owner = {
      isOwn: (address: IpAddress) => this.isOwn(address),
      deliver: (packet: IpPacket) => this.#services.deliver(packet),
      forwardIpv4: (from: RouterInterface, packet: Ipv4Packet) => this.#forwardIpv4(from, packet),
      forwardIpv6: (...given: [RouterInterface, Ipv6Packet, Uint8Array]) => this.#forwardIpv6(...given),
      report: options.report,
    };
    this.interfaces = options.macs.map((mac, number) => {
      const send = (frame: Uint8Array): void => options.send(number, frame);
      return new RouterInterface({ number, mac, now, timer, random, waits: this.#waits, send, owner });
    });
  }

  receive(port: number, frame: Uint8Array): void {
    this.interfaces[port]?.receive(frame);
  }

  /** Next hop to an address; null: there is no route. */
  hop(destination: IpAddress): Hop | null {
    const own = this.interfaces.find((one) => one.isOwn(destination));
    if (own !== undefined) return { out: own, nextHop: destination };
    const near = this.#connected(destination);
    for (const { length, via, port } of this.routes.to(destination)) {
      if (near !== null && near.length >= length) break;
      const out = port === null ? (this.#connected(via)?.out ?? null) : (this.interfaces[port] ?? null);
      if (out?.isUp === true) return { out, nextHop: via };
    }
    return near === null ? null : { out: near.out, nextHop: destination };
  }

  async resolveRoute(destination: IpAddress, signal?: AbortSignal): Promise<ResolvedRoute | RouteFailure> {
    const hop = this.hop(destination);
    return hop === null ? { kind: 'no_route' } : hop.out.resolveRoute(destination, hop.nextHop, signal);
  }

  sourceFor(destination: IpAddress): IpAddress | null {
    return this.hop(destination)?.out.sourceFor(destination) ?? null;
  }

  send(outgoing: Outgoing): void {
    const hop = this.hop(outgoing.destination);
    if (hop !== null) hop.out.send(outgoing, hop.nextHop);
  }

  isOwn(given: IpAddress | string): boolean {
    const address = typeof given === 'string' ? parseIp(given) : given;
    return address !== null && this.interfaces.some((one) => one.isOwn(address));
  }

  canReach(destination: string): boolean {
    const isIpv6 = destination.includes(':');
    return this.interfaces.some((one) =>
      one.prefixes().some(({ network }) => isIpv6 === (typeof network === 'bigint')),
    );
  }

  probe(to: string, options: ProbeOptions, signal?: AbortSignal): Promise<ProbeResult> {
    return this.#services.probe(to, options, signal);
  }

  get http(): HttpNode {
    return this.#services;
  }

  /** A router has no name servers. */
  resolve(): Promise<null> {
    return Promise.resolve(null);
  }

  stop(): void {
    for (const one of this.interfaces) one.stop();
    this.#services.stop();
    this.#waits.stop();
  }

  #connected(address: IpAddress): { out: RouterInterface; length: number } | null {
    let best: { out: RouterInterface; length: number } | null = null;
    for (const out of this.interfaces) {
      const length = out.matches(address);
      if (length !== null && length > (best?.length ?? -1)) best = { out, length };
    }
    return best;
  }

  #forwardIpv4(from: RouterInterface, packet: Ipv4Packet): void {
    if (packet.ttl <= 1) return this.#sendError(from, packet, 'ttl');
    const hop = this.hop(packet.destination);
    if (hop === null) return this.#sendError(from, packet, 'no_route');
    // RFC 2644: directed broadcasts are not forwarded.
    if (hop.out.ip.isBroadcast(packet.destination)) return;
    const failed = (problem: Problem): void => this.#sendError(from, packet, problem);
    hop.out.ip.relay(hop.nextHop as number, { ...packet, ttl: packet.ttl - 1 }, failed);
  }

  #forwardIpv6(from: RouterInterface, packet: Ipv6Packet, bytes: Uint8Array): void {
    const { source, destination } = packet;
    const isOfLink = isLinkLocalIpv6(source) || isLinkLocalIpv6(destination) || source === UNSPECIFIED_IPV6;
    if (isOfLink || isMulticastIpv6(destination)) return;
    if (packet.ttl <= 1) return this.#sendError(from, packet, 'ttl');
    const hop = this.hop(destination);
    if (hop === null) return this.#sendError(from, packet, 'no_route');
    const { six } = hop.out;
    const copy = bytes.slice(0, IPV6_HEADER + get16(bytes, 4));
    if (copy.length > six.mtu) return this.#sendError(from, packet, { too_big: six.mtu });
    copy[7] = packet.ttl - 1;
    const lost = (): void => this.#sendError(from, packet, 'no_neighbour');
    six.sendTo(hop.nextHop as bigint, (mac) => six.sendBytes(mac, copy), lost);
  }

  /** Sends an error to the packet's sender, from the interface where it arrived. */
  #sendError(from: RouterInterface, packet: IpPacket, problem: Problem): void {
    const own = from.sourceFor(packet.source);
    const error = own === null ? null : errorAbout(packet, problem, own);
    if (error !== null && this.#maySendError()) this.send(error);
  }

  #maySendError(): boolean {
    const now = this.#options.now();
    const left = Math.min(ERRORS_AT_ONCE, this.#errors.left + ((now - this.#errors.at) * ERRORS_A_SECOND) / 1000);
    this.#errors = { left: left - 1, at: now };
    if (left < 1) this.#errors.left = left;
    return left >= 1;
  }

  neighbours(): { address: string; mac: number; port: number; state: string }[] {
    return this.interfaces.flatMap(({ number, arp, six }) => [
      ...arp
        .entries()
        .map(({ address, mac }) => ({ address: formatIp(address), mac, port: number, state: 'reachable' })),
      ...six.neighbours.entries().map(({ address, mac, state }) => ({
        address: formatIp(address),
        mac,
        port: number,
        state,
      })),
    ]);
  }
}
