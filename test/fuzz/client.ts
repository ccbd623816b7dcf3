import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { FuzzRequest } from './requests.ts';

export interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  /** As far as it came before it was let go of. */
  text: string;
}
/** How a request ended when nothing was answered. */
export type Ending = 'hung up' | 'cut' | 'silent';

/** An answer that has begun and is not over by then is one without an end. Milliseconds. */
const STREAM_MS = 40;
/** No request here may take so long. */
const PATIENCE_MS = 60_000;
/** A frame of five octets, masked as those of clients are (RFC 6455, 5.2). */
const FRAME = Buffer.from([0x81, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

export class Client {
  readonly #url: URL;
  readonly #agent: Agent;

  readonly #patienceMs: number;

  /** `patienceMs`: after which a request counts as one that is not answered. */
  constructor(url: string, connections: number, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Throws for what node does not send: headers and paths that break the syntax of HTTP. `whole`: the answer is read to its end. */
  send(made: Omit<FuzzRequest, 'number'>, whole = false): Promise<Reply | Ending> {
    const { method, url, headers, body, hangUp } = made;
    const sent = request({
      // One that is kept may just be closed by the server; what must be answered goes by a connection of its own.
      ...{ host: this.#url.hostname, port: this.#url.port, method, path: url, agent: whole ? false : this.#agent },
      headers: { ...headers, ...(body === null ? {} : { 'content-length': body.length }) },
    });
    return new Promise((resolve) => {
      const impatience = setTimeout(() => {
        resolve('silent');
        sent.destroy();
      }, this.#patienceMs);
      const ending = hangUp === null ? 'cut' : 'hung up';
      let answered: Promise<Reply | 'cut'> | undefined;
      sent.once('response', (answer) => {
        answered = read(answer, !whole);
      });
      sent.once('upgrade', (answer, socket) => {
        answered = Promise.resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: '' });
        socket.on('error', () => undefined);
        socket.write(FRAME);
        setTimeout(() => socket.destroy(), STREAM_MS);
      });
      sent.on('error', () => undefined);
      sent.once('close', () => {
        clearTimeout(impatience);
        resolve(answered ?? ending);
      });
      if (hangUp !== null) setTimeout(() => sent.destroy(), hangUp);
      sent.end(body ?? undefined);
    });
  }

  /** JSON of a path that must be there. */
  async get(url: string): Promise<unknown> {
    const reply = await this.send({ method: 'GET', url, headers: {}, body: null, hangUp: null }, true);
    if (typeof reply === 'string' || reply.status !== 200) throw new Error(`${url}: ${JSON.stringify(reply)}`);
    return JSON.parse(reply.text) as unknown;
  }

  /** Octets that need not be HTTP; resolves with what comes back before the connection ends. */
  raw(bytes: Buffer): Promise<string> {
    return new Promise((resolve) => {
      let text = '';
      const socket = connect(Number(this.#url.port), this.#url.hostname, () => socket.write(bytes));
      const late = setTimeout(() => socket.destroy(), STREAM_MS * 5);
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.once('close', () => {
        clearTimeout(late);
        resolve(text);
      });
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** An error is read to its end; `mayStream`: of anything else only what comes soon. */
const read = (answer: IncomingMessage, mayStream: boolean): Promise<Reply | 'cut'> =>
  new Promise((resolve) => {
    const { statusCode: status = 0, headers } = answer;
    const chunks: Buffer[] = [];
    const isBounded = mayStream && status < 400;
    const stop = isBounded ? setTimeout(() => answer.destroy(), STREAM_MS) : undefined;
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('error', () => undefined);
    answer.once('close', () => {
      clearTimeout(stop);
      resolve(answer.complete || isBounded ? { status, headers, text: Buffer.concat(chunks).toString() } : 'cut');
    });
  });
