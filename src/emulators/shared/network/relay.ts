import { readFile } from 'node:fs/promises';
import type { CableEnd } from '../../../fabric/protocol.ts';
import { freePorts } from '../host/free-ports.ts';

/** UDP ports on 127.0.0.1 between which the frames of one port go: the fabric's, and that of the socat(1) which serves it. */
export interface Relay {
  fabric: number;
  socat: number;
}

/** Octets of the longest frame that fits a datagram, for `socat -b`. */
export const LARGEST = '65507';
const BUFFER = 1_500_000;
const ADDRESS = /UDP4-DATAGRAM:127\.0\.0\.1:(\d+),bind=127\.0\.0\.1:(\d+)/g;

/** socat's own end. Unconnected (DATAGRAM): it goes on when the fabric is not there for a while. */
export const relayAddress = ({ fabric, socat }: Relay): string =>
  `UDP4-DATAGRAM:127.0.0.1:${fabric},bind=127.0.0.1:${socat},rcvbuf=${BUFFER},sndbuf=${BUFFER}`;

/** The relays that a command line serves, in their order. */
export const relaysIn = (line: string): Relay[] =>
  [...line.matchAll(ADDRESS)].map(([, fabric, socat]) => ({ fabric: Number(fabric), socat: Number(socat) }));

/** The fabric's end. */
export const relayEnd = ({ fabric, socat }: Relay): Extract<CableEnd, { type: 'udp' }> => ({
  type: 'udp',
  lhost: '127.0.0.1',
  lport: fabric,
  rhost: '127.0.0.1',
  rport: socat,
});

/**
 * Whether its socat has come so far: it opens what it is told first, and its UDP port last. Before that it needs an interface
 * where it has made it. proc(5): rows of `sl: local_address …`, in hexadecimal.
 */
export const isServed = async ({ socat }: Relay): Promise<boolean> => {
  const port = socat.toString(16).toUpperCase().padStart(4, '0');
  return new RegExp(`^ *\\d+: [0-9A-F]{8}:${port} `, 'm').test(await readFile('/proc/net/udp', 'latin1'));
};

/** Throws a conflict when there are not so many free ports. */
export const takeRelays = async (count: number): Promise<Relay[]> => {
  const numbers = await freePorts.take(2 * count);
  return Array.from({ length: count }, (_, n) => ({ fabric: numbers[2 * n] ?? 0, socat: numbers[2 * n + 1] ?? 0 }));
};

/** Reserves the relays of a program that runs already. */
export const keepRelays = (relays: readonly Relay[]): void => freePorts.keep(relays.flatMap(numbersOf));

export const releaseRelays = (relays: readonly Relay[]): void => freePorts.release(relays.flatMap(numbersOf));

const numbersOf = ({ fabric, socat }: Relay): number[] => [fabric, socat];
