import { createSocket, type Socket } from 'node:dgram';
import { messageOf } from '../../common/errors.ts';
import { FabricError } from '../client/client.ts';
import type { FrameSink } from '../frames/frame-batch.ts';

export interface Peer {
  host: string;
  port: number;
}

/** A bound UDP socket that talks to one peer: one frame a datagram. Errors of the network are counted, never thrown. */
export interface DatagramSocket extends FrameSink {
  /** Changes the peer. */
  connect(peer: Peer): Promise<void>;
  readonly port: number;
  /** Frames that could not be sent: no such peer, frame too long, socket full. */
  readonly failed: number;
  close(): Promise<void>;
}

/** UDP sockets of the host: Node's below, or those of native/datagrams.ts on Linux. */
export interface DatagramSockets {
  /** Throws FabricError: `port_taken`, or `invalid` when an address is not one of this machine or does not resolve. */
  open(local: Peer, peer: Peer, sink: FrameSink): Promise<DatagramSocket>;
}

/** Octets for bursts of some thousand frames; the kernel may grant less. */
export const SOCKET_BUFFER = 4_000_000;
/** Octets that may wait for a full socket. */
export const MOST_QUEUED = 4_000_000;

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost)$/i;

/** Address to which a UDP end without `lhost` is bound. */
export function localHost(rhost: string): string {
  if (rhost === '::1') return '::1';
  if (LOOPBACK.test(rhost)) return '127.0.0.1';
  return rhost.includes(':') ? '::' : '0.0.0.0';
}

/** Node's sockets: one system call a frame. */
export const nodeDatagramSockets: DatagramSockets = {
  async open(local, peer, sink) {
    const socket = createSocket({
      type: local.host.includes(':') ? 'udp6' : 'udp4',
      recvBufferSize: SOCKET_BUFFER,
      sendBufferSize: SOCKET_BUFFER,
    });
    await bind(socket, local);
    const opened = wrap(socket);
    try {
      await opened.connect(peer);
    } catch (error) {
      await opened.close();
      throw error;
    }
    socket.on('message', (frame) => sink.take(frame));
    return opened;
  },
};

function wrap(socket: Socket): DatagramSocket {
  let failed = 0;
  let connected = false;
  let closed = false;
  const { port } = socket.address();
  const count = (error: Error | null): void => {
    if (error !== null) failed++;
  };
  // A missing peer is an error of a connected socket (ECONNREFUSED), which stays usable.
  socket.on('error', count);

  const take = (frame: Uint8Array): void => {
    if (!connected || closed || socket.getSendQueueSize() > MOST_QUEUED) failed++;
    else socket.send(frame, count);
  };
  return {
    take,
    takeBatch: (batch) => batch.frames().forEach(take),
    connect(peer) {
      return new Promise((resolve, reject) => {
        if (connected) socket.disconnect();
        connected = false;
        socket.connect(peer.port, peer.host, (error?: Error) => {
          connected = error === undefined || error === null;
          if (connected) resolve();
          else reject(new FabricError('invalid', `rhost ${peer.host}: ${messageOf(error)}`));
        });
      });
    },
    get failed() {
      return failed;
    },
    port,
    close: () =>
      new Promise((resolve) => {
        if (closed) return resolve();
        closed = true;
        socket.close(() => resolve());
      }),
  };
}

function bind(socket: Socket, local: Peer): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error & { code?: string }): void => {
      socket.close();
      reject(bindError(error, local));
    };
    socket.once('error', failed);
    socket.bind({ address: local.host, port: local.port, exclusive: true }, () => {
      socket.off('error', failed);
      resolve();
    });
  });
}

export function bindError(error: Error & { code?: string }, { host, port }: Peer): FabricError {
  if (error.code === 'EADDRINUSE') return new FabricError('port_taken', `UDP port ${port} of ${host} is taken`);
  if (error.code === 'EACCES') return new FabricError('port_taken', `UDP port ${port} needs privileges`);
  return new FabricError('invalid', `lhost ${host}: ${messageOf(error)}`);
}
