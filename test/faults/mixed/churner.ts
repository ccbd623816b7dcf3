import { type Answer, request } from '../../support/server.ts';

/** One who writes to a server that may be killed at any moment, and knows afterwards what must be there. */
export interface Churner {
  readonly name: string;
  /** Makes what it works on; the server is well. */
  prepare(url: string): Promise<void>;
  /** One write. Throws `Unanswered` when the server was gone before it answered. */
  step(url: string): Promise<void>;
  /** What is there now against what was answered, in sentences; from then on that is what is expected. */
  check(url: string): Promise<string[]>;
  /** Ends what it has beside the server. */
  end?(): Promise<void>;
}

/** No answer came, or none that says what became of it: it was done, or not. */
export class Unanswered extends Error {}

export type Body = object | string | Uint8Array;

/** Sends a write. A status above 299 that is not `allowed` is an error: nothing of this load is refused. */
export const send = async (
  url: string,
  [method, path]: [method: string, path: string],
  body?: Body,
  allowed: readonly number[] = [],
): Promise<Answer> => {
  const bytes = body instanceof Uint8Array || typeof body === 'string';
  const answer = await (bytes ? sendBytes(url, method, path, body) : request(url, method, path, body)).catch(
    (error: unknown) => {
      throw new Unanswered(`${method} ${path}`, { cause: error });
    },
  );
  if (answer.status === 503 && answer.text.includes('"fabric_lost"') && !allowed.includes(503))
    throw new Unanswered(`${method} ${path}: ${answer.text}`);
  if (answer.status >= 300 && !allowed.includes(answer.status))
    throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  return answer;
};

const sendBytes = async (url: string, method: string, path: string, body: string | Uint8Array): Promise<Answer> => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(body),
  });
  // The status is the answer: a body that is torn off takes nothing back.
  const text = await answer.text().catch(() => '');
  return { status: answer.status, headers: answer.headers, body: null, text };
};

/** A list of records. */
export const list = async (url: string, path: string): Promise<Record<string, unknown>[]> =>
  (await send(url, ['GET', path])).body as Record<string, unknown>[];

export const makeProject = async (url: string, project_id: string, name: string): Promise<void> => {
  await send(url, ['POST', '/v2/projects'], { project_id, name, auto_close: false });
};
