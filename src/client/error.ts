import type { Schemas } from './operations.ts';

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
  /** Under which the server's log and its events have the request. */
  readonly requestId: string | null;

  /** `said`: the body of the answer, parsed if it is JSON. */
  constructor(answer: Response, request: string, said: unknown) {
    const body = (typeof said === 'object' && said !== null && 'message' in said ? said : {}) as Partial<Body>;
    super(body.message ?? `${request} is answered with ${answer.status}`);
    this.name = 'ApiError';
    this.status = answer.status;
    this.code = body.code;
    this.errors = body.errors ?? [];
    this.details = body;
    this.requestId = answer.headers.get('x-request-id');
  }
}
