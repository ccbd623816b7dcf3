import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Emitter } from '../../common/emitter.ts';
import { readInSlices } from '../../common/slices.ts';
import type {
  ConsoleHandle,
  ConsoleListener,
  ConsoleRequest,
  ConsoleSession,
  ConsoleSink,
  ConsoleTap,
} from './console.ts';
import { listenInRange } from './listen.ts';
import { escapeTelnet, TELNET_GREETING, TelnetParser } from './telnet.ts';

/** Octets of input taken in one turn: each may be echoed to every client, or end a command. */
const TYPED_PIECE = 32;
/**
 * Bytes that may wait for one client, as the node never waits for a reader. Beyond them a telnet client is closed, and a raw one misses
 * output until it has read the rest.
 */
const PENDING_LIMIT = 256 * 1024;
const CLOSE_GRACE_MS = 500;
/** A console counts as in use for this long after a key, and for UNFINISHED_MS after one in the middle of a line. Milliseconds. */
const TYPING_MS = 2_000;
const UNFINISHED_MS = 60_000;
/** Keys after which no line is unfinished: CR, LF, ^C, ^U. */
const LINE_ENDS: ReadonlySet<number> = new Set([0x0d, 0x0a, 0x03, 0x15]);

/** Notices for clients; neither the node nor a recording sees them. */
const RECORDED = '[this console is being recorded]\r\n';
const NOT_READ = '\r\n[closed: this client does not read]\r\n';
const LEFT_OUT = '\r\n[this client reads too slowly: output was left out]\r\n';
const NOT_RECORDED = '[this console is no longer being recorded]\r\n';

interface Client {
  stream: Duplex;
  /** null: raw bytes. */
  telnet: TelnetParser | null;
  /** Name in the marks of a recording. */
  name: string;
  /** Output is left out until it has read what waits for it. */
  behind: boolean;
}

/**
 * Opens a node's console to telnet clients and raw streams: output goes to all, input from any of them goes to the node. New clients
 * first get the last output; telnet clients only a screen of it, as scripts would take more for answers.
 * Rejects with an Error of code `port_taken` when no port is free.
 */
export async function createConsole(options: ConsoleRequest): Promise<ConsoleHandle> {
  const broker = new Broker(options.sink, options.tap ?? null);
  // Keep-alive: routers on the way forget a console that was silent for hours.
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) =>
    broker.add({ stream: socket, telnet: new TelnetParser(), name: `telnet from ${addressOf(socket)}`, behind: false }),
  );
  const port = await listenInRange(server, options);
  // An accept that fails (no file descriptors left) concerns that client only.
  server.on('error', ignore);
  return new Console(port, server, broker);
}

class Console implements ConsoleHandle {
  readonly port: number;
  readonly #server: Server;
  readonly #broker: Broker;

  constructor(port: number, server: Server, broker: Broker) {
    this.port = port;
    this.#server = server;
    this.#broker = broker;
  }

  attach(stream: Duplex): void {
    this.#broker.add({ stream, telnet: null, name: 'a client of the server', behind: false });
  }

  reset(): void {
    this.#broker.closeClients();
  }

  record(tap: ConsoleTap | null): void {
    this.#broker.record(tap);
  }

  join(listener: ConsoleListener, signal: AbortSignal): ConsoleSession {
    return this.#broker.join(listener, signal);
  }

  /** Closes the port and every client, after giving them `CLOSE_GRACE_MS` to take the last output. */
  close(): Promise<void> {
    return closeServer(this.#server, this.#broker);
  }
}

const ignore = (): void => undefined;

/** Unknown when the client has gone already. */
const addressOf = ({ remoteAddress = '?', remotePort = 0 }: Socket): string => `${remoteAddress} port ${remotePort}`;

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
  #tap: ConsoleTap | null;
  readonly #events = new Emitter<{ output: [Uint8Array]; typed: [] }>();
  /** When a client typed last, and whether that was in the middle of a line. */
  #typedAt = -Infinity;
  #isUnfinished = false;

  constructor(sink: ConsoleSink, tap: ConsoleTap | null) {
    this.#sink = sink;
    this.#tap = tap;
    sink.output = (bytes) => this.#output(bytes);
  }

  add(client: Client): void {
    const { stream } = client;
    const remove = (): void => {
      this.#forget(client);
      stream.destroy();
    };
    // A reset by the peer is an ordinary end of a console session.
    stream.on('error', remove);
    stream.on('close', remove);
    stream.on('end', remove);
    stream.on('drain', () => this.#catchUp(client));
    readInSlices(stream, TYPED_PIECE, (bytes) => this.#input(client, bytes));
    this.#clients.add(client);
    this.#tap?.mark(`${client.name} connected`);
    if (client.telnet !== null) this.#send(client, TELNET_GREETING);
    // Before the last output, so that a prompt stays at the end.
    if (this.#tap !== null) this.#send(client, Buffer.from(RECORDED));
    const last = client.telnet === null ? this.#backlog.read() : escapeTelnet(this.#backlog.screen());
    if (last.length > 0) this.#send(client, last);
    this.#sink.attached?.();
  }

  record(tap: ConsoleTap | null): void {
    if (this.#tap === tap) return;
    this.#tap = tap;
    const notice = Buffer.from(`\r\n${tap === null ? NOT_RECORDED : RECORDED}`);
    for (const client of this.#clients) {
      this.#send(client, notice);
      tap?.mark(`${client.name} is connected`);
    }
  }

  join({ output, typed }: ConsoleListener, signal: AbortSignal): ConsoleSession {
    this.#events.on('output', output, { signal }).on('typed', typed, { signal });
    return {
      last: () => this.#backlog.read(),
      isInUse: () => performance.now() - this.#typedAt < (this.#isUnfinished ? UNFINISHED_MS : TYPING_MS),
      type: (bytes) => this.#pass(bytes),
    };
  }

  closeClients(): void {
    for (const client of this.#clients) {
      hangUp(client.stream);
      this.#forget(client);
    }
  }

  /** Continues with the last output once a client that was behind has read what waited. */
  #catchUp(client: Client): void {
    if (!client.behind) return;
    client.behind = false;
    this.#send(client, Buffer.from(LEFT_OUT));
    this.#send(client, this.#backlog.read());
  }

  #send(client: Client, bytes: Uint8Array): void {
    const { stream, telnet } = client;
    if (client.behind || bytes.length === 0 || stream.destroyed || stream.writableEnded) return;
    if (stream.writableLength + bytes.length <= PENDING_LIMIT) stream.write(bytes);
    else if (telnet === null) client.behind = true;
    else {
      stream.write(NOT_READ);
      hangUp(stream);
      this.#forget(client);
    }
  }

  #forget(client: Client): void {
    if (this.#clients.delete(client)) this.#tap?.mark(`${client.name} disconnected`);
  }

  #input(client: Client, bytes: Uint8Array): void {
    // Ignores input that arrives after a hang-up.
    if (!this.#clients.has(client)) return;
    if (client.telnet === null) {
      this.#typed(bytes);
      return;
    }
    const { data, reply } = client.telnet.push(bytes);
    if (reply.length > 0) this.#send(client, reply);
    if (data.length > 0) this.#typed(data);
  }

  #typed(bytes: Uint8Array): void {
    this.#typedAt = performance.now();
    this.#isUnfinished = !LINE_ENDS.has(bytes.at(-1) ?? 0);
    this.#events.emit('typed');
    this.#pass(bytes);
  }

  /** Recorded first: the node may answer at once. */
  #pass(bytes: Uint8Array): void {
    this.#tap?.input(bytes);
    this.#sink.input(bytes);
  }

  #output(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#tap?.output(bytes);
    this.#backlog.append(bytes);
    this.#events.emit('output', bytes);
    if (this.#clients.size === 0) return;
    // A copy: streams keep the bytes until they are sent, and the node may reuse its buffer.
    const raw = bytes.slice();
    const escaped = escapeTelnet(raw);
    for (const client of this.#clients) this.#send(client, client.telnet === null ? raw : escaped);
  }
}

/** Closes a client once all output is sent, or after the grace time. */
function hangUp(stream: Duplex | Socket): void {
  const timer = setTimeout(() => stream.destroy(), CLOSE_GRACE_MS);
  stream.once('close', () => clearTimeout(timer));
  stream.end(() => stream.destroy());
}

const LIMIT = 8 * 1024;
const FIRST_CAPACITY = 128;
const LF = 0x0a;
/** Default lines of a terminal (ECMA-48 leaves it open, VT100: 24). */
const ROWS = 24;
/** Sequences that clear a screen: ED 2 and 3 (ECMA-48, 8.3.39, and xterm), RIS (ECMA-35). */
const CLEARS = ['\u001b[2J', '\u001b[3J', '\u001bc'].map((sequence) => Buffer.from(sequence));

/**
 * The last output of a console, for clients that come later: at most ~8 KB, beginning at a line. Allocates nothing before there is
 * output, and then little more than needed, as thousands of consoles hold only a prompt.
 */
export class Backlog {
  #bytes: Uint8Array | null = null;
  #length = 0;

  append(output: Uint8Array): void {
    const bytes = output.length > LIMIT ? output.subarray(output.length - LIMIT) : output;
    // Only after twice the limit is the older half dropped, so that a stream of small outputs is not copied each time.
    if (this.#length + bytes.length > 2 * LIMIT) this.#dropOld();
    const target = this.#room(bytes.length);
    target.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy, as it may wait in a slow client's buffer while this one changes. */
  read(): Uint8Array {
    if (this.#bytes === null) return new Uint8Array(0);
    return this.#bytes.slice(lineStart(this.#bytes, this.#length), this.#length);
  }

  /** The part that a terminal still shows: the last lines, from the last sequence that cleared the screen. */
  screen(): Uint8Array {
    const bytes = Buffer.from(this.read());
    const cleared = Math.max(0, ...CLEARS.map((sequence) => bytes.lastIndexOf(sequence)));
    let start = bytes.length;
    for (let rows = 0; rows < ROWS && start >= 0; rows += 1)
      start = start === 0 ? -1 : bytes.lastIndexOf(LF, start - 1);
    return bytes.subarray(Math.max(cleared, start + 1));
  }

  #dropOld(): void {
    if (this.#bytes === null) return;
    const start = Math.max(0, this.#length - LIMIT);
    this.#bytes.copyWithin(0, start, this.#length);
    this.#length -= start;
  }

  #room(more: number): Uint8Array {
    const needed = this.#length + more;
    if (this.#bytes !== null && this.#bytes.length >= needed) return this.#bytes;
    let capacity = this.#bytes?.length ?? FIRST_CAPACITY;
    // Grows by halves, as unused memory is multiplied by the number of consoles.
    while (capacity < needed) capacity += Math.max(FIRST_CAPACITY, capacity >> 1);
    const grown = new Uint8Array(capacity);
    if (this.#bytes !== null) grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    return grown;
  }
}

/** Offset of the last LIMIT bytes or less, at the start of a line, or of a character within a longer line. */
function lineStart(bytes: Uint8Array, length: number): number {
  if (length < LIMIT) return 0;
  const earliest = length - LIMIT;
  const lineEnd = bytes.subarray(0, length).indexOf(LF, earliest);
  if (lineEnd >= 0 && lineEnd < length - 1) return lineEnd + 1;
  let start = earliest;
  // Bytes 10xxxxxx continue a UTF-8 character; no character has more than three.
  while (start < earliest + 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
