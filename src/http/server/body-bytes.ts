import type { FastifyRequest } from 'fastify';
import { TopologError } from '../../common/errors.ts';
import { hasBody } from '../access/message.ts';
import { parseJsonBody } from './request-body.ts';

/** Body of a GET, which the framework does not read: existing tools ask some questions with one. */
export const readLateBody = async (request: FastifyRequest, limit: number): Promise<Record<string, unknown>> => {
  const { headers, raw } = request;
  if (!hasBody(headers)) return {};
  return jsonOf(raw, limit);
};

/** A stream as JSON. More than `limit` octets: 413. */
export const jsonOf = async (body: AsyncIterable<unknown>, limit: number): Promise<Record<string, unknown>> =>
  parseJsonBody(await bytesOf(body, limit));

/** A stream as a whole. More than `limit` octets: 413. */
export const bytesOf = async (body: AsyncIterable<unknown>, limit: number): Promise<Buffer> => {
  const blocks: Buffer[] = [];
  let length = 0;
  for await (const block of body) {
    const octets = Buffer.from(block as Uint8Array);
    length += octets.length;
    if (length > limit) throw new TopologError('body_too_large', { limit });
    blocks.push(octets);
  }
  return Buffer.concat(blocks);
};
