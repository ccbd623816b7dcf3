import { addressOf, DISCARD_PORT, HEADERS, interfaceMtu, neededFor, type PathMtu } from '../path-mtu.ts';
import type { Reactor } from './reactor.ts';
import {
  AF_INET,
  AF_INET6,
  EPOLLIN,
  MSG_DONTWAIT,
  MTU_OPTIONS,
  SO_ERROR,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  socketAddress,
  SOL_SOCKET,
  type System,
} from './system.ts';

/** Longest wait for an ICMP error about a datagram; without one, the MTU known to the system counts. Milliseconds. */
const ERROR_WAIT_MS = 1_000;
/** Rounds, each of which may find a link with a smaller MTU further on. */
const MOST_ROUNDS = 5;

interface Prober {
  system: System;
  reactor: Reactor;
  fd: number;
  family: 4 | 6;
}

/**
 * Sends a datagram that must not be fragmented, as long as a full frame with its headers, then shorter ones until one fits. The system
 * keeps for the socket what routers answer to those that do not fit (RFC 1191, RFC 8201).
 */
export const probePathMtu = async (system: System, reactor: Reactor, host: string): Promise<PathMtu> => {
  // An address with a zone needs the index of its interface, which Node finds.
  if (host.includes('%')) return interfaceMtu(host);
  const { address, family } = await addressOf(host);
  const fd = system.socket(family === 6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return interfaceMtu(host);
  try {
    const { level, discover, discoverDo } = MTU_OPTIONS[family];
    system.setsockopt(fd, level, discover, word(discoverDo), WORD);
    const to = socketAddress(address, DISCARD_PORT);
    if (system.connect(fd, to, to.length) !== 0) return { address, mtu: null };
    return { address, mtu: await longest({ system, reactor, fd, family }) };
  } finally {
    system.close(fd);
  }
};

const WORD = 4;
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(WORD);
  bytes.writeInt32LE(value);
  return bytes;
};

const longest = async (prober: Prober): Promise<number | null> => {
  let size = neededFor(prober.family);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const datagram = Buffer.alloc(size - HEADERS[prober.family]);
    if (prober.system.send(prober.fd, datagram, datagram.length, MSG_DONTWAIT) >= 0) await waitForError(prober);
    const mtu = knownMtu(prober);
    if (mtu === null || mtu >= size) return mtu;
    size = mtu;
  }
  return size;
};

/** Waits for an ICMP error about the datagram: port unreachable, or too big. */
const waitForError = ({ system, reactor, fd }: Prober): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      reactor.unwatch(fd);
      // Reading the error clears it.
      option(system, fd, SOL_SOCKET, SO_ERROR);
      resolve();
    };
    const timer = setTimeout(done, ERROR_WAIT_MS);
    reactor.watch(fd, EPOLLIN, done);
  });

const knownMtu = ({ system, fd, family }: Prober): number | null => {
  const { level, mtu } = MTU_OPTIONS[family];
  return option(system, fd, level, mtu);
};

const option = (system: System, fd: number, level: number, name: number): number | null => {
  const value = Buffer.alloc(WORD);
  return system.getsockopt(fd, level, name, value, word(WORD)) === 0 ? value.readInt32LE() : null;
};
