import type { Prober, ProbeResult } from './ip-host.ts';

/** Of one series of probes; those of the console have others. */
const IDENTIFIER = 0x7470;

/** One echo request. `why`: what there was in place of an answer. */
export const probeOnce = async (
  host: Pick<Prober, 'probe'>,
  address: string,
  { timeout_ms, sequence }: { timeout_ms: number; sequence: number },
): Promise<{ rtt_ms: number | null; why: string | null }> => {
  const size = 56;
  const result = await host.probe(address, { protocol: 'icmp', identifier: IDENTIFIER, sequence, size, timeout_ms });
  return result.kind === 'reply' ? { rtt_ms: result.ms, why: null } : { rtt_ms: null, why: whyOf(result, timeout_ms) };
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
