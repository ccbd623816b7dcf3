import { createSocket, type Socket } from 'node:dgram';
import { atoi, type Handler, Refusal } from './dynamips-replies.ts';

export interface Nio {
  name: string;
  /** How many bindings use it. */
  users: number;
  send(frame: Buffer): void;
  receive: ((frame: Buffer) => void) | null;
}

export interface Nios {
  module: Record<string, Handler>;
  find(name: string): Nio | undefined;
  reset(): void;
}

/** NIOs over UDP: bound to every address and connected to their peer, as the real ones. `isTaken`: somebody else has the port. */
export const fakeNios = (isTaken: () => boolean): Nios => {
  const all = new Map<string, Nio & { socket: Socket; port: number }>();
  const end = (name: string): void => {
    all.get(name)?.socket.close();
    all.delete(name);
  };
  const module: Record<string, Handler> = {
    create_udp: {
      least: 4,
      most: 4,
      run: ([name = '', local, host, remote]) => {
        const taken = [...all.values()].some(({ port }) => port === atoi(local));
        if (all.has(name) || taken || isTaken() || atoi(local) < 1 || atoi(remote) < 1)
          throw new Refusal(206, 'unable to create UDP NIO');
        const socket = createSocket('udp4');
        socket.on('error', () => undefined);
        let connected = false;
        socket.bind(atoi(local), () => socket.connect(atoi(remote), host, () => (connected = true)));
        const nio = {
          ...{ name, socket, port: atoi(local), users: 0 },
          send: (frame: Buffer) => {
            if (connected) socket.send(frame);
          },
          receive: null as Nio['receive'],
        };
        socket.on('message', (frame) => nio.receive?.(frame));
        all.set(name, nio);
        return `NIO '${name}' created`;
      },
    },
    delete: {
      least: 1,
      most: 1,
      run: ([name = '']) => {
        if (all.get(name)?.users !== 0) throw new Refusal(207, `unable to delete NIO '${name}'`);
        end(name);
        return `NIO '${name}' deleted`;
      },
    },
    get_stats: {
      least: 1,
      most: 1,
      run: ([name = '']) => {
        if (!all.has(name)) throw new Refusal(208, `unable to find object '${name}'`);
        return '0 0 0 0';
      },
    },
    list: { least: 0, most: 0, run: (_, tell) => [...all.keys()].forEach(tell) },
  };
  return { module, find: (name) => all.get(name), reset: () => [...all.keys()].forEach(end) };
};
