import type { components, paths } from './api.ts';

/** The generated document as types of calls: what an operation needs, takes and answers. */

/** Records and bodies by their names in the document: `Schemas['Node']`. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'delete';
type PathsOf<M extends Method> = { [P in keyof paths]: M extends keyof paths[P] ? P : never }[keyof paths];

/** Path of a WebSocket: a console, a feed, or the packets of a capture. */
export type SocketPath = Extract<keyof paths, `${string}/ws` | `${string}/links/{link_id}/packets`>;
/** Path of a feed, without the `/ws` of its WebSocket. */
export type FeedPath = SocketPath extends infer P
  ? P extends `${infer F extends `${string}/notifications`}/ws`
    ? F
    : never
  : never;
/** Path of an operation with this method. */
export type Path<M extends Method> = Exclude<PathsOf<M>, SocketPath | FeedPath>;

export type Operation<M extends Method, P extends Path<M>> = M extends keyof paths[P] ? paths[P][M] : never;

/** Path whose answer can be had as lines. */
export type LinesPath = {
  [P in Path<'get'>]: Content<Operation<'get', P>> extends infer C
    ? 'application/x-ndjson' extends keyof C
      ? P
      : never
    : never;
}[Path<'get'>];

/** Body that is not JSON. */
export type Bytes = ReadableStream<Uint8Array> | Uint8Array | ArrayBuffer | Blob | string;

/** `{}` where an operation has no such part, so that parts can be intersected. */
// oxlint-disable-next-line typescript/no-empty-object-type
type Nothing = {};

type Parameters<O> = O extends { parameters: infer P } ? P : Nothing;

type Placeholders<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | Placeholders<Rest> : never;
/** Values of the placeholders of a path. */
export type PathPart<P extends string> = [Placeholders<P>] extends [never]
  ? Nothing
  : { path: Record<Placeholders<P>, string | number> };

/** Everything in a query is text; numbers and booleans may be given as such. */
type Wide<T> = T extends readonly (infer I)[] ? readonly I[] : string extends T ? T | number | boolean : T;
type QueryOf<Q> = { [K in keyof Q]: Wide<Q[K]> | (undefined extends Q[K] ? undefined : never) };
type QueryPart<O> =
  Parameters<O> extends infer P
    ? P extends { query: infer Q }
      ? { query: QueryOf<Q> }
      : P extends { query?: infer Q }
        ? 'query' extends keyof P
          ? { query?: QueryOf<NonNullable<Q>> | undefined }
          : Nothing
        : Nothing
    : never;

type BodyOf<R> = R extends { content: infer C } ? (C extends { 'application/json': infer J } ? J : Bytes) : never;
type BodyPart<O> = O extends { requestBody: infer R }
  ? { body: BodyOf<R> }
  : 'requestBody' extends keyof O
    ? { body?: BodyOf<NonNullable<O[keyof O & 'requestBody']>> | undefined }
    : Nothing;

/** Options of every call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined;
}
interface Guards {
  get: Nothing;
  post: {
    /** The same request with the same key is carried out once, however often it is sent; 1 to 255 visible characters. */
    idempotencyKey?: string | undefined;
    /** ETag of the plan to carry out: 412 when the plan would be another by now. */
    ifMatch?: string | undefined;
  };
  put: {
    /** ETag of the record as it was read: 412 when it has changed since. */
    ifMatch?: string | undefined;
  };
  delete: Guards['put'];
}

export type OptionsOf<M extends Method, P extends Path<M>> = CallOptions &
  Guards[M] &
  PathPart<P> &
  QueryPart<Operation<M, P>> &
  (M extends 'get' ? Nothing : BodyPart<Operation<M, P>>);

/** Argument list of a call: the options may be left out where none is required. */
export type Args<T> = Nothing extends T ? [options?: T] : [options: T];

type Content<O> = O extends { responses: infer R }
  ? { [C in keyof R & (200 | 201 | 204)]: R[C] extends { content: infer T } ? T : Nothing }[keyof R & (200 | 201 | 204)]
  : never;

/** Parsed JSON, a stream of anything else, undefined when there is nothing. */
export type ResultOf<M extends Method, P extends Path<M>> =
  Content<Operation<M, P>> extends infer C
    ? C extends { 'application/json': infer J }
      ? J
      : [keyof C] extends [never]
        ? undefined
        : ReadableStream<Uint8Array>
    : never;

export type FrameOf<P extends FeedPath> = P extends `/v2/compute/${string}`
  ? Schemas['ComputeFrame']
  : Schemas['Frame'];
