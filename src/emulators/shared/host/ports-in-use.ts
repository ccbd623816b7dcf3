import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** The first port of a range that is not in use, looked for from `start` on and then from the beginning; null when all are. */
export const nextFree = (
  [first, last]: readonly [number, number],
  used: Pick<ReadonlySet<number>, 'has'>,
  start: number = first,
): number | null => {
  const size = last - first + 1;
  const from = start >= first && start <= last ? start - first : 0;
  for (let n = 0; n < size; n += 1) {
    const port = first + ((from + n) % size);
    if (!used.has(port)) return port;
  }
  return null;
};

/** Whether a TCP port can be listened on now. Another program may still take it first: the listener that counts reports what it got. */
export const portIsFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/**
 * TCP ports that sockets of this machine have, at whatever address; null where the system has no list of them. A port that is not among them can be listened
 * on, but for the rare one that is bound and not used.
 */
export const portsWithSockets = async (): Promise<ReadonlySet<number> | null> => {
  // Trying a port takes as long as reading the list of a thousand sockets.
  const lists = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  );
  if (lists.every((list) => list === '')) return null;
  const local = lists.flatMap((list) => [...list.matchAll(/^ *\d+: [0-9A-F]+:([0-9A-F]{4}) /gm)]);
  return new Set(local.map(([, port = '']) => Number.parseInt(port, 16)));
};

/** Whether a UDP port can be bound now. */
export const udpPortIsFree = async (host: string, port: number): Promise<boolean> => {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: host, exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
};
