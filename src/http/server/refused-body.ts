import type { FastifyRequest } from 'fastify';
import { withoutSecrets } from '../../actors/runtime/secrets.ts';
import { isObject } from './request-body.ts';

/** Characters of a body's JSON text; longer ones are not kept. */
const MOST = 4096;

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
