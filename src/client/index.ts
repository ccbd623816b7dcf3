import { mergeHeaders } from 'openapi-fetch';
import { addressOf, type Credentials, fill, forSockets, type Place } from './address.ts';
import { type Call, linesOf, type Reply, replyOf, send, type Sender, senderTo, streamOf } from './call.ts';
import type { Client } from './client.ts';
import { type FeedOptions, follow, type Listen } from './feed.ts';
import type * as Api from './operations.ts';
import { messagesOf, type SocketClass } from './socket.ts';

export type { Client } from './client.ts';
export { ApiError, type ErrorCode } from './call.ts';
export { type Lab, type LabNode, newLab, type TypeOptions } from './lab.ts';
export { cursorOf, type FeedOptions, type Shown } from './feed.ts';
export type { Reply } from './call.ts';
export type {
  Bytes,
  CallOptions,
  FeedPath,
  LinesPath,
  Method,
  OptionsOf,
  Path,
  ResultOf,
  Schemas,
  SocketPath,
} from './operations.ts';
export type { Socket, SocketClass } from './socket.ts';

export interface ConnectOptions extends Credentials {
  /** Address of the server: `http://127.0.0.1:3080`. Default: the origin of the page. */
  url?: string | URL | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the platform's. */
  fetch?: typeof globalThis.fetch | undefined;
  /** For feeds over WebSockets. Default: the platform's; Node has none before 22. */
  WebSocket?: SocketClass | undefined;
}

/** Makes a client; nothing is sent yet. */
export const connect = (options: ConnectOptions = {}): Client => {
  const sender = senderOf(options);
  const { address } = sender;
  const request = async (method: Api.Method, path: string, call: Call = {}): Promise<Reply<unknown>> =>
    replyOf(await send(sender, method, path, call));
  const verb = (method: Api.Method) => async (path: string, call?: Call) => (await request(method, path, call)).body;
  const client = {
    url: address.base,
    get: verb('get'),
    post: verb('post'),
    put: verb('put'),
    delete: verb('delete'),
    request,
    lines: (path: string, call: Call = {}) => linesAt(sender, path, call),
    feed: (path: string, given: FeedOptions & Place = {}) =>
      follow(listenAt(sender, options.WebSocket, path, given), given, ({ action }) => isLast(path, action)),
    socketUrl: (path: string, place: Place = {}) => `${forSockets(address.base)}${fill(path, place)}`,
    openSocket: (path: string, place: Place = {}) =>
      new (socketClass(options.WebSocket))(`${address.socketBase}${fill(path, place)}`),
    fetch: (path: string, init: RequestInit = {}) => {
      const headers = mergeHeaders(address.headers, new Headers(init.headers));
      return sender.fetch(`${address.base}${path}`, { ...init, headers });
    },
  };
  // Bodies and answers are not checked at run time: tests hold the server against the document's types.
  return client as unknown as Client;
};

const senderOf = ({ url, user, password, headers, fetch = globalThis.fetch }: ConnectOptions): Sender => {
  const from = url ?? (globalThis as { location?: { origin: string } }).location?.origin;
  if (from === undefined) throw new TypeError('connect needs the url of a server');
  const address = addressOf(from, { user, password });
  // The fetch of a browser throws when it is called as a method of another object.
  return senderTo({ ...address, headers: { ...address.headers, ...headers } }, (...args) => fetch(...args));
};

async function* linesAt(sender: Sender, path: string, call: Call): AsyncGenerator<string, void, undefined> {
  const answer = await send(sender, 'get', path, {
    ...call,
    headers: { accept: 'application/x-ndjson', ...call.headers },
  });
  yield* linesOf(streamOf(answer));
}

/** Whether a feed ends with this event: that of a project ends when the project is deleted. */
const isLast = (path: string, action: string): boolean =>
  action === 'project.deleted' && path.startsWith('/v2/projects/');

const socketClass = (given: SocketClass | undefined): SocketClass => {
  const found = given ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
  if (found === undefined) throw new TypeError('there is no WebSocket here: give connect the one of the package ws');
  return found;
};

/** Connects to a feed, over a WebSocket or HTTP. The feed of the compute group exists as a WebSocket only. */
const listenAt = (
  sender: Sender,
  given: SocketClass | undefined,
  path: string,
  options: FeedOptions & Place,
): Listen => {
  const { over = path.startsWith('/v2/compute/') ? 'websocket' : 'http' } = options;
  const { live, as, seat, beside } = options;
  const placeAt = (since: string | undefined): Place => ({
    path: options.path,
    query: { since, live, as, seat, beside },
  });
  if (over === 'http')
    return async function* (since, signal, connected) {
      const answer = await send(sender, 'get', path, { ...placeAt(since), signal });
      connected();
      yield* linesOf(streamOf(answer));
    };
  const WebSocket = socketClass(given);
  return async function* (since, signal, connected) {
    let isOpen = false;
    const socket = new WebSocket(`${sender.address.socketBase}${fill(`${path}/ws`, placeAt(since))}`);
    const opened = (): void => {
      isOpen = true;
      connected();
      options.onShow?.((shown) => socket.send(JSON.stringify(shown)));
    };
    try {
      yield* messagesOf(socket, signal, opened);
    } catch (error) {
      if (!isOpen) await throwRefusal(sender, path, { ...placeAt(since), signal });
      throw error;
    } finally {
      options.onShow?.(null);
    }
  };
};

/** Throws the server's error for a WebSocket that it refused, by the same request without one: a WebSocket does not tell why. */
const throwRefusal = async (sender: Sender, path: string, call: Call): Promise<void> => {
  const alike = path.startsWith('/v2/compute/') ? '/v2/compute/version' : path;
  const answer = await send(sender, 'get', alike, call);
  await answer.body?.cancel();
};
