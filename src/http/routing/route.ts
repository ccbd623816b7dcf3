import { createHash } from 'node:crypto';
import { type Duplex, Readable } from 'node:stream';
import { setImmediate as untilImmediate } from 'node:timers/promises';
import type { WebSocket } from '@fastify/websocket';
import type { z } from 'zod';
import type { Caller, Claimant } from '../../actors/commands.ts';
import { etagOf } from '../../actors/runtime/precondition.ts';
import { memo } from '../../common/memo.ts';
import { hidden } from '../../common/lab-secrets/texts.ts';
import type { Stamp } from '../../projections/records.ts';
import { FixedText } from '../server/compression.ts';
import { placeholders } from './path-template.ts';

/** The controller that a request of the compute group comes from. */
export interface Controller extends Claimant {
  /** Identifies a repetition of the request; null: the request is carried out whenever it comes. */
  key: string | null;
}

/** One row of the interface as data: register.ts makes the route of it, openapi.ts its entry in the document. */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Every placeholder a path may have, with what its handler gets. */
export interface ParamTypes {
  project_id: string;
  node_id: string;
  link_id: string;
  drawing_id: string;
  template_id: string;
  /** May have slashes. */
  symbol_id: string;
  compute_id: string;
  recording_name: string;
  capture_name: string;
  packet_number: number;
  /** Position of an event. */
  position: number;
  snapshot_id: string;
  weather_id: string;
  check_id: string;
  /** Rest of a path as it came, slashes included. */
  path: string;
  /** Name of an image; may have slashes. */
  filename: string;
  /** Path that is forwarded to the compute group. */
  action: string;
  /** First segment of the compute group's paths: mostly a kind, by either name. */
  emulator: string;
  /** Engine of the helper machine. */
  engine: string;
  replay_id: string;
  adapter_number: number;
  port_number: number;
}
export type ParamName = keyof ParamTypes;

export interface Call<P = ParamTypes, Q = unknown, B = unknown> {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  /** The Accept header. */
  accept: string;
  /** The Last-Event-ID header, null without one. */
  lastEventId: string | null;
  /** Controller that a request of the compute group comes from; null: any other client. */
  controller: Controller | null;
  /** Aborted when the client has gone or the server closes. */
  signal: AbortSignal;
  /** The body as it comes, for a route with `upload`; a multipart wrapper is taken off. */
  upload: Readable;
  /** Octets of the upload by Content-Length; null: it is absent. */
  uploadLength: number | null;
}

/** `json` is JSON text; `null` is an empty body. `file`: what a client may save a stream as. */
export type Payload =
  | { json: string; etag?: string; headers?: Readonly<Record<string, string>> }
  | { text: string; type: string; etag?: string; headers?: Readonly<Record<string, string>> }
  | { bytes: Uint8Array; type: string; etag?: string; headers?: Readonly<Record<string, string>> }
  /** `whole`: it is sent as fast as it is taken, and ends; others go on for as long as something happens. */
  | {
      stream: Readable;
      type: string;
      whole?: true;
      file?: string;
      etag?: string;
      headers?: Readonly<Record<string, string>>;
    }
  /** JSON text. */
  | { fixed: FixedText; etag: string }
  | { location: string }
  /** A file below `root`; `forever`: its name changes with its content. */
  | { page: string; root: string; headers: Readonly<Record<string, string>>; forever: boolean }
  | null;

export interface Success {
  code: 101 | 200 | 201 | 204 | 302;
  schema?: z.ZodType;
  /** When it is not JSON. */
  type?: string;
  /** For answers without a schema. */
  description?: string;
  /** With this type in Accept the answer is a stream of lines instead. */
  lines?: true;
  /** Frames of a feed. */
  frames?: z.ZodType;
}

/** A JSON value a line: https://github.com/ndjson/ndjson-spec */
export const LINES = 'application/x-ndjson';

/** Parts of a row that follow from its method and path, unless it has its own. */
interface Place {
  method: Method;
  /** Template as the specification writes it, placeholders in braces. */
  path: string;
  group: 'controller' | 'compute' | 'server';
  /** Placeholders of the path, in its order. */
  params: readonly ParamName[];
  success: Success;
  errors: readonly number[];
}

interface Common<Q extends z.ZodType, B extends z.ZodType> {
  /** Absent: that of the path, `compute` below `/v2/compute/`, else `controller`. */
  group?: 'server';
  summary: string;
  query?: Q;
  body?: B;
  /** Media type of a body that is not JSON: the handler reads `call.upload`. */
  upload?: string;
  /** Query parameters count as string fields of the body. */
  queryIntoBody?: boolean;
  /** Bytes; default: that of the server. */
  bodyLimit?: number;
  /** Nobody is asked for a password. Default: as the server asks. */
  isPublic?: boolean;
  /** Served also to a controller that does not have this compute. */
  isUnfenced?: boolean;
  /** Every server of a cell answers it: from the log, or about itself. Absent: the writer does. */
  anyServer?: boolean | ((params: Readonly<Record<string, string>>) => boolean);
  /** False: not part of the interface's document. */
  isDocumented?: boolean;
  /** 403 on a server that is not the local one, whatever the body. */
  localOnly?: boolean;
  /** Absent: 204, an empty answer. */
  success?: Success;
  /** Absent: none of its own. */
  errors?: readonly number[];
}
/** Types of the placeholders of a path. */
export type ParamsOf<T extends string> = Pick<ParamTypes, NamesIn<T>>;
type NamesIn<T extends string> = T extends `${string}{${infer N extends ParamName}}${infer Rest}`
  ? N | NamesIn<Rest>
  : never;

interface Plain<P, Q extends z.ZodType, B extends z.ZodType> extends Common<Q, B> {
  handler(call: Call<P, z.output<Q>, z.output<B>>): Promise<Payload> | Payload;
}
/** Takes over a WebSocket once it is open. */
export interface Joining {
  join(socket: WebSocket, below: Pick<Duplex, 'cork' | 'uncork'>): void;
  /** The connection is closed, also when its handshake failed. */
  leave(): void;
}
interface Socket<P, Q extends z.ZodType> extends Common<Q, z.ZodUnknown> {
  /** Opens what the WebSocket is then joined to, a stream of bytes or more than that; what it throws is answered before the upgrade. */
  socket(call: Call<P, z.output<Q>>): Promise<Duplex | Joining> | Duplex | Joining;
}

type Row = Omit<Common<z.ZodType, z.ZodType>, keyof Place> & Place;

/** A route without the types of its arguments, which have been checked against its own schemas. */
export interface PlainRoute extends Row {
  handler(call: Call<ParamTypes, never, never>): Promise<Payload> | Payload;
}
export interface SocketRoute extends Row {
  socket(call: Call<ParamTypes, never, never>): Promise<Duplex | Joining> | Duplex | Joining;
}
export type Route = PlainRoute | SocketRoute;

/** Whether a server of a cell that stands by leaves a request to the writer. */
export const isOfWriter = (row: Route, params: unknown): boolean => {
  const { anyServer = false } = row;
  return typeof anyServer === 'function' ? !anyServer(params as Record<string, string>) : !anyServer;
};

export const isSocket = (r: Route): r is SocketRoute => 'socket' in r;

const placeOf = (method: Method, path: string): Place => ({
  method,
  path,
  group: path.startsWith('/v2/compute/') ? 'compute' : 'controller',
  params: placeholders(path) as ParamName[],
  success: { code: 204 },
  errors: [],
});

export const route = <T extends string, Q extends z.ZodType = z.ZodUnknown, B extends z.ZodType = z.ZodUnknown>(
  method: Method,
  path: T,
  row: Plain<ParamsOf<T>, Q, B>,
): PlainRoute => ({ ...placeOf(method, path), ...row });

export const socketRoute = <T extends string, Q extends z.ZodType = z.ZodUnknown>(
  path: T,
  row: Socket<ParamsOf<T>, Q>,
): SocketRoute => ({ ...placeOf('GET', path), ...row });

/** The empty answer, once it is done. */
export const done = async (doing: Promise<unknown>): Promise<Payload> => {
  await doing;
  return null;
};
export const json = (value: unknown): Payload => ({ json: hidden(JSON.stringify(value)) });
export const jsonText = (text: string): Payload => ({ json: text });
/** A record's text with its ETag. */
export const recordText = (text: string, record: Stamp): Payload => ({ json: text, etag: etagOf(record) });
/** A text that stays the same while the server runs. */
export const fixedJson = (text: string): { fixed: FixedText; etag: string } => {
  const fixed = new FixedText(text);
  return { fixed, etag: fixed.etag };
};

export const jsonList = <R>(
  items: readonly R[],
  textOf: (item: R) => string,
): Extract<Payload, { json: string } | { stream: Readable }> =>
  items.length <= AT_ONCE
    ? { json: `[${items.map(textOf).join(',')}]` }
    : { stream: Readable.from(listed(items, textOf), { highWaterMark: 1 }), type: 'application/json', whole: true };

/** Names a list by the positions of the events that changed its records last. */
const tagOf = (records: readonly Stamp[]): string =>
  `W/"${createHash('sha1')
    .update(records.map(({ changed }) => changed).join())
    .digest('base64url')}"`;

/** Records with the ETag of their list. */
export const taggedList = <R extends Stamp>(records: readonly R[], textOf: (record: R) => string): Payload => ({
  ...jsonList(records, textOf),
  etag: tagOf(records),
});

/** A list of all records of a project, whose text is kept with `textOf`: pass the same function every time. */
export const recordList = <R extends Stamp>(records: readonly R[], textOf: (record: R) => string): Payload =>
  records.length <= AT_ONCE ? keptList(textOf)(records) : taggedList(records, textOf);

type ListOf<R> = (records: readonly R[]) => Extract<Payload, { bytes: Uint8Array }>;
const makers = new WeakMap<object, ListOf<never>>();
const keptList = <R extends Stamp>(textOf: (record: R) => string): ListOf<R> => {
  const known = makers.get(textOf);
  if (known !== undefined) return known as ListOf<R>;
  const make: ListOf<R> = memo((records: readonly R[]) => ({
    bytes: Buffer.from(`[${records.map(textOf).join(',')}]`),
    type: 'application/json',
    etag: tagOf(records),
  }));
  makers.set(textOf, make);
  return make;
};

/** Items of a list in one piece of an answer; a longer list is sent in pieces as it is made. */
const AT_ONCE = 250;

async function* listed<R>(records: readonly R[], textOf: (record: R) => string): AsyncGenerator<string> {
  for (let from = 0; from < records.length; from += AT_ONCE) {
    const texts = records.slice(from, from + AT_ONCE).map(textOf);
    await untilImmediate();
    yield `${from === 0 ? '[' : ','}${texts.join(',')}`;
  }
  yield ']';
}

/** Value of `X-Route` on answers that no route served. */
export const NO_ROUTE = '*';

/** Whether a GET answers HEAD as well: one without a stream or WebSocket does. */
export const answersHead = (route: Route): boolean =>
  route.success.code === 200 && (route.success.type === undefined || route.isPublic === true);
