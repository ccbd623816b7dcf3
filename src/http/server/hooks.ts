import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, TopologError } from '../../common/errors.ts';
import type { CellSide } from '../cell/cell.ts';
import { forward } from '../cell/forward.ts';
import { FORWARDED, signedAsker } from '../cell/signature.ts';
import type { Admission } from '../access/admission.ts';
import type { ClientAddress } from '../access/client-address.ts';
import type { Traffic } from '../access/traffic.ts';
import type { Api } from '../api.ts';
import { answerNotes } from '../metrics/answered.ts';
import { pathOf } from './errors.ts';
import { isSocket, type Route } from '../routing/route.ts';
import { keepMediaType } from './upload.ts';
import { NO_ROUTE, pathMatcher, type PathMatch } from './x-route.ts';

/** Of the last event that an answer knows. */
const POSITION = 'X-Topolog-Position';

/** What every request meets first. */
export interface Arrival {
  traffic: Traffic;
  clientAddress: ClientAddress;
  admission: Admission;
}

type Gate = Arrival & Pick<Api, 'closing' | 'cell'>;
type Config = FastifyRequest['routeOptions']['config'];

/** What happens to every request before anything of its body is read. */
export const addRequestHooks = (app: FastifyInstance, api: Api, routes: readonly Route[], arrival: Arrival): void => {
  app.decorateRequest('principal', null);
  app.decorateRequest('address', null);
  const note = answerNotes(api);
  const { closing, cell } = api;
  const gate: Gate = { ...arrival, closing, ...(cell === undefined ? {} : { cell }) };
  const match = pathMatcher(routes);
  const sockets = new Set(routes.filter(isSocket).map((route) => route.path));
  /** Whether the request goes on; what it throws is answered. */
  const begin = (request: FastifyRequest, reply: FastifyReply, config: Config): boolean | Promise<boolean> => {
    const { template, upload, ofWriter } = config;
    if (request.is404 || template === undefined) throw wrongRoute(request, match(pathOf(request.url)));
    if (cell?.epoch === null && ofWriter?.(request.params) === true)
      return forward(request, reply, cell).then(() => false);
    if (upload === true) keepMediaType(request);
    const { headers } = request;
    // Bodies are JSON whatever it says; without it the framework does not judge it either.
    if (headers['content-type'] !== undefined) delete headers['content-type'];
    if (!request.ws || (isWebSocket(request) && sockets.has(template))) return true;
    return withoutUpgrade(request, reply, config).then(() => false);
  };
  const answered = (reply: FastifyReply): boolean => {
    reply.send();
    return false;
  };
  const arrive = (request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> => {
    // The framework makes the options at each read.
    const { config } = request.routeOptions;
    reply.header('X-Route', config.template ?? NO_ROUTE).header('X-Request-Id', request.id);
    note(request, reply);
    // Nothing reads requests from this connection now, so whatever is answered in place of the upgrade ends it.
    if (request.ws) reply.header('Connection', 'close');
    const admitted = admit(request, reply, gate, config);
    if (typeof admitted !== 'boolean')
      return admitted.then((isAnswered) => (isAnswered ? answered(reply) : begin(request, reply, config)));
    return admitted ? answered(reply) : begin(request, reply, config);
  };
  if (cell !== undefined)
    app.addHook('onSend', (_request, reply, payload, done) => {
      // What was forwarded has that of the writer.
      if (!reply.hasHeader(POSITION)) reply.header(POSITION, cell.position());
      done(null, payload);
    });
  // Most requests wait for nothing here: a promise for each of them would cost more than what it does.
  app.addHook('onRequest', (request, reply, done) => {
    const goesOn = arrive(request, reply);
    if (typeof goesOn === 'boolean') {
      if (goesOn) done();
    } else goesOn.then((later) => (later ? done() : undefined), done);
  });
};

/** Whether a request is let in at all, whatever it asks. True: it has been answered already. */
const admit = (
  request: FastifyRequest,
  reply: FastifyReply,
  { closing, cell, traffic, admission, clientAddress }: Gate,
  { isPublic }: Config,
): boolean | Promise<boolean> => {
  if (closing.aborted) throw new TopologError('shutting_down');
  const { headers, socket } = request;
  request.address = clientAddress(socket.remoteAddress, told(headers['x-forwarded-for']));
  traffic.enter(request, reply);
  if (cell !== undefined && isForwarded(request, cell)) return false;
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
    throw invalid('the header Host is missing');
  return admission.admit(request, reply, isPublic === true);
};

/** Node joins repeated ones. */
const told = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(',');

/** Another server of the cell has let it in. */
const isForwarded = (request: FastifyRequest, { key, epoch }: CellSide): boolean => {
  const header = request.headers[FORWARDED];
  if (typeof header !== 'string') return false;
  const { method, originalUrl: path } = request;
  // It brings no password: who stands by now can only say that it does.
  const asker = epoch === null ? null : signedAsker({ key, epoch, method, path }, header);
  if (asker === null) throw new TopologError('no_writer', { reason: 'another server writes by now', retry_after: 1 });
  request.principal = asker.principal;
  request.address = asker.address;
  return true;
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
const withoutUpgrade = async (request: FastifyRequest, reply: FastifyReply, { serve }: Config): Promise<void> => {
  if (isWebSocket(request)) throw invalid('there is no WebSocket at this path');
  if (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0)
    throw invalid('a request with a body must not ask for an upgrade');
  if (!serve) throw invalid('this path offers no upgrade');
  await serve(request, reply);
};
