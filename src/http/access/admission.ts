import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TopologError } from '../../common/errors.ts';
import { isLoopback, plainAddress } from '../../common/loopback.ts';
import { bearerCheck, type LoginLimits, Logins } from './logins.ts';
import type { Tickets } from './tickets.ts';
import { namedUser, type Users } from './users.ts';

/** Users, pages and host names that the server lets in. */
export interface Access {
  /** Names of this server that Host may have, beside its addresses and the names of this machine. */
  hosts: readonly string[];
  /** Origins of pages from elsewhere that may use it, e.g. `https://lab.example.org`. */
  origins: readonly string[];
  /** Null: nobody is asked for a password. */
  users: Users | null;
  /** Cookies of browsers that have logged in. */
  tickets?: Tickets | null;
  /** Bearer token of the server's own tools. Null: they have none. */
  token: string | null;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  proxies?: readonly string[];
}

export const OPEN: Access = { hosts: [], origins: [], users: null, token: null };

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the user who asks; null until it is known. */
    principal: string | null;
    /** Where it comes from, as a proxy or another server of the cell tells it; null: from the other end of its connection. */
    address: string | null;
  }
}

/**
 * Finds out who asks. True: the request has got its answer, which it can have without being somebody. `isPublic`: what is asked for
 * is for everybody.
 */
export type Admission = (request: FastifyRequest, reply: FastifyReply, isPublic: boolean) => boolean | Promise<boolean>;

/** Throws `forbidden`, `unauthorized`, `too_many_requests`, or `invalid_request` for a name that nobody can have. */
export const createAdmission = ({ hosts, origins, users, tickets, token }: Access, limits: LoginLimits): Admission => {
  const isOwnHost = hostCheck(hosts);
  const isOwnTool = bearerCheck(token);
  const allowed = new Set(origins);
  const logins = users === null ? null : new Logins(users, limits);
  return (request, reply, isPublic) => {
    const { headers, socket } = request;
    // No page has this token, so its origin need not be checked.
    if (isOwnTool(headers.authorization)) {
      request.principal = namedUser(headers[NAMES_USER]) ?? ANONYMOUS;
      return false;
    }
    if (headers.host !== undefined && !isOwnHost(headers.host, socket.localAddress))
      throw new TopologError('forbidden', {
        reason: `${headers.host.slice(0, 100)} is not a name of this server; --allow-host makes it one`,
        header: 'Host',
      });
    if (checkOrigin(request, reply, allowed)) return true;
    if (logins === null || !logins.areAsked()) {
      const named = headers[NAMES_USER];
      const user = named !== undefined && isLoopback(socket.remoteAddress ?? '') ? namedUser(named) : null;
      request.principal = user ?? ANONYMOUS;
      return false;
    }
    const ticket = headers.authorization === undefined ? (tickets?.userOf(headers.cookie) ?? null) : null;
    if (ticket !== null || isPublic) {
      request.principal = ticket ?? ANONYMOUS;
      return false;
    }
    const { address } = request;
    const user = logins.check(headers.authorization, address ?? socket.remoteAddress, address !== null);
    if (typeof user === 'string') {
      request.principal = user;
      return false;
    }
    return user.then((name) => {
      request.principal = name;
      return false;
    });
  };
};

const ANONYMOUS = 'anonymous';
/** Header by which a proxy that has checked the user, or the command line, names them. */
const NAMES_USER = 'x-topolog-user';

/** Methods and headers that pages of allowed origins may use, and what they may read. */
const METHODS = 'GET, HEAD, POST, PUT, DELETE';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id';
const EXPOSED = 'Allow, ETag, Location, Retry-After, X-Request-Id, X-Route';
/** Seconds that a browser need not ask again. */
const MAX_AGE = '600';

/**
 * Checks the origin of the page that asks against the list. Throws `forbidden` for one from elsewhere; a program that is no browser
 * sends neither header. True: the answer was a preflight's (https://fetch.spec.whatwg.org/#http-cors-protocol) and is complete.
 */
const checkOrigin = (request: FastifyRequest, reply: FastifyReply, allowed: ReadonlySet<string>): boolean => {
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
 * Checks a request without Origin. Pictures and scripts that a page embeds have none; browsers say where they come from by
 * https://www.w3.org/TR/fetch-metadata/, and by Referer, which a page can leave out but not choose. A link that somebody follows only shows them an answer.
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

/**
 * Whether a request's Host is this server. A page elsewhere can have its own name resolve to this machine (DNS rebinding) and
 * is then of the same origin for a browser, but it cannot have the names that only this machine has.
 */
type HostCheck = (host: string, localAddress: string | undefined) => boolean;

/** Results kept, as clients send the same Host with every request. */
const MOST_KEPT = 200;

/** `names`: of the server beside its addresses and the names of this machine. */
export const hostCheck = (names: readonly string[]): HostCheck => {
  const own = new Set([...names, hostname()].map((name) => plainAddress(nameOf(name))));
  const kept = new Map<string, { localAddress: string; isOwn: boolean }>();
  return (host, localAddress = '') => {
    const known = kept.get(host);
    if (known?.localAddress === localAddress) return known.isOwn;
    const name = plainAddress(nameOf(host));
    const isOwn =
      name !== '' && (isLoopback(name) || own.has(name) || (isIP(name) > 0 && name === plainAddress(localAddress)));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(host, { localAddress, isOwn });
    return isOwn;
  };
};

/** Name in `name:port` (RFC 9110, 7.2); empty for anything else, which is no name of ours. */
const nameOf = (host: string): string => {
  const [, name = ''] = /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+)(?::\d*)?$/i.exec(host) ?? (isIP(host) === 6 ? ['', host] : []);
  return name.toLowerCase().replace(/\.$/, '');
};
