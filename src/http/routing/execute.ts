import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { checkFence } from '../../actors/claim/fence.ts';
import type { Caller, KeyedAnswer, KeyedRequest } from '../../actors/commands.ts';
import { invalid } from '../../common/errors.ts';
import { CLAIM } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import type { Call, Controller, ParamTypes, Payload, PlainRoute, Route } from './route.ts';

/** Runs a route's handler; a refusal of a write waits until what it was decided on is on disk. */
export const runHandler = (
  { commands }: Pick<Api, 'commands'>,
  route: PlainRoute,
  call: Call<ParamTypes, never, never>,
): Promise<Payload> | Payload =>
  route.method === 'GET' ? route.handler(call) : commands.attempt(call.caller, () => route.handler(call));

const SANE_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The header Idempotency-Key of a POST (IETF draft-ietf-httpapi-idempotency-key-header): a client that has not heard whether it was
 * done sends the same again and gets the first answer. Null: the request has none, and is carried out whenever it comes.
 */
export const keyedRequest = (route: PlainRoute, request: FastifyRequest): KeyedRequest | null => {
  const key = request.headers['idempotency-key'];
  if (key === undefined || route.method !== 'POST') return null;
  if (typeof key !== 'string' || !SANE_KEY.test(key))
    throw invalid('the header Idempotency-Key must have 1 to 255 visible characters', { field: 'Idempotency-Key' });
  if (!isKeyable(route)) throw invalid('this request takes no Idempotency-Key', { field: 'Idempotency-Key' });
  const body_sha256 = createHash('sha256')
    .update(JSON.stringify(request.body ?? {}))
    .digest('hex');
  return { key, method: request.method, path: request.originalUrl, body_sha256 };
};

/** Whether the answer to a POST can be kept. An upload cannot: it would have to be read before it is known to be a repetition. */
export const isKeyable = ({ method, success, upload }: Pick<Route, 'method' | 'success' | 'upload'>): boolean =>
  method === 'POST' && (success.schema !== undefined || (success.code === 204 && upload === undefined));

/** Carries a keyed request out, or answers it as before. */
export const once = async (
  { commands }: Api,
  { success }: PlainRoute,
  { caller, keyed }: { caller: Caller; keyed: KeyedRequest },
  handle: () => Promise<Payload> | Payload,
): Promise<Payload> => {
  const answer = await commands.once(caller, keyed, async (): Promise<KeyedAnswer> => {
    const payload = await handle();
    return { status: success.code, body: payload !== null && 'json' in payload ? payload.json : null };
  });
  return answer.body === null ? null : { json: answer.body };
};

/** A request of the compute group: as a single one or in a batch. */
interface ComputeRequest {
  call: Pick<Call, 'controller'>;
  /** With the query, and the token of the kind. */
  url: string;
  /** Unchecked. */
  body: unknown;
}

/**
 * Fences requests of a controller that change something, and answers a repetition as it did the first. Requests of other clients, and reads,
 * are carried out as they are.
 */
export const asController = (
  api: Pick<Api, 'records' | 'answers'>,
  route: PlainRoute,
  { call: { controller }, url, body }: ComputeRequest,
  work: () => Promise<Payload> | Payload,
): Promise<Payload> | Payload => {
  if (controller === null || route.method === 'GET' || route.isUnfenced === true) return work();
  checkFence(api.records.get('claim', CLAIM), controller);
  if (controller.key === null || route.success.type !== undefined) return work();
  // `async`, so that an error thrown at once is kept as an answer as well.
  return api.answers.once(idOf(route, controller, url, body), async () => work());
};

/** Identifies a request. One event of a controller may lead to several, so the key alone is not enough. */
const idOf = ({ method }: PlainRoute, { controller_id, key }: Controller, url: string, body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([controller_id, key, method, url, body ?? {}]))
    .digest('base64');
