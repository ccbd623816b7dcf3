import type { Socket } from 'node:net';
import { listenPrivately } from '../../../fabric/io/private-socket.ts';

/**
 * The server's line to a relay, JSON lines both ways. The relay says `{"ready":true}` once its instance is up, at once to those who
 * come later; the server says `{"up":["<adapter>/<port>",...]}`, all ports that lead somewhere, whenever that changes.
 */
export interface Control {
  ready(): void;
  isUp(place: { adapter_number: number; port_number: number }): boolean;
  close(): void;
}

/** Characters; a longer line is none of ours. */
const LONGEST = 64 * 1024;

export const openControl = async (path: string): Promise<Control> => {
  const clients = new Set<Socket>();
  let ready = false;
  let up: ReadonlySet<string> = new Set();
  const server = await listenPrivately(path, (socket) => {
    clients.add(socket);
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) up = portsIn(line) ?? up;
      if (rest.length > LONGEST) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => clients.delete(socket));
    if (ready) socket.write(READY);
  });
  return {
    ready() {
      ready = true;
      for (const client of clients) client.write(READY);
    },
    isUp: ({ adapter_number, port_number }) => up.has(`${adapter_number}/${port_number}`),
    close() {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
};

const READY = '{"ready":true}\n';

const portsIn = (line: string): ReadonlySet<string> | null => {
  try {
    const { up } = JSON.parse(line) as { up?: unknown };
    return Array.isArray(up) ? new Set(up.filter((place) => typeof place === 'string')) : null;
  } catch {
    return null;
  }
};
