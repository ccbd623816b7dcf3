import { isIPv6 } from 'node:net';
import type { ConsolePing } from '../kit/console-ping.ts';

/** Octets of a packet, which IOS counts with its headers, and its least. */
const sizeOf = (to: string, size: number): number => (isIPv6(to) ? size + 48 : Math.max(36, size + 28));

/** The first request is often lost to the question for the neighbour's MAC address. */
export const IOS_PING: ConsolePing = {
  line: (to, size) => `ping ${to} repeat 2 timeout 1${size === undefined ? '' : ` size ${sizeOf(to, size)}`}`,
  over: String.raw`^Success rate is \d+ percent`,
  answered: String.raw`^Success rate is [1-9]\d* percent`,
};
