import type { Schemas } from './operations.ts';

type Body = Schemas['Error'];
/** Stable names of what can go wrong: docs/errors.md. */
export type ErrorCode = Body['code'];

/** The server's refusal. A server that cannot be reached at all is the TypeError of `fetch`. */
export class ApiError extends Error {
  readonly status: number;
  /** Undefined when it is not Topolog that answered, as with a proxy in between. */
  readonly code: ErrorCode | undefined;
  /** Fields that are wrong, each with its problem. */
  readonly errors: readonly { field: string; problem: string }[];
  /** The whole body of the answer. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Under which the server's log and its events have the request. */
  readonly requestId: string | null;

  constructor(answer: Response, request: string, body: Partial<Body> | null) {
    super(body?.message ?? `${request} is answered with ${answer.status}`);
    this.name = 'ApiError';
    this.status = answer.status;
    this.code = body?.code;
    this.errors = body?.errors ?? [];
    this.details = body ?? {};
    this.requestId = answer.headers.get('x-request-id');
  }
}

/** The error that an answer of 400 and above is. */
export const errorOf = async (answer: Response, request: string): Promise<ApiError> => {
  const text = await answer.text();
  return new ApiError(answer, request, parsed(text));
};

const parsed = (text: string): Partial<Body> | null => {
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null && 'message' in body ? (body as Partial<Body>) : null;
  } catch {
    return null;
  }
};
