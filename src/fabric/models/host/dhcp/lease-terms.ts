/** What a DHCPACK grants, and when RFC 2131 section 4.4.5 wants it renewed. */
import { addressesOption, DHCP_OPTION, type DhcpMessage, numberOption, textOption } from '../../../codecs/dhcp.ts';
import { formatIpv4, isHostIpv4, prefixOf } from '../../../codecs/ipv4-address.ts';
import type { Lease } from '../ip-host.ts';

const INFINITE = 0xffffffff;
/** For servers that leave out options that RFC 2131 demands or expects. */
const DEFAULT_SECONDS = 3600;
const DEFAULT_PREFIX = 24;
/** Milliseconds between two requests for the same lease, unless the lease is shorter. */
const SHORTEST_RETRY = 60_000;

export interface LeaseTerms {
  lease: Lease;
  address: number;
  server: number;
  /** Milliseconds after `lease.obtained`; Infinity for a lease without end. */
  renewAfter: number;
  rebindAfter: number;
  expiresAfter: number;
}

/** Null when the message grants no usable address. */
export function leaseTerms(ack: DhcpMessage, now: number): LeaseTerms | null {
  const server = numberOption(ack, DHCP_OPTION.server);
  const address = ack.yourAddress;
  if (server === null || !isHostIpv4(address)) return null;
  const seconds = numberOption(ack, DHCP_OPTION.leaseTime) ?? DEFAULT_SECONDS;
  const [gateway] = addressesOption(ack, DHCP_OPTION.router).filter(isHostIpv4);
  const lease: Lease = {
    address: formatIpv4(address),
    prefix: prefixOf(numberOption(ack, DHCP_OPTION.subnetMask) ?? 0) || DEFAULT_PREFIX,
    gateway: gateway === undefined ? null : formatIpv4(gateway),
    server: formatIpv4(server),
    dns: addressesOption(ack, DHCP_OPTION.dns).filter(isHostIpv4).map(formatIpv4),
    domain: textOption(ack, DHCP_OPTION.domainName),
    seconds,
    obtained: now,
  };
  return { lease, address, server, ...moments(ack, seconds) };
}

function moments(ack: DhcpMessage, seconds: number): Pick<LeaseTerms, 'renewAfter' | 'rebindAfter' | 'expiresAfter'> {
  if (seconds === INFINITE) return { renewAfter: Infinity, rebindAfter: Infinity, expiresAfter: Infinity };
  const rebind = Math.min(numberOption(ack, DHCP_OPTION.rebindingTime) ?? seconds * 0.875, seconds);
  const renew = Math.min(numberOption(ack, DHCP_OPTION.renewalTime) ?? seconds * 0.5, rebind);
  return { renewAfter: renew * 1000, rebindAfter: rebind * 1000, expiresAfter: seconds * 1000 };
}

type LeasePhase = 'bound' | 'renewing' | 'rebinding' | 'expired';

export function leasePhase(terms: LeaseTerms, elapsed: number): LeasePhase {
  if (elapsed >= terms.expiresAfter) return 'expired';
  if (elapsed >= terms.rebindAfter) return 'rebinding';
  return elapsed >= terms.renewAfter ? 'renewing' : 'bound';
}

/** Milliseconds until the lease wants attention again: half of what is left of its phase, but not in a hurry. */
export function nextAttention(terms: LeaseTerms, elapsed: number): number {
  const phase = leasePhase(terms, elapsed);
  if (phase === 'bound') return terms.renewAfter - elapsed;
  const left = (phase === 'renewing' ? terms.rebindAfter : terms.expiresAfter) - elapsed;
  return Math.max(0, Math.min(left, Math.max(left / 2, SHORTEST_RETRY)));
}
