import { encodeEthernet, ETHERTYPE_IPV4 } from '../../codecs/ethernet.ts';
import { createReassemblyBuffer, fragmentIpv4, type ReassemblyBuffer } from '../../codecs/fragments.ts';
import {
  BROADCAST_IPV4,
  broadcastOf,
  formatIpv4,
  isHostIpv4,
  isMulticastIpv4,
  sameSubnet,
} from '../../codecs/ip-address.ts';
import { decodeIpv4, encodeIpv4, type Ipv4Packet, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { BROADCAST_MAC } from '../../codecs/mac-address.ts';
import type { ArpResolver } from './arp-resolver.ts';
import type { Problem } from './icmp.ts';
import { DEFAULT_TTL, type RouteFailure, type Outgoing, type ResolvedRoute } from './ip-service.ts';

/** Packets from `send` and `relay` that may wait for ARP; more are dropped. */
const MOST_QUEUED = 64;

export interface IpConfiguration {
  address: number;
  prefix: number;
  gateway: number | null;
}

interface Options {
  mac: number;
  now: () => number;
  random: () => number;
  arp: ArpResolver;
  send: (frame: Uint8Array) => void;
  /** A whole packet for this node. */
  deliver: (packet: Ipv4Packet) => void;
  /** Routers only: addresses of other interfaces, and packets to be forwarded. */
  isOwn?: (address: number) => boolean;
  forward?: (packet: Ipv4Packet) => void;
}

export class IpLayer {
  configuration: IpConfiguration | null = null;
  mtu = 1500;
  /** Accepts UDP to any unicast address: a DHCP server answers to the address it offers. */
  takesAnyAddress = false;
  readonly #options: Options;
  /** Made at the first fragment. */
  #fragments: ReassemblyBuffer<Ipv4Packet> | null = null;
  #queued = 0;
  #identification: number;

  constructor(options: Options) {
    this.#options = options;
    this.#identification = Math.floor(options.random() * 0x10000);
  }

  /** Address to resolve by ARP; null without address or gateway. Broadcasts are their own next hop. */
  nextHop(destination: number): number | null {
    const own = this.configuration;
    if (own === null) return null;
    const local = this.isBroadcast(destination) || sameSubnet(destination, own.address, own.prefix);
    return local ? destination : own.gateway;
  }

  /** MAC of a next hop: without ARP for broadcasts and for the host itself. */
  resolve(nextHop: number, signal?: AbortSignal): Promise<number | null> {
    const immediate = this.#immediateMac(nextHop);
    return immediate === null ? this.#options.arp.resolve(nextHop, signal) : Promise.resolve(immediate);
  }

  async resolveRoute(
    destination: number,
    signal?: AbortSignal,
    nextHop = this.nextHop(destination),
  ): Promise<ResolvedRoute | RouteFailure> {
    if (nextHop === null) return { kind: 'no_route' };
    const mac = await this.resolve(nextHop, signal);
    const source = this.configuration?.address;
    if (source === undefined) return { kind: 'no_route' };
    if (mac === null) return { kind: 'no_arp', next_hop: formatIpv4(nextHop) };
    return { source, transmit: (outgoing) => this.transmit(mac, outgoing as Outgoing<number>) };
  }

  /** False when the packet is larger than the MTU and must not be fragmented. */
  transmit(destination: number, outgoing: Outgoing<number>): boolean {
    const { mac, send } = this.#options;
    this.#identification = (this.#identification + 1) & 0xffff;
    const fragments = fragmentIpv4(packetOf(outgoing, this.#identification, this.configuration), this.mtu);
    for (const packet of fragments ?? []) {
      if (destination === mac) this.#accept(packet);
      else send(frameOf(mac, destination, packet));
    }
    return fragments !== null;
  }

  /** Sends once the next hop is resolved; drops the packet when it is not. */
  send(outgoing: Outgoing<number>, nextHop = this.nextHop(outgoing.destination)): void {
    if (nextHop === null) return;
    const immediate = this.#immediateMac(nextHop);
    if (immediate !== null) this.transmit(immediate, outgoing);
    else if (this.#queued < MOST_QUEUED) void this.#whenFound(nextHop, (mac) => this.transmit(mac, outgoing));
  }

  /** Forwards a packet. */
  relay(nextHop: number, packet: Ipv4Packet, failed: (problem: Problem) => void): void {
    const { mac: source, send } = this.#options;
    const pass = (mac: number): void => {
      const fragments = fragmentIpv4(packet, this.mtu);
      if (fragments === null) failed({ too_big: this.mtu });
      for (const part of fragments ?? []) send(frameOf(source, mac, part));
    };
    const immediate = this.#immediateMac(nextHop);
    if (immediate !== null) pass(immediate);
    else if (this.#queued < MOST_QUEUED) void this.#whenFound(nextHop, pass, () => failed('no_neighbour'));
  }

  receive(payload: Uint8Array): void {
    const packet = decodeIpv4(payload);
    if (packet !== null) this.#accept(packet);
  }

  isBroadcast(address: number): boolean {
    const own = this.configuration;
    // A /31 or /32 has no broadcast address (RFC 3021).
    const subnet = own !== null && own.prefix < 31 && address === broadcastOf(own.address, own.prefix);
    return address === BROADCAST_IPV4 || subnet;
  }

  #immediateMac(nextHop: number): number | null {
    const { mac, arp } = this.#options;
    if (nextHop === this.configuration?.address) return mac;
    return this.isBroadcast(nextHop) ? BROADCAST_MAC : arp.known(nextHop);
  }

  async #whenFound(nextHop: number, pass: (mac: number) => void, lost?: () => void): Promise<void> {
    this.#queued += 1;
    const found = await this.#options.arp.resolve(nextHop);
    this.#queued -= 1;
    if (found === null) lost?.();
    else pass(found);
  }

  #accept(packet: Ipv4Packet): void {
    const { destination, source } = packet;
    const isOwn = destination === this.configuration?.address || this.#options.isOwn?.(destination) === true;
    const forUs = isOwn || this.isBroadcast(destination);
    const forAny = this.takesAnyAddress && packet.protocol === PROTOCOL_UDP && !isMulticastIpv4(destination);
    if (!isHostIpv4(source) && source !== 0) return;
    if (!forUs && !forAny) return isHostIpv4(destination) && source !== 0 ? this.#options.forward?.(packet) : undefined;
    const isPart = packet.moreFragments || packet.fragmentOffset > 0;
    const whole = isPart ? (this.#fragments ??= createReassemblyBuffer(this.#options.now)).add(packet) : packet;
    if (whole !== null) this.#options.deliver(whole);
  }
}

function packetOf(outgoing: Outgoing<number>, identification: number, own: IpConfiguration | null): Ipv4Packet {
  return {
    trafficClass: 0,
    identification,
    dontFragment: outgoing.dontFragment ?? false,
    moreFragments: false,
    fragmentOffset: 0,
    ttl: outgoing.ttl ?? DEFAULT_TTL,
    protocol: outgoing.protocol,
    source: outgoing.source ?? own?.address ?? 0,
    destination: outgoing.destination,
    options: new Uint8Array(0),
    payload: outgoing.payload,
  };
}

const frameOf = (source: number, destination: number, packet: Ipv4Packet): Uint8Array =>
  encodeEthernet({ destination, source, tags: [], ethertype: ETHERTYPE_IPV4, payload: encodeIpv4(packet) });
