import { type IncomingMessage, request } from 'node:http';
import { messageOf } from '../../common/errors.ts';

/**
 * The part of the Docker Engine API that is needed here, over its unix socket (or named pipe). Podman answers the same. No version is
 * put before the paths: the service answers with its own, and what is used here has been the same since 1.41.
 */
export interface Service {
  readonly socket: string;
  /** The answer as JSON; null when it has no body. Throws ServiceError. */
  call<T = unknown>(method: Method, path: string, options?: CallOptions): Promise<T>;
  /** The answer as it comes, e.g. a log or an archive. Throws ServiceError. */
  stream(method: Method, path: string, options?: CallOptions): Promise<IncomingMessage>;
  /** One value a line of the answer, for as long as it lasts. */
  lines(method: Method, path: string, options?: CallOptions): AsyncGenerator<Record<string, unknown>>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface CallOptions {
  query?: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON. */
  body?: unknown;
  /** An archive, in the place of a body. */
  bytes?: Buffer;
  signal?: AbortSignal;
}

/** The service refused something; status 0: it could not be reached, or hung up. */
export class ServiceError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
  }
}

export const openService = (socket: string): Service => {
  const stream: Service['stream'] = async (method, path, options = {}) => {
    const answer = await ask(socket, method, path, options);
    const status = answer.statusCode ?? 0;
    // 304: it is so already.
    if ((status >= 200 && status < 300) || status === 304) return answer;
    throw new ServiceError(status, messageIn(await textOf(answer), status));
  };
  return {
    socket,
    stream,
    async call<T>(method: Method, path: string, options?: CallOptions) {
      const text = await textOf(await stream(method, path, options));
      return (text.trim() === '' ? null : JSON.parse(text)) as T;
    },
    async *lines(method, path, options) {
      const answer = (await stream(method, path, options)).setEncoding('utf8');
      let rest = '';
      for await (const chunk of answer as AsyncIterable<string>) {
        const parts = (rest + chunk).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) if (line.trim() !== '') yield JSON.parse(line) as Record<string, unknown>;
      }
      if (rest.trim() !== '') yield JSON.parse(rest) as Record<string, unknown>;
    },
  };
};

/** Milliseconds in which a service says that it is there. */
const PING_MS = 2_000;

/** Whether a Docker or Podman service answers there. */
export const serviceAnswers = async (socket: string): Promise<boolean> => {
  try {
    await openService(socket)
      .stream('GET', '/_ping', { signal: AbortSignal.timeout(PING_MS) })
      .then(textOf);
    return true;
  } catch {
    return false;
  }
};

interface VersionAnswer {
  Version: string;
  Components?: { Name: string; Version: string }[];
}

/** The service and its version: `Podman Engine 4.3.1`, `Engine 20.10.24`. */
export const versionOf = async (service: Service): Promise<string | null> => {
  const answer = await service.call<VersionAnswer>('GET', '/version').catch(() => null);
  if (answer === null) return null;
  const [engine] = answer.Components ?? [];
  return `${engine?.Name ?? 'Docker'} ${engine?.Version ?? answer.Version}`;
};

const ask = (socketPath: string, method: Method, path: string, options: CallOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { query = {}, signal } = options;
    const [sent, type] = contentOf(options);
    const words = new URLSearchParams(
      Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString();
    const headers = type === null ? {} : { 'content-type': type, 'content-length': sent.length };
    const asked = request(
      {
        socketPath,
        method,
        path: words === '' ? path : `${path}?${words}`,
        headers,
        // Connections that are kept open would keep this process from ending.
        agent: false,
        ...(signal === undefined ? {} : { signal }),
      },
      resolve,
    );
    asked.on('error', (error) => reject(signal?.aborted === true ? error : unreachable(socketPath, error)));
    asked.end(sent);
  });

const contentOf = ({ body, bytes }: CallOptions): [Buffer, string | null] => {
  if (bytes !== undefined) return [bytes, 'application/x-tar'];
  return body === undefined ? [Buffer.alloc(0), null] : [Buffer.from(JSON.stringify(body)), 'application/json'];
};

const unreachable = (socket: string, error: unknown): ServiceError =>
  new ServiceError(0, `the container service at ${socket} does not answer: ${messageOf(error)}`);

export const textOf = async (answer: IncomingMessage): Promise<string> => (await bytesOf(answer)).toString('utf8');

/** Reading stops after `most` octets. */
export const bytesOf = async (answer: IncomingMessage, most = Infinity): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) break;
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new ServiceError(0, `the container service hung up: ${messageOf(error)}`);
  }
  return Buffer.concat(chunks);
};

/** `{"message": "..."}`, or a text of a proxy. */
const messageIn = (text: string, status: number): string => {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
  } catch {
    // No JSON.
  }
  return text.trim() === '' ? `status ${status}` : text.trim().slice(0, 500);
};
