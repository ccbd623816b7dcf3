import type { AddressInfo } from 'node:net';
import { conflict } from '../common/errors.ts';
import type { buildServer } from '../http/server/server.ts';

/** Its URL, once the facade listens. Port 0 picks a free one. Throws `conflict` with a sentence when it cannot listen there. */
export const listenAt = async (server: ReturnType<typeof buildServer>, host: string, port: number): Promise<string> => {
  await server.listen({ host, port }).catch((error: unknown) => {
    throw notListening(host, port, error);
  });
  return addressOf(host, portOf(server.server.address()) ?? port);
};

const notListening = (host: string, port: number, error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') return conflict(`port ${port} of ${host} is in use by another program`);
  if (code === 'EADDRNOTAVAIL') return conflict(`${host} is not an address of this machine`);
  if (code === 'EACCES') return conflict(`this user may not listen on port ${port}`);
  return error;
};

const portOf = (address: string | AddressInfo | null): number | undefined =>
  typeof address === 'object' && address !== null ? address.port : undefined;

const addressOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
