import type { IpAddress } from '../../codecs/ip-address.ts';
import type { Ipv4Packet } from '../../codecs/ipv4.ts';
import type { Ipv6Packet } from '../../codecs/ipv6/ipv6.ts';

export const DEFAULT_TTL = 64;

export interface Outgoing<A extends IpAddress = IpAddress> {
  protocol: number;
  destination: A;
  payload: Uint8Array;
  /** Default: the node's address towards the destination. */
  source?: A;
  ttl?: number;
  dontFragment?: boolean;
}

export type IpPacket = Ipv4Packet | Ipv6Packet;

/** A route to a destination whose next hop has a known MAC. */
export interface ResolvedRoute {
  source: IpAddress;
  /** False when the packet is larger than the MTU and must not be fragmented. */
  transmit(outgoing: Outgoing): boolean;
}

export type RouteFailure =
  /** Nobody answered ARP or neighbour discovery for the next hop. */
  | { kind: 'no_arp'; next_hop: string }
  /** No address of that family, or no route. */
  | { kind: 'no_route' };

/** IP of both families of a host or a router, for UDP, TCP, probes and names. */
export interface IpService {
  resolveRoute(destination: IpAddress, signal?: AbortSignal): Promise<ResolvedRoute | RouteFailure>;
  /** Source address for packets to a destination; null: there is no route. */
  sourceFor(destination: IpAddress): IpAddress | null;
  /** Sends once the next hop is resolved; drops the packet when it is not. */
  send(outgoing: Outgoing): void;
  isOwn(address: IpAddress): boolean;
}

export const isIpv6Packet = (packet: IpPacket): packet is Ipv6Packet => typeof packet.source === 'bigint';
