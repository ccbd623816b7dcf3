import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Backlog } from './backlog.ts';
import type { ConsoleSink } from './console.ts';
import { listenInRange } from './listen.ts';
import { escapeTelnet, TELNET_GREETING, TelnetParser } from './telnet.ts';

interface ConsoleOptions {
  nodeId: string;
  /** The node's name, for error messages. */
  name: string;
  sink: ConsoleSink;
  host: string;
  /** Wished for; 0: any of `range`. */
  port: number;
  /** First and last port to choose from when `port` is 0 or taken. */
  range: [number, number];
}

export interface ConsoleHandle {
  readonly port: number;
  /** A client that speaks raw bytes, e.g. a WebSocket's stream: no telnet negotiation. */
  attach(stream: Duplex): void;
  /** Closes every client; the node goes on and new clients may come. */
  reset(): void;
  /** Closes the port and every client, after giving them `CLOSE_GRACE_MS` to take the last output. */
  close(): Promise<void>;
}

/** Bytes that may wait for one client. A client that lets more pile up is closed: the node never waits for a reader. */
const PENDING_LIMIT = 256 * 1024;
const CLOSE_GRACE_MS = 500;

interface Client {
  stream: Duplex;
  /** null: raw bytes. */
  telnet: TelnetParser | null;
}

/**
 * Opens a node's console to telnet clients and raw streams: what the node prints goes to all, what any of them types
 * goes to the node. Late clients first get the last output. Rejects with an Error of code `port_taken` when no port is free.
 */
export async function createConsole(options: ConsoleOptions): Promise<ConsoleHandle> {
  const broker = new Broker(options.sink);
  // Keep-alive: routers on the way forget a console that was silent for hours.
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) =>
    broker.add({ stream: socket, telnet: new TelnetParser() }),
  );
  const port = await listenInRange(server, options);
  // An accept that fails (no file descriptors left) concerns that client only.
  server.on('error', () => undefined);
  return {
    port,
    attach: (stream) => broker.add({ stream, telnet: null }),
    reset: () => broker.closeClients(),
    close: () => closeServer(server, broker),
  };
}

function closeServer(server: Server, broker: Broker): Promise<void> {
  return new Promise((resolve) => {
    // Its error says only that the server was closed before.
    server.close(() => resolve());
    broker.closeClients();
  });
}

class Broker {
  readonly #sink: ConsoleSink;
  readonly #backlog = new Backlog();
  readonly #clients = new Set<Client>();

  constructor(sink: ConsoleSink) {
    this.#sink = sink;
    sink.output = (bytes) => this.#output(bytes);
  }

  add(client: Client): void {
    const { stream } = client;
    const remove = (): void => {
      this.#clients.delete(client);
      stream.destroy();
    };
    // A reset by the peer is an ordinary end of a console session.
    stream.on('error', remove);
    stream.on('close', remove);
    stream.on('end', remove);
    stream.on('data', (bytes: Uint8Array) => this.#input(client, bytes));
    this.#clients.add(client);
    if (client.telnet !== null) send(client, TELNET_GREETING);
    const last = this.#backlog.read();
    if (last.length > 0) send(client, client.telnet === null ? last : escapeTelnet(last));
    this.#sink.attached?.();
  }

  closeClients(): void {
    for (const client of this.#clients) hangUp(client.stream);
    this.#clients.clear();
  }

  #input(client: Client, bytes: Uint8Array): void {
    // After a hang-up what still arrives belongs to nobody.
    if (!this.#clients.has(client)) return;
    if (client.telnet === null) {
      this.#sink.input(bytes);
      return;
    }
    const { data, reply } = client.telnet.push(bytes);
    if (reply.length > 0) send(client, reply);
    if (data.length > 0) this.#sink.input(data);
  }

  #output(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#backlog.append(bytes);
    if (this.#clients.size === 0) return;
    // Streams keep what they are given until it is sent, and the node may use its buffer again.
    const raw = bytes.slice();
    const escaped = escapeTelnet(raw);
    for (const client of this.#clients) send(client, client.telnet === null ? raw : escaped);
  }
}

function send(client: Client, bytes: Uint8Array): void {
  const { stream } = client;
  if (stream.destroyed || stream.writableEnded) return;
  if (stream.writableLength + bytes.length > PENDING_LIMIT) {
    stream.destroy();
    return;
  }
  stream.write(bytes);
}

/** Ends a client once it has what was sent to it, or after the grace time when it does not read. */
function hangUp(stream: Duplex | Socket): void {
  const timer = setTimeout(() => stream.destroy(), CLOSE_GRACE_MS);
  stream.once('close', () => clearTimeout(timer));
  stream.end(() => stream.destroy());
}
