import type { TcpConnection, TcpLayer } from './tcp.ts';

/** Octets of a request or an answer that are read; more than any that a lab needs. */
const MOST_OCTETS = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';

/** What the command `http` does, on a PC or a router. */
export interface HttpNode {
  /** Ports that answer, with what each says. */
  readonly served: ReadonlyMap<number, string>;
  serve(port: number, text: string): void;
  unserve(port: number): void;
  /** The whole answer to a GET, or why there is none. */
  get(url: HttpUrl, signal: AbortSignal): Promise<{ answer: string } | { problem: string }>;
}

export interface HttpUrl {
  /** Address of either family. */
  address: string;
  /** As typed; the server is told. */
  host: string;
  port: number;
  path: string;
}

/** One text for every request, HTTP/1.1 (RFC 9112), and then the connection is closed: enough to see whether a service is reached. */
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

/** Asks over a connection that is there; resolves with what came when the other side has ended it. */
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
