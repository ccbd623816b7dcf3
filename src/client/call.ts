import createClient from 'openapi-fetch';
import { type Address, fill, fillPath, type Place } from './address.ts';
import type { CallOptions, Method, Schemas } from './operations.ts';

type Body = Schemas['Error'];
/** Stable names of what can go wrong: docs/reference/errors.md. */
export type ErrorCode = Body['code'];

/** The server's refusal. A server that cannot be reached at all is a TypeError that names its address. */
export class ApiError extends Error {
  readonly status: number;
  /** Undefined when it is not Topolog that answered, as with a proxy in between. */
  readonly code: ErrorCode | undefined;
  /** Fields that are wrong, each with its problem. */
  readonly errors: readonly { field: string; problem: string }[];
  /** The whole body of the answer. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Id of the request in the server's log and its events. */
  readonly requestId: string | null;

  /** `content`: the body of the answer, parsed if it is JSON. */
  constructor(answer: Response, request: string, content: unknown) {
    const isError = typeof content === 'object' && content !== null && 'message' in content;
    const body = (isError ? content : {}) as Partial<Body>;
    super(body.message ?? `${request} is answered with ${answer.status}`);
    this.name = 'ApiError';
    this.status = answer.status;
    this.code = body.code;
    this.errors = body.errors ?? [];
    this.details = body;
    this.requestId = answer.headers.get('x-request-id');
  }
}

/** Lines of a stream of UTF-8, without their ends. A caller that stops early cancels the stream. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (!done) continue;
      ended = true;
      if (rest !== '') yield rest;
      return;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}

/** An answer with its status and headers. */
export interface Reply<T> {
  status: number;
  headers: Headers;
  /** ETag of a record, for `ifMatch`; null without one. */
  etag: string | null;
  body: T;
}

/** Options of a call without its types, which `Client` has checked. */
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
    // `fetch` requires this for a body that is a stream.
    duplex: 'half',
    parseAs: 'stream',
    // A signal of the request alone is lost in Node when the request is collected, while the answer is still read.
    fetch: (request) => sender.fetch(request, { signal }).catch(unreachable(sender, signal)),
  });
  if (response.ok) return response;
  throw new ApiError(response, `${method.toUpperCase()} ${fill(template, call)}`, error);
};

/** Names the address and the reason, which an error of `fetch` does not; its cause has the reason in Node, and browsers tell none. */
const unreachable =
  ({ address: { base } }: Sender, signal: AbortSignal | null) =>
  (error: unknown): never => {
    if (!(error instanceof TypeError) || signal?.aborted === true) throw error;
    const { cause } = error;
    const why = cause instanceof Error && cause.message !== '' ? cause.message : codeOf(cause) || error.message;
    throw new TypeError(`the server at ${base} cannot be reached: ${why}`, { cause: error });
  };

/** Code of an error without a message, which Node throws after several tries, one for each address of a name. */
const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';

/** Whether a body is sent as it is, and not as JSON. */
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
