import type { Hop } from '../../protocol.ts';
import type { Trace } from './trace-route.ts';
import type { TraceSettings } from './trace-settings.ts';

/** A trace as text, one line a hop, in traceroute's form. */
export function traceLog(trace: Trace, { own }: TraceSettings): string {
  const target = trace.address === null ? trace.destination : `${trace.destination} (${trace.address})`;
  return [
    `trace from ${own.address}/${own.prefix} to ${target}`,
    ...trace.hops.map(hopLine),
    trace.reached ? 'reached' : `ended: ${trace.problem ?? 'not reached'}`,
    '',
  ].join('\n');
}

const hopLine = ({ ttl, address, rtt_ms: rtt }: Hop): string =>
  `${String(ttl).padStart(2)}  ${address === null || rtt === null ? '*' : `${address}  ${rtt.toFixed(3)} ms`}`;
