import type { FastifyReply, FastifyRequest } from 'fastify';
import { TopologError } from '../../common/errors.ts';

/** Methods and headers that pages of allowed origins may use, and what they may read. */
const METHODS = 'GET, HEAD, POST, PUT, DELETE';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id';
const EXPOSED = 'Allow, ETag, Location, Retry-After, X-Request-Id, X-Route';
/** Seconds that a browser need not ask again. */
const MAX_AGE = '600';

/**
 * Holds the page that a browser asks for against the list. Throws `forbidden` for one from elsewhere; a program that is no browser
 * sends neither header. True: the answer was a preflight's (https://fetch.spec.whatwg.org/#http-cors-protocol) and is complete.
 */
export const checkOrigin = (request: FastifyRequest, reply: FastifyReply, allowed: ReadonlySet<string>): boolean => {
  const { origin } = request.headers;
  if (origin === undefined) {
    checkSite(request, allowed);
    return false;
  }
  const isAllowed = allowed.has(origin);
  if (!isAllowed && !isSame(origin, request.headers.host ?? ''))
    throw new TopologError('forbidden', {
      reason: `Pages of ${shown(origin)} may not use this server`,
      header: 'Origin',
    });
  if (!isAllowed) return false;
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Allow-Credentials', 'true');
  reply.header('Vary', 'Origin').header('Access-Control-Expose-Headers', EXPOSED);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply.header('Access-Control-Allow-Methods', METHODS).header('Access-Control-Allow-Headers', HEADERS);
  if (request.headers['access-control-request-private-network'] === 'true')
    reply.header('Access-Control-Allow-Private-Network', 'true');
  reply.header('Access-Control-Max-Age', MAX_AGE).code(204).header('Content-Length', '0');
  return true;
};

/** The scheme is left out: a proxy may have taken the encryption off. */
const isSame = (origin: string, host: string): boolean => {
  const [, scheme = '', rest = ''] = /^(https?):\/\/([^/?#@\s]+)$/i.exec(origin) ?? [];
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  const withPort = (text: string): string => (/:\d+$/.test(text) ? text : `${text}${port}`).toLowerCase();
  return rest !== '' && host !== '' && withPort(rest) === withPort(host);
};

/**
 * What a page embeds (pictures, scripts) has no Origin; browsers say where it comes from by https://www.w3.org/TR/fetch-metadata/, and
 * by Referer, which a page can leave out but not choose. A link that somebody follows only shows them an answer.
 */
const checkSite = ({ headers }: FastifyRequest, allowed: ReadonlySet<string>): void => {
  const site = headers['sec-fetch-site'];
  if ((site !== 'cross-site' && site !== 'same-site') || headers['sec-fetch-mode'] === 'navigate') return;
  if (URL.canParse(headers.referer ?? '') && allowed.has(new URL(headers.referer ?? '').origin)) return;
  throw new TopologError('forbidden', {
    reason: 'Pages of other sites may not use this server',
    header: 'Sec-Fetch-Site',
  });
};

const shown = (origin: string): string => (origin === 'null' ? 'no origin' : origin.slice(0, 100));
