import { ERRORS } from '../../src/common/errors.ts';
import type { Operation } from './document.ts';
import type { Reply } from './client.ts';

/** What the document does not say of an answer, or null when it says all of it. */
export type Judge = (method: string, reply: Reply) => string | null;

/** Of those that no operation has answered, as none was reached. */
const NO_OPERATION: ReadonlySet<number> = new Set([400, 404, 405]);
/** RFC 9110, 15.4.5: not an answer of its own. */
const NOT_MODIFIED = 304;

/** Holds answers against the document: their codes, the route they name, and the shape that all errors share. */
export const judgeOf = (operations: readonly Operation[], shared: ReadonlySet<number>): Judge => {
  const statuses = new Map(operations.map(({ method, path, statuses: of }) => [`${method} ${path}`, of]));
  const isDocumented = (given: string, route: string, status: number): boolean => {
    // HEAD is answered by the row of GET, where it is.
    const method = given === 'HEAD' && status !== 405 ? 'GET' : given;
    // One that is well documents for every operation what it never answers while it is well.
    if (status >= 500) return statuses.get(`${method} ${route}`)?.has(status) === true;
    if (shared.has(status) || status === NOT_MODIFIED) return true;
    if (route === '*' || !statuses.has(`${method} ${route}`)) return NO_OPERATION.has(status);
    return statuses.get(`${method} ${route}`)?.has(status) === true;
  };
  return (method, { status, headers, text }) => {
    const route = headers['x-route'];
    if (typeof route !== 'string') return 'X-Route is missing';
    // A header that is not valid: documented once for all operations, and named in the answer.
    const ofHeader = status === 400 && text.includes('"header":');
    if (!ofHeader && !isDocumented(method, route, status)) return `${status} is not documented for ${route}`;
    if (typeof headers['x-request-id'] !== 'string') return 'X-Request-Id is missing';
    if (method === 'HEAD' || status < 400) return null;
    return wrongError(status, headers['content-type'], text);
  };
};

const wrongError = (status: number, type: string | undefined, text: string): string | null => {
  if (type !== 'application/json') return `an error of type ${String(type)}`;
  let error: Record<string, unknown>;
  try {
    error = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return 'an error that is not JSON';
  }
  const { code, message } = error;
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code)) return `the unknown code ${String(code)}`;
  if (ERRORS[code as keyof typeof ERRORS].status !== status || error['status'] !== status)
    return `${code} with ${status}`;
  if (typeof message !== 'string' || !/\S \S/.test(message)) return `no sentence: ${String(message)}`;
  return /\bat \S+ \(?\S+\.[jt]s:\d+/.test(text) ? 'a stack trace' : null;
};
