import type { Server } from 'node:net';

interface Round {
  /** How many ports were looked at. */
  looked: number;
  /** How many of them in a row were not had, by anyone, since the searches that run now began. */
  missed: number;
  searches: number;
}

const rounds = new Map<string, Round>();

/** From a random place on at first, so that servers started together do not all try the same. */
const roundOf = (key: string): Round => {
  const round = rounds.get(key) ?? { looked: Math.floor(Math.random() * 65_536), missed: 0, searches: 0 };
  rounds.set(key, round);
  return round;
};

/**
 * Ports of a range to be tried, until the caller leaves the loop with one. Searches at the same time share the round: it goes on from where
 * the last look by anyone ended, and it ends for all of them once every port was looked at and none was had. Where another server has a
 * thousand ports, each of a thousand nodes would else go past most of them.
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
      yield first + (round.looked++ % count);
    }
    found = false;
  } finally {
    round.searches -= 1;
    if (found) round.missed = 0;
  }
}

/** Ports that cannot be had, as opposed to hosts that do not exist here: the next port may do. */
const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

/** Listens on the wished port, or else on one of the range. Returns the port; rejects with an Error of code `port_taken` when none is free. */
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
