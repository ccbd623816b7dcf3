import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { withResolvers } from '../../src/common/promises.ts';
import { type Bag, kinds } from './fake-compute/kinds.ts';
import { FakeLab, type FakeNode, Refusal, refusal } from './fake-compute/lab.ts';
import { type Call, type Reply, rowFor } from './fake-compute/routes.ts';

/** A compute that is no Topolog: it answers as GNS3 2.2 does, quirks and faults included, and keeps what it was asked. */

export interface Recorded {
  method: string;
  /** From `/v2/compute` on, decoded. */
  path: string;
  headers: IncomingHttpHeaders;
  /** JSON; a Buffer where bytes are sent, null where nothing is. */
  body: unknown;
  /** Milliseconds since the epoch. */
  at: number;
}

type Fits = string | ((request: Recorded) => boolean);

export interface FakeComputeOptions {
  version?: string;
  user?: string;
  password?: string;
  /** Silence after which it pings; 0: only when the feed begins. */
  pingMs?: number;
  nodeTypes?: readonly string[];
  interfaces?: readonly Bag[];
  /** Console ports that other programs hold. */
  takenConsoles?: readonly number[];
  firstUdpPort?: number;
  /** HTTPS: a private key and its certificate. */
  tls?: { key: string; cert: string };
}

const INTERFACES = [
  {
    id: 'lo',
    name: 'lo',
    ip_address: '127.0.0.1',
    netmask: '255.0.0.0',
    mac_address: '',
    type: 'ethernet',
    special: true,
  },
  {
    ...{ id: 'eth0', name: 'eth0', ip_address: '192.0.2.10', netmask: '255.255.255.0' },
    ...{ mac_address: '02:00:00:00:00:0a', type: 'ethernet', special: false },
  },
];

const STATISTICS = {
  ...{ memory_total: 8_000_000_000, memory_free: 6_000_000_000, memory_used: 2_000_000_000 },
  ...{ swap_total: 0, swap_free: 0, swap_used: 0, cpu_usage_percent: 3, memory_usage_percent: 25 },
  ...{ swap_usage_percent: 0, disk_usage_percent: 40, load_average_percent: [1, 1, 1] },
};

/** What a console of the existing server begins with (RFC 854): it will echo and suppress go-ahead, and wants binary. */
const NEGOTIATION = Buffer.from('fffb01fffb03fffd00fffb00', 'hex');

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const isConsole = (where: string): RegExpExecArray | null =>
  /^\/v2\/compute\/projects\/([^/]+)\/([^/]+)\/nodes\/([^/]+)\/console\/ws$/.exec(where);

export class FakeCompute {
  /** What was asked, in order, upgrades included. */
  readonly requests: Recorded[] = [];
  /** What it has; tests change it as they like. */
  readonly lab: FakeLab;
  version: string;
  /** What goes wrong, for as long as it is set. */
  readonly faults = {
    /** Every request is 401, the feed too. */
    unauthorized: false,
    /** Capabilities, records and frames have keys that nobody knows. */
    extraKeys: false,
    /** Every connection is ended as soon as it is made. */
    refuses: false,
    /** The feed says nothing between its first frame and the next event. */
    silent: false,
    /** Seconds by which its clock is ahead. */
    clockAhead: 0,
  };
  readonly #options: FakeComputeOptions;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #feeds = new Map<WebSocket, NodeJS.Timeout | undefined>();
  readonly #hears = new Set<(request: Recorded) => void>();
  readonly #held: { fits: (request: Recorded) => boolean; before: boolean; until: Promise<void> }[] = [];
  readonly #instead: { fits: (request: Recorded) => boolean; reply: Refusal }[] = [];
  #frozen: { until: Promise<void>; resolve: () => void } | null = null;

  private constructor(options: FakeComputeOptions) {
    this.#options = options;
    this.version = options.version ?? '2.2.60';
    const { takenConsoles = [], firstUdpPort = 20000 } = options;
    this.lab = new FakeLab({ takenConsoles, firstUdpPort }, (action, event, id) => this.emit(action, event, id));
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    this.#server = options.tls === undefined ? createServer(answer) : createTlsServer(options.tls, answer);
    this.#server.on('connection', (socket: Duplex) => {
      if (this.faults.refuses) socket.destroy();
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => undefined);
      const upgrade = (): void => this.#upgrade(request, socket, head);
      if (this.#frozen === null) upgrade();
      else void this.#frozen.until.then(upgrade);
    });
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(options: FakeComputeOptions = {}): Promise<FakeCompute> {
    const fake = new FakeCompute(options);
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http${this.#options.tls === undefined ? '' : 's'}://127.0.0.1:${this.port}`;
  }

  /** Listeners of its feed. */
  get listeners(): number {
    return this.#feeds.size;
  }

  node(node_id: string): FakeNode | undefined {
    return this.lab.nodes.get(node_id);
  }

  /** `METHOD /path` of what was asked, without `/v2/compute`. */
  asked(fits: Fits = () => true): string[] {
    return this.requests.filter(fitting(fits)).map((request) => `${request.method} ${shortOf(request)}`);
  }

  /** The first such request, also one of before. `fits`: `METHOD end-of-path`, or a function. */
  async heard(fits: Fits): Promise<Recorded> {
    const wanted = fitting(fits);
    const known = this.requests.find(wanted);
    return known ?? this.next(wanted);
  }

  /** The next such request from now on. */
  next(fits: Fits): Promise<Recorded> {
    const wanted = fitting(fits);
    return new Promise((resolve) => {
      const hear = (request: Recorded): void => {
        if (!wanted(request)) return;
        this.#hears.delete(hear);
        resolve(request);
      };
      this.#hears.add(hear);
    });
  }

  /** Holds answers to such requests; `before`: nor are they done. */
  stall(fits: Fits, { before = false } = {}): { arrived: Promise<Recorded>; release: () => void } {
    const { promise, resolve } = withResolvers();
    const held = { fits: fitting(fits), before, until: promise };
    this.#held.push(held);
    const release = (): void => {
      this.#held.splice(this.#held.indexOf(held), 1);
      resolve();
    };
    return { arrived: this.next(fits), release };
  }

  /** The next such request is answered so, and not done. */
  answerNext(fits: Fits, status: number, body: Bag | string | null): void {
    this.#instead.push({ fits: fitting(fits), reply: new Refusal(status, body) });
  }

  /** A frame for all who listen. */
  emit(action: string, event: Bag, project_id?: string): void {
    const more = this.faults.extraKeys ? { nobody_knows: 1 } : {};
    const frame = {
      action,
      event: { ...event, ...more },
      ...(project_id === undefined ? {} : { project_id }),
      ...more,
    };
    this.say(JSON.stringify(frame));
  }

  /** What is no frame of the protocol, as it is. */
  say(text: string | Buffer): void {
    for (const feed of this.#feeds.keys()) {
      feed.send(text);
      this.#pingLater(feed);
    }
  }

  /** `code` null: the connection is cut off. */
  dropFeed(code: number | null = null): void {
    for (const feed of [...this.#feeds.keys()]) {
      if (code === null) feed.terminate();
      else feed.close(code, 'Server shutdown');
    }
  }

  /** Forgets everything but files and images, and ends every connection. */
  restart(): void {
    this.dropFeed(1001);
    this.lab.forget();
    this.#server.closeAllConnections();
  }

  /** Nothing is read, answered or said until `thaw`. */
  freeze(): void {
    const { promise, resolve } = withResolvers();
    this.#frozen = { until: promise, resolve };
    for (const [feed, timer] of this.#feeds) {
      clearTimeout(timer);
      feed.pause();
    }
  }

  thaw(): void {
    this.#frozen?.resolve();
    this.#frozen = null;
    for (const feed of this.#feeds.keys()) {
      feed.resume();
      this.#pingLater(feed);
    }
  }

  /** A frame of a link that is captured, as a record of the capture file. */
  capture(node_id: string, at: string, record: Buffer): void {
    const capture = this.node(node_id)?.captures.get(at);
    if (capture === undefined) throw new Error(`nothing is captured on ${at} of ${node_id}`);
    capture.frames.push(record);
    for (const hear of capture.hear) hear(record);
  }

  async close(): Promise<void> {
    this.thaw();
    for (const timer of this.#feeds.values()) clearTimeout(timer);
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #about(): Call['about'] {
    const node_types = this.#options.nodeTypes ?? [...kinds.keys()];
    const more = this.faults.extraKeys ? { nobody_knows: 1 } : {};
    return {
      capabilities: { version: this.version, platform: 'linux', node_types, ...more },
      interfaces: this.#options.interfaces ?? INTERFACES,
      statistics: STATISTICS,
    };
  }

  #isAllowed({ headers }: IncomingMessage): boolean {
    if (this.faults.unauthorized) return false;
    const { user, password = '' } = this.#options;
    if (user === undefined) return true;
    return headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  }

  #record(request: IncomingMessage, body: unknown): Recorded {
    const { method = '', headers } = request;
    const recorded = { method, path: pathOf(request), headers, body, at: Date.now() };
    this.requests.push(recorded);
    for (const hear of [...this.#hears]) hear(recorded);
    return recorded;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (this.#frozen !== null) await this.#frozen.until;
    let reply: Reply | Refusal;
    let held: Promise<void> | undefined;
    try {
      [reply, held] = await this.#done(request, bytes);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reply = error;
    }
    await held;
    if (!response.destroyed) this.#send(request, response, reply);
  }

  /** The reply, and how long it is held back. */
  async #done(request: IncomingMessage, bytes: Buffer): Promise<[Reply | Refusal, Promise<void> | undefined]> {
    const found = rowOf(request);
    const body = found instanceof Refusal || found.row.raw ? bytes : jsonOf(bytes);
    const recorded = this.#record(request, bytes.length === 0 && !Buffer.isBuffer(body) ? null : body);
    const held = this.#held.find(({ fits }) => fits(recorded));
    if (held?.before === true) await held.until;
    if (!this.#isAllowed(request)) return [new Refusal(401, null), held?.until];
    const instead = this.#instead.findIndex(({ fits }) => fits(recorded));
    if (instead !== -1) return [this.#instead.splice(instead, 1)[0]?.reply as Refusal, held?.until];
    if (found instanceof Refusal) return [found, held?.until];
    if (body instanceof Refusal) return [body, held?.until];
    try {
      return [found.row.run({ lab: this.lab, path: found.path, body, about: this.#about() }), held?.until];
    } catch (error) {
      if (error instanceof Refusal) return [error, held?.until];
      throw error;
    }
  }

  #send({ method }: IncomingMessage, response: ServerResponse, reply: Reply | Refusal): void {
    const { status, body } = reply;
    const headers = reply instanceof Refusal ? {} : (reply.headers ?? {});
    response.setHeader('connection', 'close');
    response.setHeader('date', new Date(Date.now() + this.faults.clockAhead * 1_000).toUTCString());
    response.setHeader('server', `Python/3.11 GNS3/${this.version}`);
    if (status === 401) response.setHeader('www-authenticate', 'Basic realm="GNS3 server"');
    response.writeHead(status, { 'content-type': typeOf(body), ...headers });
    if (!(reply instanceof Refusal) && reply.stream !== undefined) return reply.stream(response);
    if (body === null || status === 204 || method === 'HEAD') return void response.end();
    if (typeof body === 'string' || Buffer.isBuffer(body)) return void response.end(body);
    response.end(JSON.stringify(this.#withMore(body), sorted, 4));
  }

  #withMore(body: object): object {
    const isRecord = 'node_id' in body || 'node_types' in body;
    return this.faults.extraKeys && isRecord ? { ...body, nobody_knows: 1 } : body;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#record(request, null);
    const where = pathOf(request);
    const found = isConsole(where);
    if (found !== null)
      return this.#console(found, (open) => this.#sockets.handleUpgrade(request, socket, head, open), socket);
    if (where !== '/v2/compute/notifications/ws') return refuseUpgrade(socket, 404, '404: Not Found');
    if (!this.#isAllowed(request)) return refuseUpgrade(socket, 401, '');
    this.#sockets.handleUpgrade(request, socket, head, (feed) => {
      feed.on('error', () => undefined);
      feed.on('close', () => {
        clearTimeout(this.#feeds.get(feed));
        this.#feeds.delete(feed);
      });
      this.#feeds.set(feed, undefined);
      this.#ping(feed);
    });
  }

  /** Without credentials, whatever the compute asks for elsewhere. */
  #console(
    [, project = '', kind = '', node_id = '']: RegExpExecArray,
    upgrade: (open: (console: WebSocket) => void) => void,
    socket: Duplex,
  ): void {
    try {
      const node = this.lab.node(project, kind, node_id);
      if (!node.kind.can.has('console')) throw new Refusal(404, '404: Not Found');
      if (node.status !== 'started') throw refusal(409, `${node.name} is not started`);
      if (node.console_type !== 'telnet') throw refusal(409, `${node.name} console type is not telnet`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuseUpgrade(socket, error.status, JSON.stringify(error.body));
    }
    upgrade((console) => {
      console.on('error', () => undefined);
      console.send(NEGOTIATION);
      console.send(Buffer.from(`${kind}> `));
      console.on('message', (data: Buffer) => console.send(data, { binary: true }));
    });
  }

  #ping(feed: WebSocket): void {
    const more = this.faults.extraKeys ? { nobody_knows: 1 } : {};
    const event = { cpu_usage_percent: 1.5, memory_usage_percent: 2.5, ...more };
    feed.send(JSON.stringify({ action: 'ping', event, ...more }));
    this.#pingLater(feed);
  }

  #pingLater(feed: WebSocket): void {
    const { pingMs = 1000 } = this.#options;
    clearTimeout(this.#feeds.get(feed));
    if (pingMs === 0 || this.#frozen !== null) return;
    const later = (): void => (this.faults.silent ? this.#pingLater(feed) : this.#ping(feed));
    this.#feeds.set(feed, setTimeout(later, pingMs));
  }
}

/** Without the query, decoded. */
const pathOf = ({ url = '' }: IncomingMessage): string => decodeURIComponent(url.replace(/\?.*$/, ''));

const shortOf = ({ path: where }: Recorded): string => where.replace(/^\/v2\/compute/, '');

const fitting = (fits: Fits): ((request: Recorded) => boolean) => {
  if (typeof fits === 'function') return fits;
  const [method, end = ''] = fits.split(' ');
  return (request) => request.method === method && request.path.endsWith(end);
};

const rowOf = (request: IncomingMessage): ReturnType<typeof rowFor> | Refusal => {
  try {
    return rowFor(request.method ?? '', pathOf(request));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

/** Whatever the type says; nothing is an empty object. */
const jsonOf = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return refusal(400, 'Request body is not valid JSON');
  }
};

const typeOf = (body: unknown): string => {
  if (typeof body === 'string') return 'text/plain; charset=utf-8';
  return body === null || Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
};

const refuseUpgrade = (socket: Duplex, status: number, body: string): void => {
  const length = Buffer.byteLength(body);
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n${body}`);
};
