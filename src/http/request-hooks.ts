import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, TopologError } from '../errors.ts';
import { type Admission, createAdmission, OPEN } from './access/admission.ts';
import { Traffic } from './access/traffic.ts';
import type { Api } from './api.ts';
import { pathOf } from './error-reply.ts';
import { isSocket, type Route } from './route.ts';
import { keepMediaType } from './upload.ts';
import { NO_ROUTE, pathMatcher, type PathMatch } from './x-route.ts';

interface Arrival {
  traffic: Traffic;
  admission: Admission;
}

/** What happens to every request before anything of its body is read. */
export const addRequestHooks = (app: FastifyInstance, api: Api, routes: readonly Route[]): void => {
  app.decorateRequest('principal', null);
  const arrival = {
    traffic: new Traffic(app.server, api.limits),
    admission: createAdmission(api.access ?? OPEN, api.limits),
  };
  const match = pathMatcher(routes);
  const sockets = new Set(routes.filter(isSocket).map((route) => route.path));
  app.addHook('onRequest', async (request, reply) => {
    const { template } = request.routeOptions.config;
    reply.header('X-Route', template ?? NO_ROUTE).header('X-Request-Id', request.id);
    // Nothing reads requests from such a connection any more, so whatever is answered in place of the upgrade ends it.
    if (request.ws) reply.header('Connection', 'close');
    if (await admit(request, reply, api, arrival)) return reply.send();
    if (request.is404 || template === undefined) throw wrongRoute(request, match(pathOf(request.url)));
    if (request.routeOptions.config.upload === true) keepMediaType(request);
    // Bodies are JSON whatever it says; without it the framework does not judge it either.
    delete request.headers['content-type'];
    if (request.ws && !(isWebSocket(request) && sockets.has(template))) return withoutUpgrade(request, reply);
    return undefined;
  });
};

/** Whether a request is let in at all, whatever it asks. True: it has been answered already. */
const admit = (
  request: FastifyRequest,
  reply: FastifyReply,
  { closing }: Api,
  { traffic, admission }: Arrival,
): boolean | Promise<boolean> => {
  if (closing.aborted) throw new TopologError('shutting_down');
  traffic.enter(request, reply);
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
    throw invalid('the header Host is missing');
  return admission(request, reply);
};

const wrongRoute = ({ method, originalUrl }: FastifyRequest, found: PathMatch | undefined): TopologError => {
  const path = pathOf(originalUrl).slice(0, 300);
  return found
    ? new TopologError('method_not_allowed', { method, path, allowed: found.methods.join(', '), route: found.template })
    : new TopologError('no_route', { method, path });
};

const isWebSocket = ({ headers }: FastifyRequest): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Some clients offer to upgrade every connection (to h2c): they get their answer as if they had not. Node reads no body
 * then, so a request that has one is refused.
 */
const withoutUpgrade = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  if (isWebSocket(request)) throw invalid('there is no WebSocket at this path');
  if (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0)
    throw invalid('a request with a body must not ask for an upgrade');
  const { serve } = request.routeOptions.config;
  if (!serve) throw invalid('this path offers no upgrade');
  return serve(request, reply);
};
