import { decodeIcmpv6 } from '../../../codecs/ipv6/icmpv6.ts';
import {
  ALL_NODES,
  isLinkLocalIpv6,
  isMulticastIpv6,
  solicitedNode,
  UNSPECIFIED_IPV6,
} from '../../../codecs/ip-address.ts';
import type { Ipv6Packet } from '../../../codecs/ipv6/ipv6.ts';
import type { Discovery as DiscoveryMessage, RouterAdvertisement } from '../../../codecs/ipv6/neighbour-discovery.ts';
import { DuplicateCheck } from '../neighbour-queries.ts';
import type { Waits } from '../waits.ts';
import type { NeighbourCache } from './neighbour-cache.ts';
import type { OwnAddresses } from './own-addresses.ts';

/** Events for the owner of an interface. */
export interface DiscoveryEvents {
  /** Hosts only: a router advertisement. */
  onAdvertisement?: (from: bigint, message: RouterAdvertisement) => void;
  /** Routers only: a router solicitation. */
  onSolicitation?: (from: bigint) => void;
  /** Another node uses an address of this interface. */
  onConflict?: (address: bigint, mac: number | null) => void;
}

interface Interface {
  readonly linkLocal: bigint;
  readonly addresses: OwnAddresses;
  readonly neighbours: NeighbourCache;
  immediateMac(nextHop: bigint): number | null;
  tell(message: DiscoveryMessage, source: bigint, destination: bigint, mac?: number): void;
}

interface Options extends DiscoveryEvents {
  mac: number;
  waits: Waits;
  /** Present on routers. */
  forward?: unknown;
}

type Received<K extends DiscoveryMessage['kind']> = Extract<DiscoveryMessage, { kind: K }>;

/** Neighbour discovery on one interface (RFC 4861) and the check for duplicates (RFC 4862, section 5.4). */
export class Discovery {
  readonly duplicates: DuplicateCheck<bigint>;
  readonly #layer: Interface;
  readonly #options: Options;

  constructor(layer: Interface, options: Options) {
    this.#layer = layer;
    this.#options = options;
    this.duplicates = new DuplicateCheck({ waits: options.waits, ask: (address) => this.#probe(address) });
  }

  solicit(target: bigint, mac: number | null): void {
    const message = { kind: 'neighbour_solicitation', target, mac: this.#options.mac } as const;
    const source = this.#layer.addresses.sourceFor(target) ?? this.#layer.linkLocal;
    if (mac === null) this.#layer.tell(message, source, solicitedNode(target));
    else this.#layer.tell(message, source, target, mac);
  }

  /** Whether the group is that of an address being probed for duplicates. */
  isProbing(group: bigint): boolean {
    return this.duplicates.some((address) => solicitedNode(address) === group);
  }

  receive(packet: Ipv6Packet): void {
    // RFC 4861: a message from another link is not accepted.
    if (packet.ttl !== 255) return;
    const message = decodeIcmpv6(packet.payload, packet.source, packet.destination);
    switch (message?.kind) {
      case 'neighbour_solicitation':
        return this.#solicited(message, packet);
      case 'neighbour_advertisement':
        return this.#advertised(message);
      case 'router_solicitation':
        if (message.mac !== null && packet.source !== UNSPECIFIED_IPV6) {
          this.#layer.neighbours.learn(packet.source, message.mac);
        }
        return this.#options.onSolicitation?.(packet.source);
      case 'router_advertisement':
        if (!isLinkLocalIpv6(packet.source) || this.#options.forward !== undefined) return;
        if (message.mac !== null) this.#layer.neighbours.learn(packet.source, message.mac);
        return this.#options.onAdvertisement?.(packet.source, message);
      default:
    }
  }

  #probe(target: bigint): void {
    const message = { kind: 'neighbour_solicitation', target, mac: null } as const;
    this.#layer.tell(message, UNSPECIFIED_IPV6, solicitedNode(target));
  }

  #solicited(message: Received<'neighbour_solicitation'>, packet: Ipv6Packet): void {
    const { target } = message;
    const isProbe = packet.source === UNSPECIFIED_IPV6;
    if (isMulticastIpv6(target)) return;
    // Another host probes for the address as well.
    if (isProbe) this.duplicates.conflict(target);
    if (!this.#layer.addresses.has(target)) return;
    const solicited = !isProbe;
    const answer = { kind: 'neighbour_advertisement', target, solicited, override: true } as const;
    const advertisement = { ...answer, router: this.#options.forward !== undefined, mac: this.#options.mac };
    if (isProbe) return this.#layer.tell(advertisement, target, ALL_NODES);
    if (message.mac !== null) this.#layer.neighbours.learn(packet.source, message.mac);
    const mac = message.mac ?? this.#layer.immediateMac(packet.source);
    if (mac !== null) this.#layer.tell(advertisement, target, packet.source, mac);
  }

  #advertised(message: Received<'neighbour_advertisement'>): void {
    const { target, mac } = message;
    this.duplicates.conflict(target);
    if (this.#layer.addresses.has(target)) {
      if (mac !== this.#options.mac) this.#options.onConflict?.(target, mac);
    } else this.#layer.neighbours.advertised(target, message);
  }
}
