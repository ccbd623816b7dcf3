import type { RouteFailure } from './ip-service.ts';
import type { HttpNode } from './http.ts';
import type { NeighbourState } from './ipv6/neighbour-cache.ts';
import type { AddressOrigin } from './ipv6/own-addresses.ts';

// A host of both families on one Ethernet port: the basis of the simple PC's shell, its startup script and the trace tool.
// Addresses are texts here; bytes stay inside the codecs. Times are milliseconds.

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

/** Result of a probe. `from`: sender of the answer; `bytes`: length of its whole IP packet. */
export type ProbeResult =
  /** `refused`: TCP only; the answer was a RST. */
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

/** A node that sends probes: a host or a router. */
export interface Prober {
  /** `destination` is an address of either family. */
  probe(destination: string, options: ProbeOptions, signal?: AbortSignal): Promise<ProbeResult>;
  /** Resolves a name by the configured servers: to IPv4 where the node has such an address, else to IPv6; null when unknown. */
  resolve(name: string, signal?: AbortSignal): Promise<string | null>;
  isOwn(address: string): boolean;
  /** Whether it has an address of the destination's family that is not link-local. */
  canReach(destination: string): boolean;
  readonly http: HttpNode;
}

export interface Ipv6Address {
  address: string;
  /** Bits. */
  prefix: number;
  origin: AddressOrigin;
  /** Not used for new connections. */
  deprecated: boolean;
  /** Seconds; null: for ever. */
  preferred_s: number | null;
  valid_s: number | null;
}

/** Result of SLAAC; addresses without their prefix length. */
export interface Ipv6Auto {
  router: string;
  managed: boolean;
  other: boolean;
  addresses: string[];
  /** Addresses that another node has already. */
  duplicates: string[];
}

export interface Ipv6Lease {
  address: string;
  dns: string[];
  /** Seconds; null: for ever. */
  valid_s: number | null;
}

/** IPv6 of a host. The link-local address exists from the start. */
export interface Ipv6Host {
  readonly linkLocal: string;
  /** Configured gateway; null: advertised routers are used. */
  readonly gateway: string | null;
  /** Whether SLAAC is on. */
  readonly isAuto: boolean;
  /** Name servers in use: configured, else those of DHCPv6 and routers. */
  readonly dns: string[];
  /** Configured name servers. */
  ownDns: string[];
  addresses(): Ipv6Address[];
  /** Default routers by their advertisements. */
  routers(): { address: string; mac: string | null }[];
  /** Replaces the present addresses. Resolves false, changing nothing, when another node has the address. */
  setAddress(settings: IpSettings, signal?: AbortSignal): Promise<boolean>;
  /** Solicits routers and applies SLAAC; null when no router answers. */
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
