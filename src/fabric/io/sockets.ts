import { messageOf } from '../../common/errors.ts';
import { importKoffi } from '../../common/koffi.ts';
import type { CreateAlarm } from '../frames/timers.ts';
import { type DatagramSockets, nodeDatagramSockets } from './datagrams.ts';
import { createNativeSockets } from './native/datagrams.ts';
import { probePathMtu } from './native/path-mtu.ts';
import { Reactor } from './native/reactor.ts';
import { openSystem } from './native/system.ts';
import { interfaceMtu, type PathMtu } from './path-mtu.ts';

/** Sockets and timers of the system for a fabric. */
export interface Sockets {
  datagrams: DatagramSockets;
  /** Absent: Node's timers. */
  createAlarm?: CreateAlarm;
  /** Throws for a name that does not resolve. */
  pathMtu(host: string): Promise<PathMtu>;
  close(): void;
}

export interface SocketsKind {
  name: 'native' | 'node';
  /** A sentence for people. */
  description: string;
  /** `waiting`: number of frames in the run queue; while there are many, sockets are not read. */
  open(waiting: () => number): Sockets;
}

export const nodeSockets: SocketsKind = {
  name: 'node',
  description: "UDP by Node's own sockets",
  open: () => ({ datagrams: nodeDatagramSockets, pathMtu: interfaceMtu, close: () => undefined }),
};

/** The fastest kind that works on this machine. */
export async function findSockets(load = importKoffi): Promise<SocketsKind> {
  try {
    const system = openSystem(await load());
    return {
      name: 'native',
      description: 'UDP by koffi (epoll, recvmmsg, sendmmsg)',
      open(waiting) {
        const reactor = new Reactor(system, waiting);
        const datagrams = createNativeSockets(system, reactor, waiting);
        return {
          datagrams,
          createAlarm: (fire) => reactor.createAlarm(fire),
          pathMtu: (host) => probePathMtu(system, reactor, host),
          close: () => reactor.close(),
        };
      },
    };
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    return { ...nodeSockets, description: `${nodeSockets.description}, as koffi cannot be used here: ${reason}` };
  }
}
