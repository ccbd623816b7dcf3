import type { Reply } from './call.ts';
import type { FeedOptions } from './feed.ts';
import type * as Api from './operations.ts';
import type { Socket } from './socket.ts';

type Verb<M extends Api.Method> = <P extends Api.Path<M>>(
  path: P,
  ...args: Api.Args<Api.OptionsOf<M, P>>
) => Promise<Api.ResultOf<M, P>>;

/**
 * One server's interface, typed by its OpenAPI document: paths are those of the document, placeholders in braces. What the server
 * refuses is thrown as ApiError.
 */
export interface Client {
  /** Without a slash at its end. */
  readonly url: string;
  readonly get: Verb<'get'>;
  readonly post: Verb<'post'>;
  readonly put: Verb<'put'>;
  readonly delete: Verb<'delete'>;
  /** Sends a request; answers with status, headers and ETag as well. */
  request<M extends Api.Method, P extends Api.Path<M>>(
    method: M,
    path: P,
    ...args: Api.Args<Api.OptionsOf<M, P>>
  ): Promise<Reply<Api.ResultOf<M, P>>>;
  /** An answer line by line, each a JSON value as it is stored. */
  lines<P extends Api.LinesPath>(
    path: P,
    ...args: Api.Args<Api.OptionsOf<'get', P>>
  ): AsyncGenerator<string, void, undefined>;
  /** Yields frames of a feed, from now or from a position on. It reconnects by itself, and ends when its project is deleted. */
  feed<P extends Api.FeedPath>(
    path: P,
    ...args: Api.Args<FeedOptions & Api.PathPart<P>>
  ): AsyncGenerator<Api.FrameOf<P>, void, undefined>;
  /** Address of a WebSocket, as of a console; without the user. */
  socketUrl<P extends Api.SocketPath>(path: P, ...args: Api.Args<Api.PathPart<P>>): string;
  /** Opens a WebSocket there, as its user; by the class that `connect` was given, or the platform's. */
  openSocket<P extends Api.SocketPath>(path: P, ...args: Api.Args<Api.PathPart<P>>): Socket;
  /** Sends a request as it is, to a path that begins with `/v2`, with the headers that every request has. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}
