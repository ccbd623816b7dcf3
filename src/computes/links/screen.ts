import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { BOUNDS, boundedText } from '../../common/json.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { lostRequest, refusedBy } from '../client/errors.ts';
import { authorizationOf, originOf, socketsTo, type Target } from '../client/target.ts';

/** Longest wait for the greeting of a VNC server. Milliseconds. */
const GREETING_MS = 5_000;
/** Octets of a WebSocket message of a screen at another Topolog, at most: it sends at once what it has read at once. */
const LARGEST_MESSAGE = 4 << 20;
/** RFC 6143, section 7.1.1: the server speaks first. */
const GREETING = 'RFB ';

interface Screen {
  host: string;
  port: number;
  /** Name of the node. */
  name: string;
  /** Further options of the socket. */
  sockets?: object;
}

/**
 * Connects to the VNC server of a node and waits for its greeting, which is the first that can be read of the socket. The port comes from
 * a record, so nothing is written to a server that does not speak VNC. Throws a conflict.
 */
export const openScreen = async ({ host, port, name, sockets = {} }: Screen): Promise<Socket> => {
  const socket = connect({ host, port, noDelay: true, ...sockets });
  try {
    await untilGreeted(socket);
    return socket;
  } catch (error) {
    socket.destroy();
    throw conflict(`${name}: its screen at ${host} ${port} cannot be opened: ${messageOf(error)}`);
  }
};

const untilGreeted = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (failure: Error | null): void => {
      clearTimeout(timer);
      socket.off('readable', look);
      socket.off('error', end);
      socket.off('close', close);
      if (failure === null) resolve();
      else reject(failure);
    };
    const close = (): void => end(new Error('it ended the connection'));
    const look = (): void => {
      const bytes = socket.read(GREETING.length) as Buffer | null;
      if (bytes === null) return;
      const rest = (socket.read() as Buffer | null) ?? Buffer.alloc(0);
      socket.unshift(Buffer.concat([bytes, rest]));
      end(bytes.toString('latin1') === GREETING ? null : new Error('it does not speak VNC'));
    };
    const timer = setTimeout(() => end(new Error(`it said nothing within ${GREETING_MS} ms`)), GREETING_MS);
    socket.on('readable', look);
    socket.on('error', end);
    socket.on('close', close);
  });

/** Connects over the console WebSocket of another Topolog: a VNC server there may be reachable from its own machine only. */
export const openRemoteScreen = async (target: Target, path: string): Promise<Duplex> => {
  const url = `${originOf(target).replace(/^http/, 'ws')}/v2/compute${path}`;
  const bounds = { maxPayload: LARGEST_MESSAGE, handshakeTimeout: GREETING_MS, perMessageDeflate: false };
  const socket = new WebSocket(url, { headers: authorizationOf(target), ...socketsTo(target), ...bounds });
  // Made before the socket is open, so that no octet is missed.
  const stream = createWebSocketStream(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    stream.once('error', (error) => reject(lostRequest(target, error)));
    socket.once('unexpected-response', (_asked, answer: IncomingMessage) => {
      const refuse = (body: string): void => {
        reject(refusedBy(target, { status: answer.statusCode ?? 502, body, what: `GET ${path}` }));
        socket.terminate();
      };
      boundedText(answer, BOUNDS.message.size).then(refuse, () => refuse(''));
    });
  });
  return stream;
};
