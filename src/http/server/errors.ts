import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Refusal } from '../../actors/commands.ts';
import { invalid, TopologError } from '../../common/errors.ts';
import { UUID } from '../../model/types.ts';
import { isLost } from '../access/framing.ts';
import type { Api } from '../api.ts';
import type { HttpLimits } from '../limits.ts';
import { NO_ROUTE } from '../routing/route.ts';
import { omit } from '../v2/schema.ts';
import { callerOf } from './caller.ts';
import { keptBody } from './request-body.ts';
import { NO_SNIFF } from './security-headers.ts';
import { isUploading } from './upload.ts';

export const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);
/** Paths and reasons are kept with the refusal, so long ones are cut. */
const KEPT_LENGTH = 300;
/** Refusals of strangers that are recorded in `STRANGERS_MS`: they must not be able to fill the disk. */
const STRANGERS = 30;
const STRANGERS_MS = 60_000;

/** Answers anything thrown: expected failures as they are, everything else as a 500 that tells only where to look. */
export const createErrorReply = (api: Api) => {
  const strangers = budget(STRANGERS, STRANGERS_MS);
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const route = request.routeOptions.config.template ?? NO_ROUTE;
    const error = asAnswered(api, thrown, request.id, route);
    const isKept = WRITES.has(request.method) && error.status !== 500;
    if (isKept && (request.principal !== null || strangers())) {
      const { project_id } = (request.params ?? {}) as { project_id?: string };
      // A stranger has done nothing in any project.
      const project = request.principal === null ? undefined : project_id;
      const { method } = request;
      const path = pathOf(request.originalUrl);
      keepRefusal(api, callerOf(request), error, { method, route, path, project, body: keptBody(request) });
    }
    addHeaders(error, request, reply);
    reply
      .code(error.status)
      .header('X-Route', error.details.route ?? route)
      .header('X-Request-Id', request.id)
      .header(...NO_SNIFF)
      .header('Content-Type', 'application/json')
      .send(Buffer.from(errorText(error)));
  };
};

/** Challenge of RFC 7617, 2 and 2.1. */
const BASIC = 'Basic realm="topolog", charset="UTF-8"';
/** RFC 9110, 11.6.1, wants a challenge: this one makes no browser open a window of its own in front of the page's. */
const BY_PAGE = 'Topolog-Login realm="topolog"';

const addHeaders = ({ code, details }: TopologError, { headers }: FastifyRequest, reply: FastifyReply): void => {
  if (code === 'method_not_allowed') reply.header('Allow', String(details.allowed));
  if (code === 'unauthorized') reply.header('WWW-Authenticate', isOwnPage(headers) ? BY_PAGE : BASIC);
  if (typeof details.retry_after === 'number') reply.header('Retry-After', details.retry_after);
};

/** Whether a page of this server asks, as browsers say; a typed address is `navigate`. */
const isOwnPage = (headers: FastifyRequest['headers']): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-mode'] !== 'navigate';

/** True up to `most` times in `everyMs`. */
const budget = (most: number, everyMs: number): (() => boolean) => {
  let [left, until] = [most, 0];
  return () => {
    const now = Date.now();
    if (now >= until) [left, until] = [most, now + everyMs];
    left -= 1;
    return left >= 0;
  };
};

/** `{message, status, code}` and the details that are not in the sentence already. */
export const errorText = ({ message, status, code, details }: TopologError): string => {
  const own = { message, status, code };
  return JSON.stringify({ ...own, ...omit(details, ['reason', 'route']), ...own });
};

const expected = (thrown: unknown, bodyLimit = 0): TopologError | undefined => {
  if (thrown instanceof TopologError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new TopologError('body_too_large', { limit: bodyLimit });
    case 'FST_ERR_BAD_URL':
      return invalid('the path is not validly percent-encoded');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return invalid('an identifier of the path is too long');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('the body has another length than its Content-Length says');
    // The client went away, or the time for sending was over, in the middle of the body.
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return invalid('the body broke off');
    default:
      return undefined;
  }
};

/** Error that a caller gets for anything thrown. */
export const asAnswered = (api: Api, thrown: unknown, requestId: string, route: string): TopologError =>
  expected(thrown, api.bodyLimit) ?? defect(api, thrown, requestId, route);

const defect = (api: Api, thrown: unknown, requestId: string, route: string): TopologError => {
  api.logger.error({ request_id: requestId, err: thrown }, `request ${requestId} (${route})`);
  return new TopologError('internal', { request_id: requestId });
};

interface Refused extends Pick<Refusal, 'method' | 'route' | 'path' | 'body'> {
  /** Identifier in the path, unchecked. */
  project: string | undefined;
}

/** Records the refusal of a write. */
export const keepRefusal = (
  api: Pick<Api, 'records' | 'commands'>,
  caller: Caller,
  { status, message }: TopologError,
  { project, path, ...refused }: Refused,
): void => {
  const known = project !== undefined && UUID.test(project) && api.records.get('project', project) !== undefined;
  api.commands.refused(caller, {
    ...refused,
    project_id: known ? project : null,
    path: path.slice(0, KEPT_LENGTH),
    status,
    reason: message.slice(0, KEPT_LENGTH),
  });
};

/** Path of a URL without its query, which may hold anything. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

const REASONS: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers what never became a request: bytes that are not HTTP, headers too large, a sender too slow. */
export const answerClientError = (
  cause: Error & { code?: string },
  socket: Socket,
  { limits, counts }: Pick<Api, 'limits' | 'counts'>,
): void => {
  // A large body takes its time; it is given up when no more of it comes.
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket)) return;
  // The last answer of this connection is on its way.
  if (isLost(socket)) return;
  if (cause.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = asError(cause.code, limits);
  const body = errorText(error);
  counts.of(NO_ROUTE, 'other').answered(error.status, 0);
  const head = [
    `HTTP/1.1 ${error.status} ${REASONS[error.status] ?? ''}`,
    `X-Route: ${NO_ROUTE}`,
    `X-Request-Id: ${randomUUID()}`,
    NO_SNIFF.join(': '),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};

const asError = (code: string | undefined, limits: HttpLimits): TopologError => {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new TopologError('deadline', { what: 'Sending the request', seconds: limits.requestMs / 1000 });
    case 'HPE_HEADER_OVERFLOW':
      return new TopologError('headers_too_large', { limit: limits.headerBytes });
    default:
      return invalid('it is not HTTP/1.1');
  }
};
