import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Keysym (X11) and whether it went down. */
export type Key = readonly [keysym: number, isDown: boolean];

/** A VNC server (RFC 6143) without a password, whose screen is red on the left and blue on the right. */
export interface RfbServer {
  readonly port: number;
  /** Every key so far. */
  readonly keys: Key[];
  /** Texts that clients have cut. */
  readonly cut: string[];
  /** Says that a text was cut there. */
  say(text: string): void;
  close(): Promise<void>;
}

/** What a WebSocket of a screen begins with. */
export const greetingOf = async (socket: WebSocket): Promise<string> => {
  let heard = '';
  while (heard.length < GREETING.length) {
    const [data] = (await once(socket, 'message')) as [Buffer];
    heard += data.toString('latin1');
  }
  return heard;
};

export const GREETING = 'RFB 003.008\n';

const WIDTH = 64;
const HEIGHT = 48;

/** Length of a message of a client; null: more of it is needed to say. */
const lengthOf = (bytes: Buffer): number | null => {
  const type = bytes[0];
  if (type === 0) return 20;
  if (type === 2) return bytes.length < 4 ? null : 4 + 4 * bytes.readUInt16BE(2);
  if (type === 3) return 10;
  if (type === 4) return 8;
  if (type === 5) return 6;
  // A negative length is that of the extended clipboard.
  if (type === 6) return bytes.length < 8 ? null : 8 + Math.abs(bytes.readInt32BE(4));
  throw new Error(`a client said ${String(type)}`);
};

const pictureIn = (shifts: readonly [red: number, blue: number]): Buffer => {
  const pixels = Buffer.alloc(4 * WIDTH * HEIGHT);
  for (let i = 0; i < WIDTH * HEIGHT; i++)
    pixels.writeUInt32LE((255 << (i % WIDTH < WIDTH / 2 ? shifts[0] : shifts[1])) >>> 0, 4 * i);
  const head = Buffer.alloc(16);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(WIDTH, 8);
  head.writeUInt16BE(HEIGHT, 10);
  return Buffer.concat([head, pixels]);
};

/** Width, height, 32 bits a pixel of which 24 are used, a name. */
const serverInit = (): Buffer => {
  const init = Buffer.alloc(24);
  init.writeUInt16BE(WIDTH, 0);
  init.writeUInt16BE(HEIGHT, 2);
  init.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0], 4);
  const name = Buffer.from('test');
  init.writeUInt32BE(name.length, 20);
  return Buffer.concat([init, name]);
};

export const startRfbServer = async (port = 0): Promise<RfbServer> => {
  const keys: Key[] = [];
  const cut: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    void serve(socket, keys, cut).catch(() => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    keys,
    cut,
    say(text) {
      const head = Buffer.alloc(8);
      head[0] = 3;
      head.writeUInt32BE(text.length, 4);
      for (const socket of sockets) socket.write(Buffer.concat([head, Buffer.from(text, 'latin1')]));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

const serve = async (socket: Socket, keys: Key[], cut: string[]): Promise<void> => {
  const take = readerOf(socket);
  socket.write(GREETING);
  await take(() => 12);
  socket.write(Buffer.from([1, 1]));
  await take(() => 1);
  socket.write(Buffer.alloc(4));
  await take(() => 1);
  socket.write(serverInit());
  let shifts: [number, number] = [16, 0];
  for (;;) {
    const message = await take(lengthOf);
    const [type] = message;
    if (type === 0) shifts = [message[14] ?? 0, message[16] ?? 0];
    // What has not changed is not sent again.
    if (type === 3 && message[1] === 0) socket.write(pictureIn(shifts));
    if (type === 4) keys.push([message.readUInt32BE(4), message[1] === 1]);
    if (type === 6 && message.readInt32BE(4) >= 0) cut.push(message.toString('latin1', 8));
  }
};

/** Reads as many octets as the first ones say; null: more of them are needed for that. */
const readerOf = (socket: Socket): ((length: (bytes: Buffer) => number | null) => Promise<Buffer>) => {
  let waiting = Buffer.alloc(0);
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return async (length) => {
    for (;;) {
      const wanted = waiting.length === 0 ? null : length(waiting);
      if (wanted !== null && waiting.length >= wanted) {
        const taken = waiting.subarray(0, wanted);
        waiting = waiting.subarray(wanted);
        return taken;
      }
      const next = await chunks.next();
      if (next.done === true) throw new Error('the client has gone');
      waiting = Buffer.concat([waiting, next.value]);
    }
  };
};
