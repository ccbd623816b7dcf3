import { isIPv6 } from 'node:net';
import type { ConsolePing } from '../kit/contract.ts';

/** Octets of a packet, which IOS counts with its headers, and its least. */
const sizeOf = (to: string, size: number): number => (isIPv6(to) ? size + 48 : Math.max(36, size + 28));

/** `Success rate is 98 percent (98/100), round-trip min/avg/max = 1/2/4 ms` */
export const IOS_PING: ConsolePing = {
  prompt: /^[\w.-]+(?:\([\w-]+\))?[>#]$/,
  line: (to, { count, size }) =>
    `ping ${to} repeat ${count} timeout 1${size === undefined ? '' : ` size ${sizeOf(to, size)}`}`,
  over: () => String.raw`^Success rate is \d+ percent \(\d+/\d+\)`,
  answered: (text) => Number(/^Success rate is \d+ percent \((\d+)\//m.exec(text)?.[1] ?? 0),
  losesFirst: true,
};
