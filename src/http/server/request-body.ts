import type { FastifyRequest } from 'fastify';
import { withoutSecrets } from '../../actors/runtime/secrets.ts';
import { invalid, TopologError } from '../../common/errors.ts';
import { BOUNDS, parsePieces, TooMuch } from '../../common/json.ts';
import { atOnce, inSlices, type Steps } from '../../common/slices.ts';
import { hasBody } from '../access/framing.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Octets of a body that is parsed at once; a larger one is parsed in slices, so that it holds up nobody. */
const AT_ONCE = 32 * 1024;

/** A body as an object, whatever its content type says: nothing is `{}`, everything else must be a JSON object in UTF-8. */
export const parseJsonBody = (bytes: Uint8Array): Record<string, unknown> | Promise<Record<string, unknown>> =>
  bytes.length <= AT_ONCE ? atOnce(parsing(bytes)) : inSlices(parsing(bytes));

function* parsing(bytes: Uint8Array): Steps<Record<string, unknown>> {
  const text = decode(bytes);
  if (text.trim() === '') return {};
  yield;
  const value = yield* parse(text);
  if (!isObject(value)) throw invalid('the body must be a JSON object');
  yield* assertSound(value);
  return value;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('the body must be UTF-8');
  }
};

function* parse(text: string): Steps<unknown> {
  try {
    return yield* parsePieces(text, BOUNDS.body);
  } catch (error) {
    throw invalid(error instanceof TooMuch ? `the body ${error.message}` : 'the body must be JSON');
  }
}

/** Refuses what later merges and recursive walks could trip over. Walks without recursion itself. */
function* assertSound(root: object): Steps<void> {
  let level: object[] = [root];
  while (level.length > 0) {
    const next: object[] = [];
    for (const value of level) {
      if (Object.hasOwn(value, '__proto__')) throw invalid('the body must not have a key __proto__');
      for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) next.push(item as object);
      yield;
    }
    level = next;
  }
}

/** Characters of a body's JSON text; longer ones are not kept. */
const MOST = 4096;

/**
 * Body of a refused request for the record: null where there was none; an object as it was sent, with secrets left out; a
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
