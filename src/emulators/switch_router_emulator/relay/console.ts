import { type Socket } from 'node:net';
import { listenPrivately } from '../../../fabric/io/private-socket.ts';

/** The console of a program that reads and writes plain streams, for any client that connects. */
export interface RelayConsole {
  /** Takes output of the program. */
  print(bytes: Buffer): void;
  /** The end of what it has printed in all. */
  tail(): string;
  /** Resolves once clients have had the last of it, or do not take it. */
  close(): Promise<void>;
}

/** Octets that are kept for a client to come, and that may wait for one that is slow. */
const MOST_KEPT = 64 * 1024;
const MOST_WAITING = 1024 * 1024;
const TAIL = 2_000;
const FAREWELL_MS = 500;

/** Opens the socket. Output that came while nobody was connected goes to the next client, once. */
export const openConsole = async (path: string, onTyped: (bytes: Buffer) => void): Promise<RelayConsole> => {
  const clients = new Set<Socket>();
  let kept: Buffer = Buffer.alloc(0);
  let last: Buffer = Buffer.alloc(0);
  const server = await listenPrivately(path, (socket) => {
    clients.add(socket);
    socket.on('data', onTyped);
    socket.on('error', () => undefined);
    socket.once('close', () => clients.delete(socket));
    if (kept.length > 0) socket.write(kept);
    kept = Buffer.alloc(0);
  });
  return {
    print(bytes) {
      last = endOf(last, bytes, TAIL);
      if (clients.size === 0) kept = endOf(kept, bytes, MOST_KEPT);
      for (const client of clients) if (client.writable && client.writableLength <= MOST_WAITING) client.write(bytes);
    },
    tail: () => last.toString('utf8').trim(),
    async close() {
      server.close();
      await Promise.all([...clients].map(farewell));
    },
  };
};

const endOf = (before: Buffer, bytes: Buffer, most: number): Buffer => {
  const all = Buffer.concat([before, bytes]);
  return all.length > most ? Buffer.from(all.subarray(all.length - most)) : all;
};

const farewell = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.end(() => socket.destroy());
    if (socket.destroyed) resolve();
  });
