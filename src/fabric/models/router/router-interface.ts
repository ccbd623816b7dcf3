import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../codecs/ethernet.ts';
import { formatIp, type IpAddress, ipv6Network, isLinkLocalIpv6, networkOf } from '../../codecs/ip-address.ts';
import type { Ipv4Packet } from '../../codecs/ipv4.ts';
import type { Ipv6Packet } from '../../codecs/ipv6/ipv6.ts';
import { BROADCAST_MAC, formatMac, isIpv6GroupMac } from '../../codecs/mac-address.ts';
import type { ModelContext } from '../../process/model.ts';
import { ArpResolver } from '../host/arp-resolver.ts';
import { IpLayer } from '../host/ip-layer.ts';
import type { IpPacket, RouteFailure, Outgoing, ResolvedRoute } from '../host/ip-service.ts';
import { Ipv6Layer } from '../host/ipv6/ipv6-layer.ts';
import type { Waits } from '../host/waits.ts';
import { Advertiser } from './advertiser.ts';
import { isInPrefix, type Prefix } from './route-table.ts';

/** The router of an interface. */
export interface InterfaceOwner {
  isOwn: (address: IpAddress) => boolean;
  deliver: (packet: IpPacket) => void;
  forwardIpv4: (from: RouterInterface, packet: Ipv4Packet) => void;
  forwardIpv6: (from: RouterInterface, packet: Ipv6Packet, bytes: Uint8Array) => void;
  report: (text: string) => void;
}

interface Options {
  number: number;
  mac: number;
  now: () => number;
  timer: ModelContext['timer'];
  random: () => number;
  waits: Waits;
  send: (frame: Uint8Array) => void;
  owner: InterfaceOwner;
}

/** One port of a router with its addresses: one of IPv4, any of IPv6 beside the link-local one. */
export class RouterInterface {
  readonly number: number;
  readonly mac: number;
  readonly ip: IpLayer;
  readonly arp: ArpResolver;
  readonly six: Ipv6Layer;
  readonly advertiser: Advertiser;
  #isUp = true;

  constructor({ number, mac, owner, ...options }: Options) {
    this.number = number;
    this.mac = mac;
    const send = (frame: Uint8Array): void => {
      if (this.#isUp) options.send(frame);
    };
    const { deliver, isOwn, report } = owner;
    const address = (): number | null => this.ip.configuration?.address ?? null;
    this.arp = new ArpResolver({ ...options, mac, send, address });
    const forward = (packet: Ipv4Packet): void => owner.forwardIpv4(this, packet);
    this.ip = new IpLayer({ ...options, mac, send, deliver, isOwn, forward, arp: this.arp });
    this.six = new Ipv6Layer({
      ...options,
      mac,
      send,
      deliver,
      isOwn,
      forward: (packet, bytes) => owner.forwardIpv6(this, packet, bytes),
      onSolicitation: (from) => this.advertiser.solicited(from),
      onConflict: (taken, by) =>
        report(`${formatIp(taken)} is being used by ${by === null ? 'another' : formatMac(by)}`),
    });
    this.advertiser = new Advertiser(this.six, mac, options.timer);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  set isUp(isUp: boolean) {
    this.#isUp = isUp;
    this.arp.clear();
    this.six.neighbours.clear();
    if (isUp) this.advertiser.begin();
    else this.advertiser.stop();
  }

  get mtu(): number {
    return this.ip.mtu;
  }

  set mtu(octets: number) {
    this.ip.mtu = octets;
    this.six.mtu = octets;
    this.advertiser.begin();
  }

  receive(frame: Uint8Array): void {
    const decoded = this.#isUp ? decodeEthernet(frame) : null;
    if (decoded === null || decoded.tags.length > 0) return;
    const { destination, ethertype, payload } = decoded;
    const isOurs = destination === this.mac || destination === BROADCAST_MAC;
    if (ethertype === ETHERTYPE_IPV6) {
      if (isOurs || isIpv6GroupMac(destination)) this.six.receive(payload);
    } else if (isOurs && ethertype === ETHERTYPE_ARP) this.arp.receive(payload);
    else if (isOurs && ethertype === ETHERTYPE_IPV4) this.ip.receive(payload);
  }

  isOwn(address: IpAddress): boolean {
    if (typeof address === 'bigint') return this.six.addresses.has(address);
    return this.ip.configuration?.address === address;
  }

  /** Addresses that are reachable from other links. */
  globalAddresses(): string[] {
    const own = this.ip.configuration;
    return [own?.address ?? [], this.six.addresses.global().map(({ address }) => address)].flat().map(formatIp);
  }

  /** Addresses like `10.0.0.1/24`, the link-local one last. */
  addresses(): string[] {
    const own = this.ip.configuration;
    const linkLocal = this.six.addresses.list().filter(({ origin }) => origin === 'link-local');
    return [
      ...(own === null ? [] : [`${formatIp(own.address)}/${own.prefix}`]),
      ...[...this.six.addresses.global(), ...linkLocal].map(({ address, prefix }) => `${formatIp(address)}/${prefix}`),
    ];
  }

  /** Connected subnets; none while it is down. */
  prefixes(): Prefix[] {
    if (!this.#isUp) return [];
    const own = this.ip.configuration;
    const ipv4 = own === null ? [] : [{ network: networkOf(own.address, own.prefix), length: own.prefix }];
    const ipv6 = this.six.addresses.global().map(({ address, prefix }) => ({
      network: ipv6Network(address, prefix),
      length: prefix,
    }));
    return [...ipv4, ...ipv6];
  }

  /** Prefix length of the connected subnet that contains the address; null: none does. */
  matches(address: IpAddress): number | null {
    if (typeof address === 'bigint' && isLinkLocalIpv6(address)) {
      return this.isUp && this.six.immediateMac(address) !== null ? 128 : null;
    }
    const lengths = this.prefixes().flatMap((prefix) => (isInPrefix(address, prefix) ? [prefix.length] : []));
    return lengths.length === 0 ? null : Math.max(...lengths);
  }

  sourceFor(destination: IpAddress): IpAddress | null {
    if (typeof destination === 'bigint') return this.six.addresses.sourceFor(destination);
    return this.ip.configuration?.address ?? null;
  }

  resolveRoute(
    destination: IpAddress,
    nextHop: IpAddress,
    signal?: AbortSignal,
  ): Promise<ResolvedRoute | RouteFailure> {
    if (typeof destination === 'bigint') return this.six.resolveRoute(destination, signal, nextHop as bigint);
    return this.ip.resolveRoute(destination, signal, nextHop as number);
  }

  send(outgoing: Outgoing, nextHop: IpAddress): void {
    if (typeof outgoing.destination === 'bigint') this.six.send(outgoing as Outgoing<bigint>, nextHop as bigint);
    else this.ip.send(outgoing as Outgoing<number>, nextHop as number);
  }

  stop(): void {
    this.advertiser.stop();
    this.six.neighbours.clear();
  }
}
