import type { Hop } from '../../fabric/protocol.ts';

/** What the system's traceroute has found. */
export interface Traced {
  reached: boolean;
  hops: Hop[];
}

/** `traceroute to host.example (192.0.2.7), 30 hops max, 60 byte packets` */
const HEADER = /^traceroute6? to \S+ \(([^)]+)\),/m;
/** ` 2  10.2.0.2  0.775 ms !X`, ` 3  *` */
const HOP = /^ *(\d+) +(?:\*|(\S+) +(\d+(?:\.\d+)?) ms(?: +(!\S+))?)/;

/** Whether it knows where to and has begun. */
export const hasBegun = (output: string): boolean => HEADER.test(output);

/**
 * Reads what `traceroute -n -q 1` prints (Debian's traceroute, and BSD's), also when it was ended half-way. The destination is
 * reached when it answered itself, without an annotation that it is not to be had (`!H`, `!N`, …).
 */
export const parseTraceroute = (output: string): Traced => {
  const destination = HEADER.exec(output)?.[1];
  const hops: Hop[] = [];
  let reached = false;
  for (const line of output.split('\n')) {
    const [, ttl, address = null, ms, problem] = HOP.exec(line) ?? [];
    if (ttl === undefined) continue;
    hops.push({ ttl: Number(ttl), address, rtt_ms: ms === undefined ? null : Number(ms) });
    reached ||= address !== null && address === destination && problem === undefined;
  }
  return { reached, hops };
};
