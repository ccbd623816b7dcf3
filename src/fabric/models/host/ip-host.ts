import type { RouteFailure } from './ip-service.ts';
import type { HttpNode } from './http.ts';
import type { NeighbourState } from './ipv6/neighbour-cache.ts';
import type { AddressOrigin } from './ipv6/own-addresses.ts';

/**
 * A host of both families on one Ethernet port: what the simple_pc shell, its startup script and the trace tool stand on.
 * Addresses are texts here; bytes stay inside the codecs. Times are milliseconds.
 */
export interface IpSettings {
  address: string;
  /** Prefix length 0..32. */
  prefix: number;
  /** null: no gateway. */
  gateway: string | null;
}

export interface Lease extends IpSettings {
  server: string;
  dns: string[];
  domain: string | null;
  seconds: number;
  /** `now()` when it was obtained. */
  obtained: number;
}

export interface ArpEntry {
  address: string;
  mac: string;
  /** Seconds until it is forgotten. */
  expires_s: number;
}

/** Answer to one probe. `unreachable` and `exceeded` carry who said so. `bytes`: length of the whole IP packet that came. */
export type ProbeResult =
  /** `refused`: TCP only, the answer was a RST. */
  | { kind: 'reply'; from: string; bytes: number; ttl: number; ms: number; refused?: boolean }
  | { kind: 'timeout' }
  | { kind: 'exceeded'; from: string; bytes: number; ttl: number; ms: number }
  | { kind: 'unreachable'; from: string; bytes: number; ttl: number; ms: number; type: number; code: number }
  | RouteFailure;

export interface ProbeOptions {
  protocol: 'icmp' | 'udp' | 'tcp';
  /** Payload bytes (default 56). */
  size?: number;
  ttl?: number;
  /** Default 1000. */
  timeout_ms?: number;
  sequence: number;
  /** Stays the same for the probes of one ping. */
  identifier: number;
  /** Destination port for udp and tcp. */
  port?: number;
  source_port?: number;
  dont_fragment?: boolean;
}

/** What probes: the same of a host and a router. */
export interface Prober {
  /** `destination` is an address of either family. */
  probe(destination: string, options: ProbeOptions, signal?: AbortSignal): Promise<ProbeResult>;
  /** Address of a name, asked of the configured servers: IPv4 where the node has such an address, else IPv6; null when unknown. */
  resolve(name: string, signal?: AbortSignal): Promise<string | null>;
  isOwn(address: string): boolean;
  /** Whether it has an address of the destination's family that others reach. */
  canReach(destination: string): boolean;
  readonly http: HttpNode;
}

export interface Ipv6Address {
  address: string;
  /** Bits. */
  prefix: number;
  origin: AddressOrigin;
  /** Not for what begins any more. */
  deprecated: boolean;
  /** Seconds; null: for ever. */
  preferred_s: number | null;
  valid_s: number | null;
}

/** What `auto` brought; addresses without their prefix length. */
export interface Ipv6Auto {
  router: string;
  managed: boolean;
  other: boolean;
  addresses: string[];
  /** Made, but another node has them. */
  duplicates: string[];
}

export interface Ipv6Lease {
  address: string;
  dns: string[];
  /** Seconds; null: for ever. */
  valid_s: number | null;
}

/** IPv6 of a host. The link-local address is there without asking. */
export interface Ipv6Host {
  readonly linkLocal: string;
  /** Given by somebody; null: what routers say counts. */
  readonly gateway: string | null;
  /** Whether addresses are made of what routers advertise. */
  readonly isAuto: boolean;
  /** Those that are asked: given by somebody, else named by routers. */
  readonly dns: string[];
  /** Those given by somebody. */
  ownDns: string[];
  addresses(): Ipv6Address[];
  /** Default routers that are heard. */
  routers(): { address: string; mac: string | null }[];
  /** In the place of those that there are. Resolves false, changing nothing, when another node has the address. */
  setAddress(settings: IpSettings, signal?: AbortSignal): Promise<boolean>;
  /** Asks for routers; null when none answers. */
  auto(signal?: AbortSignal): Promise<Ipv6Auto | null>;
  /** RFC 8415. `progress` gets S, A, R, A as messages go and come. Null when no server gives an address (after 3 tries). */
  dhcp(progress: (letter: 'S' | 'A' | 'R') => void, signal?: AbortSignal): Promise<Ipv6Lease | null>;
  releaseDhcp(): void;
  clearAddress(): void;
  neighbours(): { address: string; mac: string; state: NeighbourState; router: boolean }[];
  clearNeighbours(): void;
}

export interface IpHost extends Prober {
  readonly mac: string;
  readonly ipv6: Ipv6Host;
  /** null before any address is set. */
  readonly settings: IpSettings | null;
  readonly lease: Lease | null;
  dns: string[];
  domain: string | null;
  mtu: number;
  /** Probes the subnet for a duplicate by ARP first. Resolves false, changing nothing, when the address is in use. */
  setAddress(settings: IpSettings, signal?: AbortSignal): Promise<boolean>;
  clearAddress(): void;
  arpTable(): ArpEntry[];
  clearArp(): void;
  /** RFC 2131. `progress` gets D, O, R, A as each message goes or comes. Resolves null when no server answered (after 3 tries). */
  dhcp(progress: (letter: 'D' | 'O' | 'R' | 'A') => void, signal?: AbortSignal): Promise<Lease | null>;
  renew(signal?: AbortSignal): Promise<Lease | null>;
  release(): void;
  /** A frame that arrived on the port. */
  receive(frame: Uint8Array): void;
  stop(): void;
}
