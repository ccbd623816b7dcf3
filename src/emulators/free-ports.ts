import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { conflict } from '../errors.ts';
import { portIsFree } from './leases.ts';

/** For what external programs and the fabric say to one another: above the ports of labs, below those the system gives away. */
const FIRST = 30_001;
const LAST = 32_767;

/** Ports that are free for TCP and UDP on every address. Nobody gets one twice until it is given back. */
export interface FreePorts {
  /** Throws a conflict when there are none. */
  take(count: number): Promise<number[]>;
  /** Ports of a program that runs already. */
  keep(ports: readonly number[]): void;
  giveBack(ports: readonly number[]): void;
}

/** One for the whole process, so that engines do not get in one another's way. */
const taken = new Set<number>();
const SIZE = LAST - FIRST + 1;
/**
 * Where the search goes on. It begins anywhere and never soon comes back: between a look at a port and its use another server of
 * this machine may take it, which looks there only when it happens to be at the same place.
 */
let next = Math.floor(Math.random() * SIZE);

export const freePorts: FreePorts = {
  async take(count) {
    const found: number[] = [];
    for (let n = 0; n < SIZE && found.length < count; n++) {
      const port = FIRST + next;
      next = (next + 1) % SIZE;
      if (taken.has(port)) continue;
      taken.add(port);
      if ((await portIsFree('0.0.0.0', port)) && (await udpIsFree(port))) found.push(port);
      else taken.delete(port);
    }
    if (found.length === count) return found;
    freePorts.giveBack(found);
    throw conflict(`of the ports ${FIRST} to ${LAST} there are not ${count} free`);
  },
  keep: (ports) => ports.forEach((port) => taken.add(port)),
  giveBack: (ports) => ports.forEach((port) => taken.delete(port)),
};

const udpIsFree = async (port: number): Promise<boolean> => {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '0.0.0.0', exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
};
