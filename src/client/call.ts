import createClient from 'openapi-fetch';
import { type Address, fill, fillPath, type Place } from './address.ts';
import { ApiError } from './error.ts';
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
  http: ReturnType<typeof createClient<Untyped>>;
}

type Untyped = Record<string, Record<Method, { requestBody?: { content: { 'application/json': unknown } } }>>;

export const senderTo = (address: Address, fetch: typeof globalThis.fetch): Sender => {
  const { base, headers } = address;
  const bodySerializer = (body: unknown): unknown => (isBytes(body) ? body : JSON.stringify(body));
  return {
    address,
    fetch,
    http: createClient({ baseUrl: base, headers, pathSerializer: fillPath, bodySerializer }),
  };
};

/** Resolves with the head of an answer below 400. Throws ApiError for any other. */
export const send = async (sender: Sender, method: Method, template: string, call: Call): Promise<Response> => {
  const { path = {}, query = {}, body, idempotencyKey, ifMatch, headers, signal = null } = call;
  const { error, response } = await sender.http.request(method, template, {
    params: { path, query },
    headers: {
      ...(isBytes(body) ? { 'content-type': 'application/octet-stream' } : {}),
      'idempotency-key': idempotencyKey,
      'if-match': ifMatch,
      ...headers,
    },
    body,
    // A stream is sent while it is read only when that is said.
    duplex: 'half',
    parseAs: 'stream',
    // Node forgets a signal of the request alone as soon as it collects the request, while the answer is still read.
    fetch: (request) => sender.fetch(request, { signal }).catch(unreachable(sender, signal)),
  });
  if (response.ok) return response;
  throw new ApiError(response, `${method.toUpperCase()} ${fill(template, call)}`, error);
};

/** An error of `fetch` names neither the address nor the reason; its cause has the reason in Node, and browsers tell none. */
const unreachable =
  ({ address: { base } }: Sender, signal: AbortSignal | null) =>
  (error: unknown): never => {
    if (!(error instanceof TypeError) || signal?.aborted === true) throw error;
    const { cause } = error;
    const why = cause instanceof Error && cause.message !== '' ? cause.message : codeOf(cause) || error.message;
    throw new TypeError(`the server at ${base} cannot be reached: ${why}`, { cause: error });
  };

/** After several tries, one for each address of a name, Node tells the code alone. */
const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';

/** What is no JSON; see `Bytes`. */
const isBytes = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof ReadableStream ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  body instanceof Blob;

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
