import { setMaxListeners } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import staticFiles from '@fastify/static';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify';
import { createAdmission, OPEN } from '../access/admission.ts';
import { clientAddress } from '../access/client-address.ts';
import { hasBody } from '../access/framing.ts';
import { RateLimiter } from '../access/rate-limit.ts';
import { isUserName } from '../access/users.ts';
import type { Api, HttpDeps } from '../api.ts';
import { createApi } from '../create-api.ts';
import { BODY_LIMIT, LIMITS } from '../limits.ts';
import { answerNotes } from '../metrics/request-log.ts';
import { folder, remembered } from '../routing/path-template.ts';
import { registerRoutes } from '../routing/register.ts';
import { registerWebSockets } from '../routing/web-sockets.ts';
import { createRoutes } from '../routing/routes.ts';
import { requestId } from './caller.ts';
import { answerClientError, createErrorReply } from './errors.ts';
import { addRequestHooks, endUpgraded } from './hooks.ts';
import { parseJsonBody } from './request-body.ts';

/** Asks the facade without a socket, as `user` from this machine; null: as nobody in particular. `token`: of the server's own tools. */
export const injector =
  (app: FastifyInstance, agent: string, user: string | null, token: string) =>
  async (
    method: string,
    url: string,
    body: object | null,
    requestId: string,
  ): Promise<{ status: number; body: unknown }> => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': agent,
        'x-request-id': requestId,
        ...(user === null || !isUserName(user) ? {} : { 'x-topolog-user': user }),
      },
      ...(body === null ? {} : { payload: JSON.stringify(body) }),
    });
    const text = answer.body;
    return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text) };
  };

/** Close code of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
/** Milliseconds that a client has to close its side. */
const GOODBYE_MS = 500;
/** Between two looks for connections that have become idle while the server closes. Milliseconds. */
const IDLE_MS = 20;

/** On close, new requests are refused, streams end, running requests get `graceMs`, then what is left is cut. */
const closeGently = (app: FastifyInstance, closing: AbortController, graceMs: number): void => {
  // Upgraded sockets among them, which are no longer the HTTP server's.
  const open = new Set<Socket>();
  let ended = (): void => undefined;
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) ended();
    });
  });
  let cut: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;
  app.addHook('preClose', (done) => {
    closing.abort();
    // A connection that runs a request now is kept alive after it, unless somebody ends it.
    idle = setInterval(() => app.server.closeIdleConnections(), IDLE_MS);
    cut = setTimeout(() => {
      for (const socket of open) socket.destroy();
    }, graceMs);
    done();
  });
  // The framework waits only for what its own listener has accepted.
  app.addHook('onClose', async () => {
    if (open.size > 0) await new Promise<void>((resolve) => (ended = resolve));
    clearTimeout(cut);
    clearInterval(idle);
  });
};

/** Ends upgraded connections, which are no longer the HTTP server's: it would wait for them endlessly. */
const endWebSockets = ({ websocketServer }: FastifyInstance, done: () => void): void => {
  for (const client of websocketServer.clients) {
    client.close(GOING_AWAY, 'The server is shutting down');
    const cut = setTimeout(() => client.terminate(), GOODBYE_MS);
    client.once('close', () => clearTimeout(cut));
  }
  websocketServer.close();
  done();
};

export type { HttpDeps } from '../api.ts';

/** The facade over the commands and the committed records, not listening yet. docs/reference/http.md draws a request's way. */
export const buildServer = (deps: HttpDeps): FastifyInstance => {
  const closing = new AbortController();
  // Every feed and waiting request listens to it: node would take eleven for a leak, and say so.
  setMaxListeners(0, closing.signal);
  const api = createApi(deps, {
    bodyLimit: deps.bodyLimit ?? BODY_LIMIT,
    limits: { ...LIMITS, ...deps.limits },
    closing: closing.signal,
    address: () => addressOf(app),
  });
  const answerError = createErrorReply(api);
  const note = answerNotes(api);
  const routes = createRoutes(api);
  const fold = folder(routes.map(({ path }) => path));
  const rewrite = remembered((url) => fold(api.kindNames.rewrite(url)));
  const app: FastifyInstance = Fastify({
    ...serverOptions(api),
    rewriteUrl: ({ url }) => rewrite(url ?? '/'),
    frameworkErrors: (error, request, reply) => {
      // No hook sees this request.
      note(request, reply);
      endUpgraded(request, reply);
      answerError(error, request, reply.header('Connection', 'close'));
    },
  });
  app.setErrorHandler(answerError);
  takeAnyBodyAsJson(app);
  closeGently(app, closing, api.limits.closeGraceMs);
  // Only `sendFile` of its replies is used: the files are in the table of routes.
  if (deps.page !== undefined)
    void app.register(staticFiles, { root: deps.page.root, serve: false, preCompressed: true });
  const access = api.access ?? OPEN;
  const address = clientAddress(access.proxies ?? []);
  addRequestHooks(app, api, routes, {
    clientAddress: address,
    traffic: new RateLimiter(app.server, api.limits, (remote) => address(remote, undefined) !== null),
    admit: createAdmission(access, api.limits),
  });
  if (api.gns3Compat) app.server.prependListener('request', endConnection);
  registerRoutes(app, api, routes);
  // A scope of their own: the plugin's hooks would cost every other request more than all of ours.
  void app.register(async (scope) => {
    await scope.register(websocket, {
      options: { maxPayload: api.limits.consoleBytes },
      errorHandler: (_error, socket) => socket.terminate(),
      preClose: (done: () => void) => endWebSockets(scope, done),
    });
    registerWebSockets(scope, api, routes);
  });
  return app;
};

/**
 * Ends the connection with its answer, as the existing server does: its clients keep connections for as long as they like and take none that
 * ended meanwhile for a new one. An answer to a body that is still being sent leaves it open: closing would reset what the client has yet to read.
 */
const endConnection = (request: IncomingMessage, response: ServerResponse): void => {
  const end = (): void => void (response.shouldKeepAlive = false);
  if (!hasBody(request.headers)) end();
  else request.once('end', end);
};

const serverOptions = ({ limits, bodyLimit, counts }: Api): FastifyHttpOptions<Server> => ({
  bodyLimit,
  genReqId: requestId,
  clientErrorHandler: (error, socket) => answerClientError(error, socket, { limits, counts }),
  keepAliveTimeout: limits.keepAliveMs,
  requestTimeout: limits.requestMs,
  // Silence alone is no fault: a start may take minutes, a capture may be quiet for hours.
  connectionTimeout: 0,
  forceCloseConnections: 'idle',
  // A hook refuses in the shape of every other error, as it does a missing Host below.
  return503OnClosing: false,
  // As long as a path can be, so that its route answers a wrong identifier or a long name.
  routerOptions: { maxParamLength: limits.headerBytes },
  http: {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
    requireHostHeader: false,
  },
});

const takeAnyBodyAsJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      const parsed = parseJsonBody(body as Buffer);
      if (parsed instanceof Promise) parsed.then((value) => done(null, value), done);
      else done(null, parsed);
    } catch (error) {
      done(error as Error);
    }
  });
};

const addressOf = (app: FastifyInstance): { host: string; port: number } => {
  const address = app.server.address();
  return typeof address === 'object' && address !== null
    ? { host: address.address, port: address.port }
    : { host: '127.0.0.1', port: 0 };
};
