import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TopologError } from '../../common/errors.ts';
import { addressKey } from './client-address.ts';

export interface RateLimits {
  /** Open connections, of everybody and of one address. */
  connections: number;
  connectionsPerAddress: number;
  /** Requests of one address that are not answered yet, WebSockets and streams among them. */
  requestsPerAddress: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts the request as answered; null until it has been counted. */
    leave: (() => void) | null;
  }
}

interface Client {
  key: string;
  connections: number;
  requests: number;
}

interface Connection {
  client: Client;
  /** Its unanswered requests. */
  requests: number;
  isSurplus: boolean;
  /** Callbacks that end requests of clients of a proxy. */
  told: Set<() => void>;
  /** One of them has come to its end. */
  answered: () => void;
}

/** How long a connection too many may stay without asking anything. */
const SURPLUS_MS = 2_000;

/**
 * Counts connections and requests by address. Connections of a proxy are not limited, as they are those of many clients; its requests count
 * for the client addresses that it tells.
 */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #clients = new Map<string, Client>();
  readonly #connections = new WeakMap<Socket, Connection>();

  readonly #isProxy: (address: string | undefined) => boolean;

  constructor(server: Server, limits: RateLimits, isProxy: (address: string | undefined) => boolean = () => false) {
    this.#limits = limits;
    this.#isProxy = isProxy;
    server.maxConnections = limits.connections;
    server.on('connection', (socket: Socket) => this.#connected(socket));
  }

  #connected(socket: Socket): void {
    const client = this.#client(socket.remoteAddress);
    const most = this.#limits.connectionsPerAddress;
    client.connections += 1;
    const connection: Connection = {
      client,
      requests: 0,
      isSurplus: client.connections > most && !this.#isProxy(socket.remoteAddress),
      told: new Set(),
      answered: () => {
        if (connection.requests === 0) return;
        connection.requests -= 1;
        client.requests -= 1;
      },
    };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      // Not every unanswered request closes its answer.
      client.requests -= connection.requests;
      connection.requests = 0;
      client.connections -= 1;
      for (const end of connection.told) end();
      this.#leave(client);
    });
    if (!connection.isSurplus) return;
    // The first of them are told why; that costs as much again at most.
    if (client.connections > 2 * most) socket.destroy();
    const timer = setTimeout(() => socket.destroy(), SURPLUS_MS);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  }

  #client(address: string | undefined): Client {
    const key = addressKey(address);
    const client = this.#clients.get(key) ?? { key, connections: 0, requests: 0 };
    this.#clients.set(key, client);
    return client;
  }

  #leave(client: Client): void {
    if (client.connections === 0 && client.requests === 0) this.#clients.delete(client.key);
  }

  /** Counts a request until its `leave` is called. Throws `too_many_requests`. */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    const { raw, address } = request;
    const connection = this.#connections.get(raw.socket);
    if (connection === undefined) return;
    const { isSurplus } = connection;
    const { connectionsPerAddress, requestsPerAddress } = this.#limits;
    const client = address === null ? connection.client : this.#client(address);
    if (isSurplus) {
      reply.header('Connection', 'close');
      throw tooMany(`This address has more than ${connectionsPerAddress} connections`);
    }
    if (client.requests >= requestsPerAddress)
      throw tooMany(`This address has ${requestsPerAddress} unanswered requests`);
    client.requests += 1;
    if (address === null) {
      connection.requests += 1;
      request.leave = connection.answered;
    } else request.leave = this.#toldClient(client, connection);
  }

  #toldClient(client: Client, { told }: Connection): () => void {
    const end = (): void => {
      if (!told.delete(end)) return;
      client.requests -= 1;
      this.#leave(client);
    };
    told.add(end);
    return end;
  }
}

const tooMany = (reason: string): TopologError => new TopologError('too_many_requests', { reason, retry_after: 1 });
