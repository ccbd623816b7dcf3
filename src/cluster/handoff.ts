import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { conflict } from '../common/errors.ts';

/** An HTTP application with its server of node:http, which listens at no address of its own. */
interface App {
  ready(): PromiseLike<unknown>;
  server: Server;
}

/** Longest wait of a connection for the next server. Milliseconds. */
const WAIT_MS = 5_000;

/** A listening socket of this process, which one server after another gets the connections of. Clients that connect between two servers wait. */
class SharedListener {
  readonly #host: string;
  readonly #waiting = new Set<Socket>();
  // Options of node:http's own listener; sockets are paused until there is a server to read them.
  readonly #listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (socket) =>
    this.#accept(socket),
  );
  #server: Server | null = null;
  #late: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(host: string) {
    this.#host = host;
  }

  open(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#listener.once('error', (error) => reject(listenError(this.#host, port, error)));
      this.#listener.listen({ host: this.#host, port }, resolve);
    });
  }

  get address(): AddressInfo {
    // It listens at a port, not at a path.
    return this.#listener.address() as AddressInfo;
  }

  get url(): string {
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${this.address.port}`;
  }

  isAt(host: string, port: number): boolean {
    return this.#host === host && this.address.port === port;
  }

  /** Gives the application the waiting connections, and all that come. */
  async handTo(app: App): Promise<void> {
    await app.ready();
    const { server } = app;
    server.address = () => this.address;
    // Makes node:http check its connections for timeouts.
    server.emit('listening');
    this.#listener.maxConnections = server.maxConnections;
    clearTimeout(this.#late);
    this.#isLate = false;
    this.#server = server;
    for (const socket of this.#waiting) this.#accept(socket);
    this.#waiting.clear();
  }

  /** Lets new connections wait for the next server. */
  hold(): void {
    this.#server = null;
    this.#late = setTimeout(() => {
      this.#isLate = true;
      this.#dropWaiting();
    }, WAIT_MS).unref();
  }

  close(): void {
    this.hold();
    clearTimeout(this.#late);
    this.#listener.close();
    this.#dropWaiting();
  }

  #accept(socket: Socket): void {
    if (this.#server !== null) {
      this.#server.emit('connection', socket);
      socket.resume();
    } else if (this.#isLate) socket.destroy();
    else {
      this.#waiting.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#waiting.delete(socket));
    }
  }

  #dropWaiting(): void {
    for (const socket of this.#waiting) socket.destroy();
  }
}

/** The listeners of this process, handed from one of its servers to the next. */
export class ListenerHandoff {
  #listeners: SharedListener[] = [];

  /** Listens at an address, or takes the listener that is there already. Port 0 picks a free one. Throws `conflict` where that fails. */
  async listenerAt(host: string, port: number): Promise<SharedListener> {
    const known = this.#listeners.find((listener) => listener.isAt(host, port));
    if (known !== undefined) return known;
    const listener = new SharedListener(host);
    await listener.open(port);
    this.#listeners.push(listener);
    return listener;
  }

  /** To be called when the current server ends. `isReplaced`: another one follows. */
  release(isReplaced: boolean): void {
    for (const listener of this.#listeners) {
      if (isReplaced) listener.hold();
      else listener.close();
    }
    if (!isReplaced) this.#listeners = [];
  }
}

/** Serves an application at an address. Answers its URL once clients reach it. */
export const listenAt = async (app: App, host: string, port: number, handoff: ListenerHandoff): Promise<string> => {
  const listener = await handoff.listenerAt(host, port);
  await listener.handTo(app);
  return listener.url;
};

const listenError = (host: string, port: number, error: Error & { code?: string }): Error => {
  if (error.code === 'EADDRINUSE') return conflict(`port ${port} of ${host} is in use by another program`);
  if (error.code === 'EADDRNOTAVAIL') return conflict(`${host} is not an address of this machine`);
  if (error.code === 'EACCES') return conflict(`this user may not listen on port ${port}`);
  return error;
};
