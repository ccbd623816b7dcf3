import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../../common/errors.ts';
import type { Api } from '../api.ts';
import { forwardSocket } from '../cell/forward.ts';
import { AS_TYPED } from '../server/page-headers.ts';
import { joinConsole } from './console-socket.ts';
import { routerPath } from './path-template.ts';
import { reader } from './read-call.ts';
import { type Call, isOfWriter, type Joining, type ParamTypes, type SocketRoute } from './route.ts';

/** Header lines of the handshakes that are under way. */
const handshakes = new WeakMap<IncomingMessage, readonly string[]>();

/** A handshake is not answered by the framework, so it gets here what every answer has. */
export const nameHandshakes = ({ websocketServer }: FastifyInstance): void => {
  websocketServer.on('headers', (lines, request) => void lines.push(...(handshakes.get(request) ?? [])));
};

/** A WebSocket route. Its console or feed is opened before the upgrade, so that every refusal is an ordinary JSON answer. */
export const consoleRoute = (app: FastifyInstance, api: Api, route: SocketRoute): void => {
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
      handshakes.set(request.raw, [`X-Route: ${route.path}`, `X-Request-Id: ${request.id}`, AS_TYPED.join(': ')]);
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

/** What the handshake itself would refuse without a JSON answer (RFC 6455, section 4.2.1). */
const assertHandshake = ({ headers }: FastifyRequest): void => {
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw invalid('the header Sec-WebSocket-Key must be 16 bytes in base64');
  if (headers['sec-websocket-version'] !== '13') throw invalid('the header Sec-WebSocket-Version must be 13');
};
