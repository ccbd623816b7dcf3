import type { Server } from 'node:net';

/** Errors of a single port, after which the next one is tried; other errors, such as of a wrong host, are fatal. */
const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

/** Listens on the preferred port, or else on one of the range. Returns the port; rejects with an Error of code `port_taken` when none is free. */
export async function listenInRange(
  server: Server,
  wish: { name: string; host: string; port: number; range: [number, number] },
): Promise<number> {
  const { host, port, range } = wish;
  if (port !== 0 && (await listens(server, host, port))) return port;
  for (const candidate of portsInRound(range))
    if (candidate !== port && (await listens(server, host, candidate))) return candidate;
  const [first, last] = range;
  throw Object.assign(new Error(`The console of ${wish.name} has no free port: all of ${first} to ${last} are taken`), {
    code: 'port_taken',
  });
}

function listens(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', listening);
      if (TAKEN.has(error.code ?? '')) resolve(false);
      else reject(error);
    };
    const listening = (): void => {
      server.off('error', failed);
      resolve(true);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen({ host, port, exclusive: true });
  });
}

interface Round {
  /** Ports tried so far. */
  tried: number;
  /** Ports in a row that were not free, in all searches under way. */
  missed: number;
  searches: number;
}

const rounds = new Map<string, Round>();

/** Starts at a random port, so that servers started together do not all try the same. */
const roundOf = (key: string): Round => {
  const round = rounds.get(key) ?? { tried: Math.floor(Math.random() * 65_536), missed: 0, searches: 0 };
  rounds.set(key, round);
  return round;
};

/**
 * Ports of a range to try, until the caller leaves the loop with a free one. Concurrent searches share a round: each continues where the
 * last one tried a port, and all end once every port was tried and none was free. Otherwise, where another server has a thousand ports,
 * each of a thousand nodes would try most of them.
 */
export function* portsInRound([first, last]: readonly [number, number]): Generator<number> {
  const count = Math.max(0, last - first + 1);
  const round = roundOf(`${first}-${last}`);
  if (round.searches === 0) round.missed = 0;
  round.searches += 1;
  let found = true;
  try {
    while (round.missed < count) {
      round.missed += 1;
      yield first + (round.tried++ % count);
    }
    found = false;
  } finally {
    round.searches -= 1;
    if (found) round.missed = 0;
  }
}
