import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../common/errors.ts';
import type { Caller, KeyedAnswer, KeyedRequest } from '../../actors/commands.ts';
import type { Api } from '../api.ts';
import type { Payload, PlainRoute, Route } from '../routing/route.ts';

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

/** A POST whose answer can be kept. What is uploaded is not read before it is decided whether it came before. */
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
