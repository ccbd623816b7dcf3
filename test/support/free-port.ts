import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ownPorts } from './port-block.ts';

let next = 0;

/**
 * A port of this test process's own block, free for TCP and UDP, and given to nobody else: two that pick at random pick the same now
 * and then.
 */
export const freePort = async (): Promise<number> => {
  const [first, last] = await ownPorts();
  for (;;) {
    const port = first + (next++ % (last - first + 1));
    if ((await tcpIsFree(port)) && (await udpIsFree(port))) return port;
  }
};

export const freePorts = async (count: number): Promise<number[]> => {
  const found: number[] = [];
  while (found.length < count) found.push(await freePort());
  return found;
};

const tcpIsFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });

const udpIsFree = async (port: number): Promise<boolean> => {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
};
