import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../actors/commands.ts';
import { invalid, TopologError } from '../../common/errors.ts';
import type { Api } from '../api.ts';
import { callerOf } from '../server/caller.ts';
import { parseParams } from '../server/parameters.ts';
import { isObject } from '../server/request-body.ts';
import { readUpload } from '../server/upload.ts';
import { validate } from '../server/validate.ts';
import { readController } from './controller.ts';
import type { Call, Controller, ParamTypes, Route } from './route.ts';

type Reader = (request: FastifyRequest, reply: FastifyReply) => Call;

/** Reads and checks the arguments of a handler: path first, then `localOnly`, then query and body. */
export const reader = (api: Api, route: Route): Reader => {
  // Most requests have no query.
  const none = route.query?.safeParse({});
  const queryOf = (query: Record<string, unknown>): unknown => {
    if (route.query === undefined) return {};
    return none?.success === true && isEmpty(query) ? Object.freeze(none.data) : validate(route.query, { ...query });
  };
  return (request, reply) => {
    const params = parseParams(route.params, request.params as Record<string, string>);
    if (route.localOnly && !api.local) throw new TopologError('not_local');
    const query = request.query as Record<string, unknown>;
    const checked = {
      params,
      query: queryOf(query),
      body: route.body ? validate(route.body, bodyOf(route, request.body, query)) : {},
      controller: route.group === 'compute' ? readController(request.headers['x-topolog-controller']) : null,
    };
    return new CheckedCall(checked, request, reply, api);
  };
};

const isEmpty = (object: object): boolean => {
  for (const _ in object) return false;
  return true;
};

/** A class, because a getter in an object literal would leave a hidden class behind with every request. */
class CheckedCall implements Call {
  readonly params: ParamTypes;
  readonly query: unknown;
  readonly body: unknown;
  readonly controller: Controller | null;
  #caller: Caller | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #api: Api;

  constructor(
    checked: Pick<Call, 'params' | 'query' | 'body' | 'controller'>,
    request: FastifyRequest,
    reply: FastifyReply,
    api: Api,
  ) {
    this.params = checked.params;
    this.query = checked.query;
    this.body = checked.body;
    this.controller = checked.controller;
    this.#request = request;
    this.#reply = reply;
    this.#api = api;
  }

  // The rest is made on demand, as few handlers use it.

  get caller(): Caller {
    return (this.#caller ??= callerOf(this.#request));
  }

  get accept(): string {
    return this.#request.headers.accept ?? '';
  }

  get lastEventId(): string | null {
    return lastEventId(this.#request.headers['last-event-id']);
  }

  get signal(): AbortSignal {
    return goneSignal(this.#reply, this.#api.closing);
  }

  get upload(): Readable {
    return readUpload(this.#request, this.#api.limits);
  }

  get uploadLength(): number | null {
    const length = this.#request.raw.headers['content-length'];
    return length === undefined ? null : Number(length);
  }
}

const lastEventId = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' ? header : null;

const bodyOf = (route: Route, body: unknown, query: Record<string, unknown>): unknown => {
  const given = body === undefined ? {} : body;
  if (!isObject(given)) throw invalid('the body must be a JSON object');
  return route.queryIntoBody ? { ...query, ...given } : given;
};

/** Aborted once nobody will read the answer, or the server closes. */
const goneSignal = (reply: FastifyReply, closing: AbortSignal): AbortSignal => {
  const gone = new AbortController();
  const abort = () => gone.abort();
  if (closing.aborted || reply.raw.destroyed || reply.raw.socket?.destroyed) abort();
  closing.addEventListener('abort', abort, { once: true });
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', abort);
    abort();
  });
  return gone.signal;
};
