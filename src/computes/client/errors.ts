import { z } from 'zod';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import { boundedJson, BOUNDS } from '../../common/json.ts';
import type { ComputeFields } from '../../events/server-fields.ts';

/** Failures of requests to computes as errors of ours, by the statuses of the compute group of the interface and of a GNS3 2.2 server. */

export const unreachable = (name: string, reason: string): TopologError =>
  new TopologError('compute_unreachable', { name, reason });

/** The error for a request that did not come through. */
export const lostRequest = ({ name }: Pick<ComputeFields, 'name'>, error: unknown): TopologError => {
  if (error instanceof TopologError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === 'string' && REASONS[code] !== undefined ? REASONS[code] : messageOf(error);
  return unreachable(name, reason);
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it has cut the connection',
  UND_ERR_SOCKET: 'it has cut the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to its machine',
  ENETUNREACH: 'there is no way to its network',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name is unknown',
};

export const tookTooLong = ({ name }: Pick<ComputeFields, 'name'>, what: string): TopologError =>
  TopologError.saying('deadline', `${name}: ${what} took too long`, { what: name });

/** The error for an answer that is not a success. `body`: its text. */
export const refusedBy = (of: Pick<ComputeFields, 'name' | 'user'>, answer: Refused): TopologError => {
  const error = errorFor(of, answer);
  statuses.set(error, answer.status);
  return error;
};

/** HTTP status of the answer for which an error was made; undefined: there was none. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof TopologError ? statuses.get(error) : undefined;

const statuses = new WeakMap<TopologError, number>();

interface Refused {
  status: number;
  body: string;
  /** Method and path of the request. */
  what: string;
}

const errorFor = (
  { name, user }: Pick<ComputeFields, 'name' | 'user'>,
  { status, body, what }: Refused,
): TopologError => {
  const { message, ...details } = errorOf(body);
  const told = `${name}: ${message ?? `${what} was answered with ${status}`}`;
  // A standby redirects to its writer, which may be this server.
  if (status < 400) return conflict(`${name} answers with ${status} and leads to another server; add that one`);
  if (status === 400) return TopologError.saying('invalid_request', told, fieldOf(details));
  if (status === 401 && user === null)
    return conflict(`${name} needs a user and a password, and was given none`, { field: 'user' });
  if (status === 401) return conflict(`${name} does not take the user and password that it was added with`);
  if (status === 404) return TopologError.saying('not_found', told, { what: 'Thing', id: what });
  if (status === 408 || status === 504)
    return new TopologError('deadline', { what: `${name}: ${what}`, seconds: 'its' });
  if (status === 409 || status === 403) return TopologError.saying('conflict', told, details);
  return TopologError.saying('engine_failed', told, { what: name, reason: message ?? String(status) });
};

/** The field of a refusal; its other details are the whole request in a refusal of a GNS3 server. */
const fieldOf = ({ field }: Record<string, unknown>): Record<string, unknown> => (field === undefined ? {} : { field });

const errorOf = (body: string): { message?: string; [key: string]: unknown } => {
  try {
    const parsed = boundedJson(body, BOUNDS.message);
    if (typeof parsed === 'object' && parsed !== null) {
      const { message, status: _, ...details } = parsed as Record<string, unknown>;
      return { ...details, ...(typeof message === 'string' ? { message } : {}) };
    }
  } catch {
    // Plain text, as the answer for an unknown path.
  }
  return body === '' || body.length > 500 ? {} : { message: body };
};

/** For `catch`: ignores errors with these codes, and throws the others. */
export const ignoreErrors =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!(error instanceof TopologError && codes.includes(error.code))) throw error;
  };

/** Parses a list that a compute has answered. Throws `conflict`, with `about` in its message, for anything else. */
export const listOf = <T>(item: z.ZodType<T>, answer: unknown, about: { compute: string; what: string }): T[] => {
  const list = z.array(item).safeParse(answer);
  if (list.success) return list.data;
  const [issue] = list.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.map(String).join('.');
  throw conflict(`${about.compute} answers no list of the ${about.what}: ${where}: ${issue?.message ?? 'not valid'}`, {
    compute: about.compute,
  });
};
