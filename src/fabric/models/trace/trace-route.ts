import type { Hop } from '../../protocol.ts';
import type { IpHost, ProbeResult } from '../host/ip-host.ts';
import { PORT_UNREACHABLE } from '../../codecs/icmpv4.ts';

const MOST_HOPS = 30;
const HOP_TIMEOUT = 1000;
/** UDP ports that nobody listens at, as traceroute has used them since 1988. */
const FIRST_PORT = 33_434;
const PAYLOAD = 32;

export interface Trace {
  /** As asked for. */
  destination: string;
  /** Null when its name is not known. */
  address: string | null;
  reached: boolean;
  hops: Hop[];
  /** Why it ended before its time, as a sentence; null when it did not. */
  problem: string | null;
}

/** UDP probes of rising TTL, one a hop, until the destination or anybody says that the way ends. */
export async function traceRoute(host: IpHost, destination: string, signal: AbortSignal): Promise<Trace> {
  const address = await host.resolve(destination, signal);
  const trace: Trace = { destination, address, reached: false, hops: [], problem: null };
  if (address === null) return { ...trace, problem: `the name ${destination} is not known` };
  for (let ttl = 1; ttl <= MOST_HOPS && !signal.aborted; ttl++) {
    const result = await host.probe(address, probeOf(ttl), signal);
    trace.hops.push(hopOf(ttl, result));
    trace.problem = problemOf(result);
    trace.reached = isArrival(result, address);
    if (trace.reached || trace.problem !== null) return trace;
  }
  return { ...trace, problem: `not reached within ${MOST_HOPS} hops` };
}

const probeOf = (ttl: number): Parameters<IpHost['probe']>[1] => ({
  protocol: 'udp',
  ttl,
  size: PAYLOAD,
  timeout_ms: HOP_TIMEOUT,
  sequence: ttl,
  identifier: 0,
  port: FIRST_PORT + ttl - 1,
});

const hopOf = (ttl: number, result: ProbeResult): Hop =>
  'from' in result ? { ttl, address: result.from, rtt_ms: result.ms } : { ttl, address: null, rtt_ms: null };

/** The destination itself refuses the port, or answers at it. */
const isArrival = (result: ProbeResult, address: string): boolean =>
  result.kind === 'reply' ||
  (result.kind === 'unreachable' && (result.code === PORT_UNREACHABLE || result.from === address));

function problemOf(result: ProbeResult): string | null {
  switch (result.kind) {
    case 'no_route':
      return 'there is no gateway to it';
    case 'no_arp':
      return `${result.next_hop} does not answer ARP`;
    case 'unreachable':
      return result.code === PORT_UNREACHABLE
        ? null
        : `${result.from} says that it is unreachable (code ${result.code})`;
    case 'reply':
    case 'exceeded':
    case 'timeout':
      return null;
  }
}
