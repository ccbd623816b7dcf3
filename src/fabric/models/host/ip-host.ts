/**
 * An IPv4 host on one Ethernet port: what the simple_pc shell, its startup script and the trace tool stand on.
 * Addresses are dotted strings here; bytes stay inside the codecs. Times are milliseconds.
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

/** Answer to one probe. `unreachable` and `exceeded` carry who said so. `bytes`: length of the whole IPv4 packet that came. */
export type ProbeResult =
  /** `refused`: TCP only, the answer was a RST. */
  | { kind: 'reply'; from: string; bytes: number; ttl: number; ms: number; refused?: boolean }
  | { kind: 'timeout' }
  | { kind: 'exceeded'; from: string; bytes: number; ttl: number; ms: number }
  | { kind: 'unreachable'; from: string; bytes: number; ttl: number; ms: number; type: number; code: number }
  /** Nobody answered ARP for the next hop (`host (a.b.c.d) not reachable`). */
  | { kind: 'no_arp'; next_hop: string }
  /** No address set, or the destination is outside the subnet and there is no gateway. */
  | { kind: 'no_route' };

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

export interface IpHost {
  readonly mac: string;
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
  probe(destination: string, options: ProbeOptions, signal?: AbortSignal): Promise<ProbeResult>;
  /** RFC 2131. `progress` gets D, O, R, A as each message goes or comes. Resolves null when no server answered (after 3 tries). */
  dhcp(progress: (letter: 'D' | 'O' | 'R' | 'A') => void, signal?: AbortSignal): Promise<Lease | null>;
  renew(signal?: AbortSignal): Promise<Lease | null>;
  release(): void;
  /** DNS A lookup at the configured servers; null when unknown. */
  resolve(name: string, signal?: AbortSignal): Promise<string | null>;
  /** A frame that arrived on the port. */
  receive(frame: Uint8Array): void;
  stop(): void;
}
