import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TopologError } from '../../common/errors.ts';
import { isLoopback } from '../../common/loopback.ts';
import { hostCheck } from './host-check.ts';
import { bearerCheck, type LoginLimits, Logins } from './logins.ts';
import { checkOrigin } from './origins.ts';
import type { Tickets } from './tickets.ts';
import { namedUser, type Users } from './users.ts';

/** Who may use the server, and by which pages and names. */
export interface Access {
  /** Names of this server that Host may have, beside its addresses and the names of this machine. */
  hosts: readonly string[];
  /** Origins of pages from elsewhere that may use it, e.g. `https://lab.example.org`. */
  origins: readonly string[];
  /** Null: nobody is asked. */
  users: Users | null;
  /** Of those who have logged in with a browser. Null: there are none. */
  tickets?: Tickets | null;
  /** Bearer token of the server's own tools. Null: they have none. */
  token: string | null;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  proxies?: readonly string[];
}

export const OPEN: Access = { hosts: [], origins: [], users: null, token: null };

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null until it is known. */
    principal: string | null;
    /** Where it comes from, as a proxy or another server of the cell tells it; null: from the other end of its connection. */
    address: string | null;
  }
}

export interface Admission {
  /**
   * Finds out who asks. True: the request has got its answer, which it can have without being somebody. `isPublic`: what is asked for
   * is for everybody.
   */
  admit(request: FastifyRequest, reply: FastifyReply, isPublic: boolean): boolean | Promise<boolean>;
  /** Whether a request that says nothing about who asks is let in. */
  isOpen(request: IncomingMessage): boolean;
}

/** Throws `forbidden`, `unauthorized`, `too_many_requests`, or `invalid_request` for a name that nobody can have. */
export const createAdmission = ({ hosts, origins, users, tickets, token }: Access, limits: LoginLimits): Admission => {
  const isOwnHost = hostCheck(hosts);
  const isOwnTool = bearerCheck(token);
  const allowed = new Set(origins);
  const logins = users === null ? null : new Logins(users, limits);
  const isOpen: Admission['isOpen'] = ({ headers: { host }, socket }) =>
    host !== undefined && isOwnHost(host, socket.localAddress) && (logins === null || !logins.areAsked());
  const admit: Admission['admit'] = (request, reply, isPublic) => {
    const { headers, socket } = request;
    // No page has it, so that there is nothing else to find out.
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
      const named = isLoopback(socket.remoteAddress ?? '') ? namedUser(headers[NAMES_USER]) : null;
      request.principal = named ?? ANONYMOUS;
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
  return { admit, isOpen };
};

const ANONYMOUS = 'anonymous';
/** As a proxy that has checked it, or the command line, says. */
const NAMES_USER = 'x-topolog-user';
