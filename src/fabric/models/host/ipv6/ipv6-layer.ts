import { encodeEthernet, ETHERTYPE_IPV6 } from '../../../codecs/ethernet.ts';
import { createReassemblyBuffer, type ReassemblyBuffer } from '../../../codecs/fragments.ts';
import { decodeIcmpv6, encodeIcmpv6, type Icmpv6Message } from '../../../codecs/ipv6/icmpv6.ts';
import {
  ALL_NODES,
  ALL_ROUTERS,
  formatIpv6,
  inIpv6Prefix,
  ipv6Network,
  isLinkLocalIpv6,
  isMulticastIpv6,
  linkLocalOf,
  multicastMac,
} from '../../../codecs/ip-address.ts';
import {
  decodeIpv6,
  decodeIpv6Header,
  encodeIpv6,
  fragmentIpv6,
  IPV6_HEADER,
  IPV6_LEAST_MTU,
  type Ipv6Packet,
  PROTOCOL_ICMPV6,
} from '../../../codecs/ipv6/ipv6.ts';
import { INFINITE_LIFETIME, type RouterAdvertisement } from '../../../codecs/ipv6/neighbour-discovery.ts';
import type { ModelContext } from '../../../process/model.ts';
import { DEFAULT_TTL, type RouteFailure, type Outgoing, type ResolvedRoute } from '../ip-service.ts';
import type { Waits } from '../waits.ts';
import { Discovery, type DiscoveryEvents } from './neighbour-discovery.ts';
import { NeighbourCache } from './neighbour-cache.ts';
import { type OwnAddress, OwnAddresses } from './own-addresses.ts';

/** Packets of `sendTo` that may wait for a neighbour; more are dropped. */
const MOST_QUEUED = 64;
/** Destinations with a path MTU below that of the link; the oldest is forgotten first. */
const MOST_PATHS = 64;
/** ICMPv6 types handled in this layer: neighbour discovery is not delivered, packet too big is noted and delivered. */
const TOO_BIG = 2;
const [FIRST_DISCOVERY, LAST_DISCOVERY] = [133, 136];

export interface Ipv6Options extends DiscoveryEvents {
  mac: number;
  now: () => number;
  timer: ModelContext['timer'];
  random: () => number;
  waits: Waits;
  send: (frame: Uint8Array) => void;
  deliver: (packet: Ipv6Packet) => void;
  /** Routers only: addresses of other interfaces, and packets to be forwarded, with their bytes. */
  isOwn?: (address: bigint) => boolean;
  forward?: (packet: Ipv6Packet, bytes: Uint8Array) => void;
}

/** IPv6 on one Ethernet interface, RFC 8200. It has the link-local address of its MAC (EUI-64), which is not probed for duplicates. */
export class Ipv6Layer {
  mtu = 1500;
  hopLimit = DEFAULT_TTL;
  /** Configured gateway, preferred to advertised routers. */
  gateway: bigint | null = null;
  readonly linkLocal: bigint;
  readonly addresses: OwnAddresses;
  readonly neighbours: NeighbourCache;
  readonly learned: LearnedRoutes;
  readonly #options: Ipv6Options;
  readonly #discovery: Discovery;
  readonly #paths = new Map<bigint, number>();
  /** Made at the first fragment. */
  #fragments: ReassemblyBuffer<Ipv6Packet> | null = null;
  #queued = 0;

  constructor(options: Ipv6Options) {
    const { mac, now, timer, waits } = options;
    this.#options = options;
    this.linkLocal = linkLocalOf(mac);
    this.addresses = new OwnAddresses(this.linkLocal, now);
    this.learned = new LearnedRoutes(now);
    this.#discovery = new Discovery(this, options);
    const solicit = (target: bigint, to: number | null): void => this.#discovery.solicit(target, to);
    this.neighbours = new NeighbourCache({ now, timer, waits, solicit });
  }

  /** Takes an address unless another host has it. */
  async assign(wish: OwnAddress, signal?: AbortSignal): Promise<boolean> {
    const isTaken = await this.#discovery.duplicates.inUse(wish.address, signal);
    if (isTaken || signal?.aborted === true || this.#options.waits.stopped) return false;
    return this.addresses.add(wish);
  }

  nextHop(destination: bigint): bigint | null {
    if (this.addresses.sourceFor(destination) === null) return null;
    if (isMulticastIpv6(destination) || isLinkLocalIpv6(destination)) return destination;
    if (this.addresses.isOnLink(destination) || this.addresses.has(destination)) return destination;
    if (this.learned.isOnLink(destination)) return destination;
    const { routers } = this.learned;
    return this.gateway ?? routers[0] ?? null;
  }

  resolve(nextHop: bigint, signal?: AbortSignal): Promise<number | null> {
    const immediate = this.immediateMac(nextHop);
    return immediate === null ? this.neighbours.resolve(nextHop, signal) : Promise.resolve(immediate);
  }

  async resolveRoute(
    destination: bigint,
    signal?: AbortSignal,
    nextHop = this.nextHop(destination),
  ): Promise<ResolvedRoute | RouteFailure> {
    if (nextHop === null) return { kind: 'no_route' };
    const mac = await this.resolve(nextHop, signal);
    const source = this.addresses.sourceFor(destination);
    if (source === null) return { kind: 'no_route' };
    if (mac === null) return { kind: 'no_arp', next_hop: formatIpv6(nextHop) };
    return { source, transmit: (outgoing) => this.transmit(mac, outgoing as Outgoing<bigint>) };
  }

  /** Sends once the next hop is resolved; drops the packet when it is not. */
  send(outgoing: Outgoing<bigint>, nextHop = this.nextHop(outgoing.destination)): void {
    if (nextHop !== null) this.sendTo(nextHop, (mac) => this.transmit(mac, outgoing));
  }

  /** Calls `transmit` once the MAC of the next hop is known, or `lost` when nobody answers. */
  sendTo(nextHop: bigint, transmit: (mac: number) => void, lost: () => void = () => undefined): void {
    const immediate = this.immediateMac(nextHop);
    if (immediate !== null) return transmit(immediate);
    if (this.#queued >= MOST_QUEUED) return;
    this.#queued += 1;
    void this.neighbours.resolve(nextHop).then((mac) => {
      this.#queued -= 1;
      if (mac === null) lost();
      else transmit(mac);
    });
  }

  /** False when the packet is larger than the path MTU and must not be fragmented. */
  transmit(mac: number, outgoing: Outgoing<bigint>): boolean {
    const packet = this.#packetOf(outgoing);
    const room = this.pathMtu(outgoing.destination);
    if (outgoing.dontFragment === true && IPV6_HEADER + outgoing.payload.length > room) return false;
    for (const part of fragmentIpv6(packet, room)) {
      if (mac === this.#options.mac) this.#accept(part);
      else this.sendBytes(mac, encodeIpv6(part));
    }
    return true;
  }

  sendBytes(destination: number, payload: Uint8Array): void {
    const { mac: source, send } = this.#options;
    send(encodeEthernet({ destination, source, tags: [], ethertype: ETHERTYPE_IPV6, payload }));
  }

  /** Sends a message of neighbour discovery, with hop limit 255 as it must not cross a router. */
  tell(message: Icmpv6Message, source: bigint, destination: bigint, mac = multicastMac(destination)): void {
    const payload = encodeIcmpv6(message, source, destination);
    this.transmit(mac, { protocol: PROTOCOL_ICMPV6, source, destination, payload, ttl: 255 });
  }

  solicitRouters(): void {
    this.tell({ kind: 'router_solicitation', mac: this.#options.mac }, this.linkLocal, ALL_ROUTERS);
  }

  pathMtu(destination: bigint): number {
    return Math.min(this.mtu, this.#paths.get(destination) ?? this.mtu);
  }

  receive(payload: Uint8Array): void {
    const packet = decodeIpv6(payload);
    if (packet === null || isMulticastIpv6(packet.source)) return;
    if (this.#isForUs(packet.destination)) this.#accept(packet);
    else this.#options.forward?.(packet, payload);
  }

  immediateMac(nextHop: bigint): number | null {
    if (this.addresses.has(nextHop)) return this.#options.mac;
    return isMulticastIpv6(nextHop) ? multicastMac(nextHop) : this.neighbours.use(nextHop);
  }

  #isForUs(destination: bigint): boolean {
    if (!isMulticastIpv6(destination)) {
      return this.addresses.has(destination) || this.#options.isOwn?.(destination) === true;
    }
    if (destination === ALL_NODES || this.addresses.listensTo(destination)) return true;
    const isOfRouters = destination === ALL_ROUTERS && this.#options.forward !== undefined;
    return isOfRouters || this.#discovery.isProbing(destination);
  }

  #accept(packet: Ipv6Packet): void {
    const isPart = packet.moreFragments || packet.fragmentOffset > 0;
    const whole = isPart ? (this.#fragments ??= createReassemblyBuffer(this.#options.now)).add(packet) : packet;
    if (whole === null) return;
    const type = whole.protocol === PROTOCOL_ICMPV6 ? whole.payload[0] : undefined;
    if (type !== undefined && type >= FIRST_DISCOVERY && type <= LAST_DISCOVERY) {
      // RFC 6980: neighbour discovery must not be fragmented.
      if (!isPart) this.#discovery.receive(whole);
      return;
    }
    if (type === TOO_BIG) this.#notePath(whole);
    this.#options.deliver(whole);
  }

  /** Notes the path MTU of a packet too big message, RFC 8201. */
  #notePath(packet: Ipv6Packet): void {
    const message = decodeIcmpv6(packet.payload, packet.source, packet.destination);
    const original = message?.kind === 'too_big' ? decodeIpv6Header(message.original) : null;
    if (message?.kind !== 'too_big' || original === null || !this.addresses.has(original.source)) return;
    for (const oldest of [...this.#paths.keys()].slice(0, this.#paths.size - MOST_PATHS + 1))
      this.#paths.delete(oldest);
    const room = Math.max(message.mtu, IPV6_LEAST_MTU);
    if (room < this.pathMtu(original.destination)) this.#paths.set(original.destination, room);
  }

  #packetOf({ protocol, destination, payload, ...given }: Outgoing<bigint>): Ipv6Packet {
    return {
      trafficClass: 0,
      flowLabel: 0,
      moreFragments: false,
      fragmentOffset: 0,
      identification: Math.floor(this.#options.random() * 0x100000000),
      ttl: given.ttl ?? this.hopLimit,
      source: given.source ?? this.addresses.sourceFor(destination) ?? 0n,
      protocol,
      destination,
      payload,
    };
  }
}

/** Routers, prefixes and name servers each, as a bound against floods. */
const MOST = 16;

interface Learned<T> {
  value: T;
  /** Moment of `now()`. */
  until: number;
}

interface OnLinkPrefix {
  prefix: bigint;
  length: number;
}

/** Moment at which a lifetime in seconds is over. */
export const endOf = (seconds: number, now: number): number =>
  seconds === INFINITE_LIFETIME ? Infinity : now + seconds * 1000;

/** Routers, on-link prefixes and name servers that a host has learned from advertisements. RFC 4861, section 6.3.4. */
class LearnedRoutes {
  readonly #now: () => number;
  #routers: Learned<bigint>[] = [];
  #prefixes: Learned<OnLinkPrefix>[] = [];
  #servers: Learned<bigint>[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  take(from: bigint, message: RouterAdvertisement): void {
    const now = this.#now();
    this.#routers = this.#with(this.#routers, from, now + message.lifetime * 1000);
    for (const { prefix, length, onLink, valid } of message.prefixes) {
      const value = { prefix: ipv6Network(prefix, length), length };
      if (onLink) this.#prefixes = this.#with(this.#prefixes, value, endOf(valid, now));
    }
    for (const { lifetime, servers } of message.dns) {
      for (const server of servers) this.#servers = this.#with(this.#servers, server, endOf(lifetime, now));
    }
  }

  /** Default routers, the first heard first. */
  get routers(): bigint[] {
    return this.#living(this.#routers);
  }

  get servers(): bigint[] {
    return this.#living(this.#servers);
  }

  get prefixes(): OnLinkPrefix[] {
    return this.#living(this.#prefixes);
  }

  isOnLink(destination: bigint): boolean {
    return this.prefixes.some(({ prefix, length }) => inIpv6Prefix(destination, prefix, length));
  }

  clear(): void {
    this.#routers = [];
    this.#prefixes = [];
    this.#servers = [];
  }

  #living<T>(all: readonly Learned<T>[]): T[] {
    return all.filter(({ until }) => until > this.#now()).map(({ value }) => value);
  }

  /** Adds a value or updates its time; keeps the order of first hearing. */
  #with<T>(all: readonly Learned<T>[], value: T, until: number): Learned<T>[] {
    const key = keyOf(value);
    const others = all.filter((one) => one.until > this.#now());
    const at = others.findIndex((one) => keyOf(one.value) === key);
    if (at >= 0) return others.map((one, index) => (index === at ? { value, until } : one));
    return others.length >= MOST ? others : [...others, { value, until }];
  }
}

const keyOf = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : Object.values(value as OnLinkPrefix).join('/');
