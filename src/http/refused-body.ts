import type { FastifyRequest } from 'fastify';
import { isObject } from './request-body.ts';

/** Characters of a body's JSON text; longer ones are not kept. */
const MOST = 4096;
const SECRET = /password|secret|token|iourc/i;

/**
 * What is kept of the body of a refused request: null where there was none; an object as it was sent, with secrets left out; a
 * text that says why it is not kept.
 */
export const keptBody = ({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): unknown => {
  if (!isObject(body) || Buffer.isBuffer(body)) {
    const sent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    return sent ? 'it was not read, or it is no JSON object' : null;
  }
  if (Object.keys(body).length === 0) return null;
  const kept = withoutSecrets(body);
  return JSON.stringify(kept).length > MOST ? `it is longer than ${MOST} characters` : kept;
};

/** As deep as a body may be, which is bounded when it is read. */
const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, SECRET.test(key) ? '[left out]' : withoutSecrets(item)]),
  );
};
