import { type Address, fill, type Place } from './address.ts';
import { errorOf } from './error.ts';
import type { CallOptions, Method } from './operations.ts';

/** An answer with what is around its body. */
export interface Reply<T> {
  status: number;
  headers: Headers;
  /** Of the record, for `ifMatch`; null for what has none. */
  etag: string | null;
  body: T;
}

/** A call whose types are forgotten: `Client` has checked them. */
export interface Call extends Place, CallOptions {
  body?: unknown;
  idempotencyKey?: string | undefined;
  ifMatch?: string | undefined;
}

/** Sends requests to one server. */
export interface Sender {
  address: Address;
  fetch: typeof globalThis.fetch;
}

/** Resolves with the head of an answer below 400. Throws ApiError for any other. */
export const send = async (sender: Sender, method: Method, template: string, call: Call): Promise<Response> => {
  const { address, fetch } = sender;
  const path = fill(template, call);
  const { headers, ...body } = call.body === undefined ? { headers: {} } : contentOf(call.body);
  const answer = await fetch(`${address.base}${path}`, {
    method: method.toUpperCase(),
    ...body,
    headers: { ...address.headers, ...headers, ...guards(call), ...call.headers },
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  if (answer.ok) return answer;
  throw await errorOf(answer, `${method.toUpperCase()} ${path}`);
};

const guards = ({ idempotencyKey, ifMatch }: Call): Record<string, string> => ({
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
});

type BodyInit = NonNullable<RequestInit['body']>;

/** What is no JSON; see `Bytes`. */
const isBytes = (body: unknown): body is BodyInit =>
  typeof body === 'string' ||
  body instanceof ReadableStream ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  body instanceof Blob;

interface Content {
  body: BodyInit;
  headers: Record<string, string>;
  duplex?: 'half';
}

const contentOf = (body: unknown): Content => {
  if (!isBytes(body)) return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const content = { body, headers: { 'content-type': 'application/octet-stream' } };
  // A stream is sent while it is read only when that is said.
  return body instanceof ReadableStream ? { ...content, duplex: 'half' } : content;
};

/** Reads JSON; anything else stays a stream. */
export const replyOf = async (answer: Response): Promise<Reply<unknown>> => {
  const { status, headers } = answer;
  return { status, headers, etag: headers.get('etag'), body: await bodyOf(answer) };
};

const bodyOf = async (answer: Response): Promise<unknown> => {
  if (answer.status === 204 || answer.headers.get('content-length') === '0') {
    await answer.body?.cancel();
    return undefined;
  }
  if (answer.headers.get('content-type')?.startsWith('application/json') === true) return answer.json();
  return streamOf(answer);
};

export const streamOf = ({ body }: Response): ReadableStream<Uint8Array> =>
  body ?? new ReadableStream({ start: (controller) => controller.close() });
