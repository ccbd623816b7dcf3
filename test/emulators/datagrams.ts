import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A UDP peer outside the lab, on a port of the system's choice. */
export interface Peer {
  port: number;
  send(frame: Buffer, to: number): void;
  /** The next datagram, also one that has come already. */
  next(): Promise<Buffer>;
  /** Datagrams that nobody has asked for. */
  waiting(): number;
  close(): Promise<void>;
}

export const peer = async (): Promise<Peer> => {
  const socket: Socket = createSocket('udp4');
  const come: Buffer[] = [];
  const asked: ((frame: Buffer) => void)[] = [];
  socket.on('message', (frame) => {
    const resolve = asked.shift();
    if (resolve === undefined) come.push(frame);
    else resolve(frame);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    send: (frame, to) => socket.send(frame, to, '127.0.0.1'),
    next: () => {
      const frame = come.shift();
      return frame === undefined ? new Promise((resolve) => asked.push(resolve)) : Promise.resolve(frame);
    },
    waiting: () => come.length,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
};

/** A broadcast frame with a text in it, padded to 60 bytes; with a VLAN tag when one is given. */
export const frameWith = (text: string, vlan?: number): Buffer => {
  const tag = vlan === undefined ? '' : `8100${vlan.toString(16).padStart(4, '0')}`;
  const header = Buffer.from(`ffffffffffff0200000000${text.length.toString(16).padStart(2, '0')}${tag}88b5`, 'hex');
  return Buffer.concat([header, Buffer.from(text), Buffer.alloc(60)], 60);
};
