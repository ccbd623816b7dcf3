import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that writes bytes as they come and may not care for the answer. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything received so far, byte for character. */
  received(): string;
  write(bytes: string | Buffer): void;
  /** Resolves once what was received matches; rejects when the connection ends before. */
  until(pattern: RegExp): Promise<void>;
  /** Resolves with everything received once the other side has ended the connection. */
  ended: Promise<string>;
  /** Hangs up without a goodbye. */
  vanish(): void;
}

/** `reading: false`: the answer stays in the buffers of the system until `socket.resume()`. */
export const rawClient = async (url: string, reading = true): Promise<RawClient> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  let heard = (): void => undefined;
  socket.setEncoding('latin1');
  if (reading) socket.on('data', take);
  function take(chunk: string): void {
    text += chunk;
    heard();
  }
  // Being cut off is what these clients ask for.
  socket.on('error', () => undefined);
  let open = true;
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => {
      open = false;
      heard();
      resolve(text);
    });
  });
  return {
    socket,
    received: () => text,
    write: (bytes) => void socket.write(bytes),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        heard = () => {
          if (pattern.test(text)) resolve();
          else if (!open) reject(new Error(`the connection ended before ${String(pattern)}: ${text}`));
        };
        heard();
      }),
    ended,
    vanish: () => socket.resetAndDestroy(),
  };
};

/** The head of a request, up to and with its empty line. */
export const head = (line: string, headers: Readonly<Record<string, string | number>> = {}): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`), '', ''].join(
    '\r\n',
  );
