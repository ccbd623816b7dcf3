import type { Server } from 'node:net';
import { portsInRound } from './round.ts';

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
