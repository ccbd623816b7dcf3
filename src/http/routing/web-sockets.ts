import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../../common/errors.ts';
import { inSlice } from '../../common/slices.ts';
import type { Api } from '../api.ts';
import { forwardSocket } from '../forward.ts';
import type { HttpLimits } from '../limits.ts';
import { NO_SNIFF } from '../server/security-headers.ts';
import { routerPath } from './path-template.ts';
import { reader } from './read-call.ts';
import {
  type Call,
  isOfWriter,
  isSocket,
  type Joining,
  type ParamTypes,
  type Route,
  type SocketRoute,
} from './route.ts';

/** Close codes of RFC 6455, section 7.4.1. */
const NORMAL = 1000;
const FAILED = 1011;

/**
 * Joins a WebSocket to a console: binary frames out, text or binary frames in. Both sides are paused when the other is
 * slow, so that what waits between them is bounded.
 */
const joinConsole = (socket: WebSocket, console: Duplex, limits: HttpLimits): void => {
  outwards(socket, console, limits.consoleBytes);
  inwards(socket, console);
  const stopPings = keepAlive(socket, limits.pingMs);
  console.once('end', () => socket.close(NORMAL, 'The console ended'));
  console.once('error', () => socket.close(FAILED, 'The console failed'));
  console.once('close', () => socket.close(NORMAL, 'The console ended'));
  socket.once('close', () => {
    stopPings();
    console.destroy();
  });
};

/** Sends one chunk in each turn of the event loop, so that an endless console does not hold up others. */
const outwards = (socket: WebSocket, console: Duplex, most: number): void => {
  let waits = false;
  const goOn = (): void => {
    if (!waits && console.isPaused() && socket.bufferedAmount <= most / 2) console.resume();
  };
  console.on('data', (bytes: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    console.pause();
    waits = true;
    socket.send(bytes, { binary: true }, goOn);
    inSlice(() => {
      waits = false;
      goOn();
    });
  });
};

const inwards = (socket: WebSocket, console: Duplex): void => {
  socket.on('message', (data: Buffer) => {
    if (console.writable && !console.write(data)) socket.pause();
  });
  console.on('drain', () => socket.resume());
};

/** Cuts a client that has silently gone. */
export const keepAlive = (socket: WebSocket, everyMs: number): (() => void) => {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  const timer = setInterval(() => {
    // A client that is paused because it floods us cannot answer either, but is there.
    if (!answered && !socket.isPaused) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
};

/** Header lines of the handshakes that are under way. */
const handshakes = new WeakMap<IncomingMessage, readonly string[]>();

/** Registers the WebSockets of the table. */
export const registerWebSockets = (app: FastifyInstance, api: Api, routes: readonly Route[]): void => {
  // Adds the headers of every answer to handshakes, which the framework does not answer.
  app.websocketServer.on('headers', (lines, request) => void lines.push(...(handshakes.get(request) ?? [])));
  for (const route of routes) if (isSocket(route)) webSocketRoute(app, api, route);
};

/** Registers a WebSocket route. Its console or feed is opened before the upgrade, so that every refusal is an ordinary JSON answer. */
const webSocketRoute = (app: FastifyInstance, api: Api, route: SocketRoute): void => {
  const read = reader(api, route);
  const joinings = new WeakMap<FastifyRequest, Joining>();
  const noUpgrade = (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header('Upgrade', 'websocket');
    return Promise.reject(invalid('this is a WebSocket: the request must ask for an upgrade to it'));
  };
  app.route({
    method: 'GET',
    url: routerPath(route.path),
    exposeHeadRoute: false,
    config: { template: route.path, serve: noUpgrade },
    handler: noUpgrade,
    preHandler: async (request, reply) => {
      const call = read(request, reply);
      if (!request.ws) return;
      assertHandshake(request);
      handshakes.set(request.raw, [`X-Route: ${route.path}`, `X-Request-Id: ${request.id}`, NO_SNIFF.join(': ')]);
      const { cell } = api;
      const isForwarded = cell?.epoch === null && isOfWriter(route, request.params);
      const joining = isForwarded
        ? await forwardSocket(request, { ...api, cell })
        : asJoining(api, await route.socket(call as Call<ParamTypes, never, never>));
      joinings.set(request, joining);
      // Also when the handshake fails.
      const { socket } = request.raw;
      if (socket.destroyed) joining.leave();
      else socket.once('close', () => joining.leave());
    },
    wsHandler: (socket, request) => {
      const joining = joinings.get(request);
      if (joining) joining.join(socket, request.raw.socket);
      else socket.terminate();
    },
  });
};

const asJoining = (api: Api, opened: Duplex | Joining): Joining =>
  opened instanceof Duplex
    ? { join: (socket) => joinConsole(socket, opened, api.limits), leave: () => opened.destroy() }
    : opened;

/** Refuses what the handshake itself would refuse without a JSON answer (RFC 6455, section 4.2.1). */
const assertHandshake = ({ headers }: FastifyRequest): void => {
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw invalid('the header Sec-WebSocket-Key must be 16 bytes in base64');
  if (headers['sec-websocket-version'] !== '13') throw invalid('the header Sec-WebSocket-Version must be 13');
};
