import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, TopologError } from '../../common/errors.ts';
import { forward } from '../forward.ts';
import { FORWARDED, untrusted } from '../../cluster/signature.ts';
import type { Admission } from '../access/admission.ts';
import type { ClientAddress } from '../access/client-address.ts';
import { asksUpgrade, checkMessage, framingOf, hasBody, isLost } from '../access/framing.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { Api } from '../api.ts';
import { answerNotes } from '../metrics/request-log.ts';
import { pathOf } from './errors.ts';
import { isSocket, type Route, answersHead, NO_ROUTE } from '../routing/route.ts';
import { NO_SNIFF } from './security-headers.ts';
import { keepMediaType } from './upload.ts';
import { byPreference, pathPattern } from '../routing/path-template.ts';

/** Header with the position of the last event that an answer knows. */
const POSITION = 'X-Topolog-Position';

/** Checks that every request passes first. */
export interface Arrival {
  traffic: RateLimiter;
  clientAddress: ClientAddress;
  admit: Admission;
}

type Gate = Arrival & Pick<Api, 'closing' | 'cell' | 'local'>;
type Config = FastifyRequest['routeOptions']['config'];

/** Hooks that run before anything of a request's body is read. */
export const addRequestHooks = (app: FastifyInstance, api: Api, routes: readonly Route[], arrival: Arrival): void => {
  app.decorateRequest('principal', null);
  app.decorateRequest('address', null);
  app.decorateRequest('leave', null);
  const note = answerNotes(api);
  const { closing, cell, local } = api;
  const gate: Gate = { ...arrival, closing, local, ...(cell === undefined ? {} : { cell }) };
  const match = pathMatcher(routes);
  const sockets = new Set(routes.filter(isSocket).map((route) => route.path));
  /** False: the request has been answered. Errors that it throws are answered. */
  const begin = (request: FastifyRequest, reply: FastifyReply, config: Config): boolean | Promise<boolean> => {
    const { template, upload, ofWriter } = config;
    if (request.is404 || template === undefined) throw wrongRoute(request, match(pathOf(request.url)));
    const isUpgraded = asksUpgrade(request.raw) && !(isWebSocket(request) && sockets.has(template));
    if (isUpgraded) checkUpgrade(request);
    if (cell?.epoch === null && ofWriter?.(request.params) === true)
      return forward(request, reply, { ...api, cell }).then(() => false);
    if (upload === true) keepMediaType(request);
    const { headers } = request;
    // Bodies are JSON whatever their type; without the header the framework does not check it either.
    if (headers['content-type'] !== undefined) delete headers['content-type'];
    return isUpgraded ? withoutUpgrade(request, reply, config).then(() => false) : true;
  };
  const answered = (reply: FastifyReply): boolean => {
    reply.send();
    return false;
  };
  const arrive = (request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> => {
    if (isLost(request.raw.socket)) {
      reply.hijack();
      return false;
    }
    // Read once: the framework makes the options at each read.
    const { config } = request.routeOptions;
    reply
      .header('x-route', config.template ?? NO_ROUTE)
      .header('x-request-id', request.id)
      .header(...NO_SNIFF);
    note(request, reply);
    endUpgraded(request, reply);
    const admitted = enter(request, reply, gate, config);
    if (typeof admitted !== 'boolean')
      return admitted.then((isAnswered) => (isAnswered ? answered(reply) : begin(request, reply, config)));
    return admitted ? answered(reply) : begin(request, reply, config);
  };
  if (cell !== undefined)
    app.addHook('onSend', (_request, reply, payload, done) => {
      // A forwarded answer has the position of the writer.
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

/** Ends the connection of a request for an upgrade with whatever is answered in its place: nothing reads requests from it now. */
export const endUpgraded = ({ raw }: FastifyRequest, reply: FastifyReply): void => {
  if (!asksUpgrade(raw)) return;
  reply.header('Connection', 'close').raw.once('finish', () => raw.socket.destroySoon());
};

/** Whether a request is let in at all, whatever it asks. True: it has been answered already. */
const enter = (
  request: FastifyRequest,
  reply: FastifyReply,
  { closing, cell, local, traffic, admit, clientAddress }: Gate,
  { isPublic }: Config,
): boolean | Promise<boolean> => {
  checkMessage(request.raw, reply);
  if (closing.aborted) throw new TopologError('shutting_down');
  const { headers, socket } = request;
  request.address = clientAddress(socket.remoteAddress, told(headers['x-forwarded-for']));
  traffic.enter(request, reply);
  if (isForwarded(request, { cell, local })) return false;
  return admit(request, reply, isPublic === true);
};

/** Joins repeated headers, as Node does for others. */
const told = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(',');

/** Whether another server of the cell has forwarded the request; takes over its caller then. Throws `forbidden` for a false claim. */
const isForwarded = (
  request: FastifyRequest,
  { cell, local }: Pick<Gate, 'local'> & { cell: Gate['cell'] | undefined },
): boolean => {
  const header = request.headers[FORWARDED];
  if (header === undefined) return false;
  if (cell === undefined) throw untrusted('this server is of no cell');
  const { method, originalUrl: path, headers } = request;
  // A forwarded request brings no password, so the signature is all that proves it.
  const caller = cell.verifier.verify({ method, path, framing: framingOf(headers) }, String(header));
  if (local && !caller.local) throw untrusted(LESS_LOCAL);
  request.principal = caller.principal;
  request.address = caller.address;
  return true;
};

/** Clients of a server with --no-local must not use the machine of one with --local. */
const LESS_LOCAL =
  'it is of a server with --no-local, and the one that writes has --local; start the servers of a cell with the same';

const wrongRoute = ({ method, originalUrl }: FastifyRequest, found: PathMatch | undefined): TopologError => {
  const path = pathOf(originalUrl).slice(0, 300);
  return found
    ? new TopologError('method_not_allowed', { method, path, allowed: found.methods.join(', '), route: found.template })
    : new TopologError('no_route', { method, path });
};

const isWebSocket = ({ headers }: FastifyRequest): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** Node reads no body of a request that asks for an upgrade, so one that has one is refused. */
const checkUpgrade = (request: FastifyRequest): void => {
  if (isWebSocket(request)) throw invalid('there is no WebSocket at this path');
  if (hasBody(request.headers)) throw invalid('a request with a body must not ask for an upgrade');
};

/** Some clients offer to upgrade every connection (to h2c): they get their answer as if they had not. */
const withoutUpgrade = async (request: FastifyRequest, reply: FastifyReply, { serve }: Config): Promise<void> => {
  if (!serve) throw invalid('this path offers no upgrade');
  await serve(request, reply);
};

const methodsOf = (route: Route): string[] =>
  route.method === 'GET' && answersHead(route) ? ['GET', 'HEAD'] : [route.method];

interface PathMatch {
  template: string;
  /** Sorted, for the Allow header. */
  methods: string[];
}

/** Finds the template of a path whatever the method, so that a wrong method is told from a wrong path. */
const pathMatcher = (routes: readonly Route[]): ((path: string) => PathMatch | undefined) => {
  const methods = new Map<string, Set<string>>();
  for (const route of routes) {
    const known = methods.get(route.path) ?? new Set<string>();
    for (const method of methodsOf(route)) known.add(method);
    methods.set(route.path, known);
  }
  const patterns = [...methods]
    .sort(([a], [b]) => byPreference(a, b))
    .map(([template, known]) => ({
      pattern: pathPattern(template),
      match: { template, methods: [...known].sort() },
    }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.match;
};
