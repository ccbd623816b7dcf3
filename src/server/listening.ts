import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { conflict } from '../common/errors.ts';
import type { buildServer } from '../http/server/server.ts';

type App = ReturnType<typeof buildServer>;

/** Longest wait of a connection for the next server. Milliseconds. */
const WAIT_MS = 5_000;

/** An address of this process. Its servers come and go; who connects between two of them waits. */
class Door {
  readonly #host: string;
  readonly #waiting = new Set<Socket>();
  // As node:http listens; none is read before somebody is there to read.
  readonly #listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (socket) =>
    this.#come(socket),
  );
  #server: Server | null = null;
  #late: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(host: string) {
    this.#host = host;
  }

  open(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#listener.once('error', (error) => reject(notListening(this.#host, port, error)));
      this.#listener.listen({ host: this.#host, port }, resolve);
    });
  }

  get address(): AddressInfo {
    // It listens, and at no path.
    return this.#listener.address() as AddressInfo;
  }

  get url(): string {
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${this.address.port}`;
  }

  isAt(host: string, port: number): boolean {
    return this.#host === host && this.address.port === port;
  }

  async lead(app: App): Promise<void> {
    await app.ready();
    const { server } = app;
    server.address = () => this.address;
    // With it node:http begins to look after the times of its connections.
    server.emit('listening');
    this.#listener.maxConnections = server.maxConnections;
    clearTimeout(this.#late);
    this.#isLate = false;
    this.#server = server;
    for (const socket of this.#waiting) this.#come(socket);
    this.#waiting.clear();
  }

  /** Who connects from now on waits. */
  wait(): void {
    this.#server = null;
    this.#late = setTimeout(() => {
      this.#isLate = true;
      this.#turnAway();
    }, WAIT_MS).unref();
  }

  close(): void {
    this.wait();
    clearTimeout(this.#late);
    this.#listener.close();
    this.#turnAway();
  }

  #come(socket: Socket): void {
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

  #turnAway(): void {
    for (const socket of this.#waiting) socket.destroy();
  }
}

/** Where the servers of this process listen that take each other's place. */
export class Doors {
  #all: Door[] = [];

  /** Port 0 picks a free one. Throws `conflict` with a sentence when nobody can listen there. */
  async at(host: string, port: number): Promise<Door> {
    const known = this.#all.find((door) => door.isAt(host, port));
    if (known !== undefined) return known;
    const door = new Door(host);
    await door.open(port);
    this.#all.push(door);
    return door;
  }

  /** The server of now ends. `stays`: another one takes its place. */
  leave(stays: boolean): void {
    for (const door of this.#all) {
      if (stays) door.wait();
      else door.close();
    }
    if (!stays) this.#all = [];
  }
}

/** Its URL, once clients get to the facade. */
export const listenAt = async (app: App, host: string, port: number, doors: Doors): Promise<string> => {
  const door = await doors.at(host, port);
  await door.lead(app);
  return door.url;
};

const notListening = (host: string, port: number, error: Error & { code?: string }): Error => {
  if (error.code === 'EADDRINUSE') return conflict(`port ${port} of ${host} is in use by another program`);
  if (error.code === 'EADDRNOTAVAIL') return conflict(`${host} is not an address of this machine`);
  if (error.code === 'EACCES') return conflict(`this user may not listen on port ${port}`);
  return error;
};
