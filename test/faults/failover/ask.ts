/** The servers of the cell, as a client knows them. */
export interface Servers {
  readonly urls: readonly string[];
  /** Of a client that has logged in. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  text: string;
  etag: string;
  /** Last position of the log that the server knew. */
  position: number;
}

/** Longest wait of a client for one answer; then it asks another server. Milliseconds. */
const PATIENCE_MS = 4_000;

/** Null: none came, as the connection ended or nothing was heard for too long. */
export const ask = async (
  url: string,
  { method, path, body, headers }: Request,
  { headers: own }: Servers,
): Promise<Answer | null> => {
  try {
    const answer = await fetch(`${url}${path}`, {
      ...{ method, headers: { ...own, ...headers }, signal: AbortSignal.timeout(PATIENCE_MS) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: answer.status,
      etag: answer.headers.get('etag') ?? '',
      position: Number(answer.headers.get('x-topolog-position')),
      text: await answer.text(),
    };
  } catch {
    return null;
  }
};
