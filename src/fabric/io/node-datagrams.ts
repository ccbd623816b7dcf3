import { createSocket, type Socket } from 'node:dgram';
import { messageOf } from '../../common/errors.ts';
import { FabricError } from '../client/client.ts';
import { MOST_QUEUED, SOCKET_BUFFER, type DatagramSocket, type DatagramSockets, type Peer } from './datagrams.ts';

/** Node's own sockets: one call of the system a frame. */
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
  // A connected socket gets a missing peer (ECONNREFUSED) as an error; it goes on working.
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
