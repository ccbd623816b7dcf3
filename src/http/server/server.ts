import { setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import staticFiles from '@fastify/static';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance, type FastifyHttpOptions } from 'fastify';
import { createAdmission, OPEN } from '../access/admission.ts';
import { clientAddress } from '../access/client-address.ts';
import { hasBody } from '../access/message.ts';
import { Traffic } from '../access/traffic.ts';
import type { Api, HttpDeps } from '../api.ts';
import { createApi } from '../create-api.ts';
import { answerNotes } from '../metrics/answered.ts';
import { requestId } from './caller.ts';
import { answerClientError } from './client-error.ts';
import { BODY_LIMIT, LIMITS } from '../limits.ts';
import { createErrorReply } from './errors.ts';
import { folder, remembered } from '../routing/path-template.ts';
import { type QuickRead, quickReads } from '../routing/quick-read.ts';
import { registerRoutes } from '../routing/register.ts';
import { parseJsonBody } from './request-body.ts';
import { addRequestHooks } from './hooks.ts';
import { createRoutes } from '../routing/routes.ts';
import { closeGently, endWebSockets } from './shutdown.ts';

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
      note(request, reply);
      // No hook sees this request. Should it have asked for an upgrade, nobody reads from its connection or closes it.
      const { socket, headers } = request.raw;
      if (headers.upgrade !== undefined) reply.raw.once('finish', () => socket.destroySoon());
      answerError(error, request, reply.header('Connection', 'close'));
    },
  });
  app.setErrorHandler(answerError);
  takeAnyBodyAsJson(app);
  closeGently(app, closing, api.limits.closeGraceMs);
  void app.register(websocket, {
    options: { maxPayload: api.limits.consoleBytes },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done: () => void) => endWebSockets(app, done),
  });
  // Only what it adds to replies is used: which files there are is in the table of routes.
  if (deps.page !== undefined)
    void app.register(staticFiles, { root: deps.page.root, serve: false, preCompressed: true });
  const access = api.access ?? OPEN;
  const address = clientAddress(access.proxies ?? []);
  const arrival = {
    clientAddress: address,
    traffic: new Traffic(app.server, api.limits, (remote) => address(remote, undefined) !== null),
    admission: createAdmission(access, api.limits),
  };
  addRequestHooks(app, api, routes, arrival);
  readQuickly(app.server, quickReads(api, routes, rewrite, arrival));
  if (api.asExisting) app.server.prependListener('request', endConnection);
  // In a scope of their own, which is set up after the WebSocket plugin that has to see each of them.
  void app.register((scope, _options, done) => {
    registerRoutes(scope, api, routes);
    done();
  });
  return app;
};

/** Such reads do not get as far as the framework, which is the server's only listener. */
const readQuickly = (server: Server, quick: QuickRead): void => {
  const [usual] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!quick(request, response)) usual?.(request, response);
  });
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
  // A hook refuses, in the shape of every other error; so with the missing Host below.
  return503OnClosing: false,
  // As long as a path can be, so that a wrong identifier or a long name is a matter of its route.
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
