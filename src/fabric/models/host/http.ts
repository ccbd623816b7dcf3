import type { TcpConnection, TcpLayer } from './tcp.ts';

/** Longest request or response that is read. Octets. */
const MOST_OCTETS = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';

/** HTTP service and client of a PC or router, for the command `http`. */
export interface HttpNode {
  /** Text by listening port. */
  readonly served: ReadonlyMap<number, string>;
  serve(port: number, text: string): void;
  unserve(port: number): void;
  /** The whole response to a GET, or why there is none. */
  get(url: HttpUrl, signal: AbortSignal): Promise<{ answer: string } | { problem: string }>;
}

export interface HttpUrl {
  /** Address of either family. */
  address: string;
  /** As typed; sent as the Host header. */
  host: string;
  port: number;
  path: string;
}

/** Answers every request with one text by HTTP/1.1 (RFC 9112) and closes the connection: enough to test whether a service is reached. */
export class HttpResponder {
  readonly served = new Map<number, string>();
  readonly #tcp: TcpLayer;

  constructor(tcp: TcpLayer) {
    this.#tcp = tcp;
  }

  serve(port: number, text: string): void {
    this.served.set(port, text);
    this.#tcp.listen(port, (connection) => this.#accept(connection, port));
  }

  unserve(port: number): void {
    this.served.delete(port);
    this.#tcp.unlisten(port);
  }

  #accept(connection: TcpConnection, port: number): void {
    let request = '';
    connection.user = {
      data: (bytes) => {
        request += Buffer.from(bytes).toString('latin1');
        if (request.length > MOST_OCTETS) connection.abort();
        else if (request.includes(END_OF_HEAD)) answer(connection, request, this.served.get(port) ?? '');
      },
      ended: () => connection.close(),
    };
  }
}

function answer(connection: TcpConnection, request: string, text: string): void {
  const [, method = ''] = /^([A-Z]+) \S+ HTTP\/1\.[01]\r\n/.exec(request) ?? [];
  const status =
    method === '' ? '400 Bad Request' : ['GET', 'HEAD'].includes(method) ? '200 OK' : '405 Method Not Allowed';
  const body = status.startsWith('200') ? `${text}\n` : `${status}\n`;
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  connection.write(Buffer.from(`${head.join('\r\n')}${END_OF_HEAD}${method === 'HEAD' ? '' : body}`));
  connection.close();
  connection.user = {};
}

/** Sends a GET over an open connection; resolves with the response once the other side has ended it, null when it broke. */
export function httpGet(
  connection: TcpConnection,
  { host, path }: HttpUrl,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    let answered = '';
    const abort = (): void => connection.abort();
    signal.addEventListener('abort', abort, { once: true });
    connection.user = {
      data: (bytes) => {
        answered += Buffer.from(bytes).toString('utf8');
        if (answered.length > MOST_OCTETS) connection.abort();
      },
      ended: () => connection.close(),
      closed: (clean) => {
        signal.removeEventListener('abort', abort);
        resolve(clean || answered.includes(END_OF_HEAD) ? answered : null);
      },
    };
    const named = host.includes(':') ? `[${host}]` : host;
    connection.write(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${named}\r\nConnection: close${END_OF_HEAD}`));
    if (signal.aborted) abort();
  });
}
