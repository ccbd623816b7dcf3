import type { EchoRequest, EchoResult } from '../../protocol.ts';
import type { Prober, ProbeResult } from './ip-host.ts';

/** One echo request. `why`: what there was in place of an answer. */
export const probeOnce = async (
  host: Pick<Prober, 'probe'>,
  address: string,
  { size = 56, ...echo }: EchoRequest,
): Promise<Pick<EchoResult, 'rtt_ms' | 'why'>> => {
  const result = await host.probe(address, { protocol: 'icmp', size, ...echo });
  return result.kind === 'reply'
    ? { rtt_ms: result.ms, why: null }
    : { rtt_ms: null, why: whyOf(result, echo.timeout_ms) };
};

const whyOf = (result: Exclude<ProbeResult, { kind: 'reply' }>, timeoutMs: number): string => {
  switch (result.kind) {
    case 'timeout':
      return `no answer within ${timeoutMs} ms`;
    case 'exceeded':
      return `${result.from} says that the time to live was exceeded`;
    case 'unreachable':
      return `${result.from} says that it is unreachable (code ${result.code})`;
    case 'no_arp':
      return `nobody answers for ${result.next_hop}`;
    case 'no_route':
      return 'it has no address or no route there';
  }
};
