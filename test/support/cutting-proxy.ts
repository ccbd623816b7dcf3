import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** Octets of a chunk that still get through before the connection is cut; null: all of them, and it is not. */
export type Cut = (direction: 'up' | 'down', chunk: Buffer) => number | null;

/** Stands between a client and a server on this machine, and cuts connections, or is silent, when a test wants it. */
export interface CuttingProxy {
  readonly port: number;
  cut: Cut | null;
  /** While it is, nothing gets through, and nobody is told; afterwards all of it does. */
  hold(isHeld: boolean): void;
  close(): Promise<void>;
}

/** Cuts a pair of sockets: what was written before still arrives. */
const endBoth = (from: Socket, to: Socket): void => {
  from.destroy();
  to.end();
};

export const cuttingProxy = async (target: number): Promise<CuttingProxy> => {
  const sockets = new Set<Socket>();
  let isHeld = false;
  const relay = (direction: 'up' | 'down', from: Socket, to: Socket): void => {
    from.on('data', (chunk: Buffer) => {
      const passed = proxy.cut?.(direction, chunk) ?? null;
      to.write(passed === null ? chunk : chunk.subarray(0, passed));
      if (passed !== null) endBoth(from, to);
    });
    from.on('end', () => to.end());
    from.on('close', () => {
      sockets.delete(from);
      to.end();
    });
    from.on('error', () => to.destroy());
    sockets.add(from);
    if (isHeld) from.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    relay('up', client, upstream);
    relay('down', upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CuttingProxy = {
    port: (server.address() as AddressInfo).port,
    cut: null,
    hold: (held) => {
      isHeld = held;
      for (const socket of sockets)
        if (held) socket.pause();
        else socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
};
