import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';

/** Listens at a Unix socket to which only this user may connect. */
export const listenPrivately = (path: string, onClient: (socket: Socket) => void): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(onClient);
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      chmod(path, 0o600).then(() => resolve(server), reject);
    });
  });
