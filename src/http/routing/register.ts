import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../api.ts';
import { compressAnswers, compressed, encodingOf, type FixedText } from '../server/compression.ts';
import { readLateBody } from '../server/request-body.ts';
import { leaveBodies } from '../server/upload.ts';
import { asController, keyedRequest, once, runHandler } from './execute.ts';
import { routerPath } from './path-template.ts';
import { reader } from './read-call.ts';
import {
  type Call,
  isOfWriter,
  isSocket,
  type ParamTypes,
  type Payload,
  type PlainRoute,
  type Route,
  answersHead,
} from './route.ts';

/** Streams of answers that wait behind others of their connection. */
const waiting = new WeakMap<Socket, Set<Readable>>();

/**
 * Sends a stream once the answers before it are sent: Node keeps everything that is written before in memory, and tells such an answer nothing
 * of the end of its connection (HTTP/1.1 pipelining, RFC 9112, 9.3.2). A stream that waits ends with its connection.
 */
export const sendInTurn = (socket: Socket, response: ServerResponse, stream: Readable): void => {
  if (socket.destroyed) return void stream.destroy();
  const send = (): void => void pipeline(stream, response, () => undefined);
  if (response.socket !== null) return send();
  const streams = waiting.get(socket) ?? new Set();
  if (!waiting.has(socket)) {
    waiting.set(socket, streams);
    socket.once('close', () => {
      for (const one of streams) one.destroy();
    });
  }
  streams.add(stream);
  response.once('socket', () => {
    streams.delete(stream);
    send();
  });
};

/** Sends the answer; a promise where something has to be waited for. */
type Serve = (request: FastifyRequest, reply: FastifyReply) => unknown;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Template for X-Route. */
    template?: string;
    /** Its body is no JSON and keeps its type. */
    upload?: boolean;
    /** Nobody is asked for a password. */
    isPublic?: boolean;
    /** A server of a cell that stands by leaves it to the writer. */
    ofWriter?: (params: unknown) => boolean;
    /** Serves the request; kept here for requests that ask for an upgrade nobody offers. */
    serve?: Serve;
  }
}

/** Registers the rows of the table as routes of the server, all but WebSockets. */
export const registerRoutes = (app: FastifyInstance, api: Api, routes: readonly Route[]): void => {
  const plain = routes.filter((route): route is PlainRoute => !isSocket(route));
  for (const route of plain) if (route.upload === undefined && !isCompressed(route)) plainRoute(app, api, route);
  // Scopes of their own: what the plugins hook would cost every other request.
  void app.register((scope, _options, done) => {
    compressAnswers(scope);
    scope.after(() => {
      for (const route of plain) if (isCompressed(route)) plainRoute(scope, api, route);
    });
    done();
  });
  void app.register((scope, _options, done) => {
    leaveBodies(scope, api.limits);
    for (const route of plain) if (route.upload !== undefined) plainRoute(scope, api, route);
    done();
  });
};

/** Whether answers are worth to be compressed: lists and texts, but no single record, which is short. */
const isCompressed = ({ method, path, isDocumented, body }: Route): boolean =>
  method === 'GET' && body === undefined && isDocumented !== false && !path.endsWith('}');

type StreamPayload = Extract<Payload, { stream: Readable }>;

const plainRoute = (app: FastifyInstance, api: Api, route: PlainRoute): void => {
  const read = reader(api, route);
  const answer = (request: FastifyRequest, reply: FastifyReply, payload: Payload): void => {
    if (isKnown(request, payload)) reply.code(304).header('etag', request.headers['if-none-match']).send();
    else send(reply, route.success.code, payload);
  };
  const payloadOf = (request: FastifyRequest, reply: FastifyReply): Promise<Payload> | Payload => {
    // The table's row and its handler agree on these types; see `route`.
    const call = read(request, reply) as Call<ParamTypes, never, never>;
    if (route.method === 'GET') return route.handler(call);
    const handle = (): Promise<Payload> | Payload => runHandler(api, route, call);
    const keyed = keyedRequest(route, request);
    const work = keyed === null ? handle : () => once(api, route, { caller: call.caller, keyed }, handle);
    return asController(api, route, { call, url: request.url, body: request.body }, work);
  };
  const isLater = isCompressed(route);
  const hasLateBody = route.method === 'GET' && route.body !== undefined;
  const serve: Serve = (request, reply) => {
    if (hasLateBody)
      return readLateBody(request, api.bodyLimit).then(async (body) => {
        request.body = body;
        answer(request, reply, await payloadOf(request, reply));
      });
    const payload = payloadOf(request, reply);
    if (payload instanceof Promise)
      return payload.then((later) => {
        answer(request, reply, later);
        // A promise that ends before an answer is sent would send an empty one.
        return isLater ? reply : undefined;
      });
    return answer(request, reply, payload);
  };
  app.route({
    method: route.method,
    url: routerPath(route.path),
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    exposeHeadRoute: answersHead(route),
    config: {
      template: route.path,
      serve,
      upload: route.upload !== undefined,
      isPublic: route.isPublic === true,
      ofWriter: (params) => isOfWriter(route, params),
    },
    handler: serve,
  });
};

/** Whether the client has the record as it is (RFC 9110, 13.1.2), and gets no body. */
const isKnown = ({ method, headers }: FastifyRequest, payload: Payload): boolean =>
  payload !== null && 'etag' in payload && method === 'GET' && headers['if-none-match'] === payload.etag;

const send = (reply: FastifyReply, code: number, payload: Payload): FastifyReply => {
  reply.code(code);
  if (payload !== null && 'bytes' in payload)
    return reply
      .headers({ ...payload.headers, ...(payload.etag === undefined ? {} : { ETag: payload.etag }) })
      .header('Content-Type', payload.type)
      .send(payload.bytes);
  if (payload !== null && 'page' in payload) return sendPage(reply, payload);
  if (payload !== null && 'fixed' in payload) return sendFixed(reply, payload.fixed);
  if (payload !== null && 'location' in payload) reply.header('Location', payload.location);
  if (payload === null || 'location' in payload) return reply.header('Content-Length', '0').send();
  if ('stream' in payload) return sendStream(reply, code, payload);
  const [text, type] = 'json' in payload ? [payload.json, 'application/json'] : [payload.text, payload.type];
  if ('etag' in payload) reply.header('etag', payload.etag);
  if ('headers' in payload) reply.headers(payload.headers ?? {});
  // A text goes out in one piece with its head. With a serializer the framework leaves the type of a JSON text as it is.
  return reply.header('content-type', type).serializer(asItIs).send(text);
};

/** Clients may keep it, and ask whether it is still the same. */
const sendFixed = (reply: FastifyReply, fixed: FixedText): FastifyReply => {
  const encoding = encodingOf(reply.request);
  reply.headers({ etag: fixed.etag, 'content-type': 'application/json', vary: 'accept-encoding', ...REVALIDATE });
  if (encoding === null) return reply.serializer(asItIs).send(fixed.text);
  fixed.in(encoding).then(
    (bytes) => reply.header('content-encoding', encoding).send(bytes),
    (error: unknown) => reply.send(error),
  );
  return reply;
};

const REVALIDATE = { 'cache-control': 'no-cache' };

/** A year in seconds, for assets whose names have a hash of their content. */
const FOREVER = 31_536_000;

const sendPage = (
  reply: FastifyReply,
  { page, root, headers, forever }: Extract<Payload, { page: string }>,
): FastifyReply =>
  reply
    .headers(headers)
    .header('Vary', 'Accept-Encoding')
    .header('Cache-Control', forever ? `public, max-age=${FOREVER}, immutable` : 'no-cache')
    .sendFile(page, root, { cacheControl: false });

const asItIs = (text: string): string => text;

/** The head goes out at once, however long the first byte takes; what breaks later can only cut the connection. */
const sendStream = (
  reply: FastifyReply,
  code: number,
  { stream, type, whole, file, etag, headers = {} }: StreamPayload,
): FastifyReply => {
  reply.headers(headers);
  if (etag !== undefined) reply.header('etag', etag);
  const encoding = whole === true ? encodingOf(reply.request) : null;
  if (encoding !== null) reply.headers({ 'content-encoding': encoding, vary: 'accept-encoding' });
  if (file !== undefined) reply.header('Content-Disposition', disposition(file));
  reply.hijack();
  reply.raw.writeHead(code, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': type });
  reply.raw.flushHeaders();
  sendInTurn(reply.request.raw.socket, reply.raw, encoding === null ? stream : compressed(stream, encoding));
  return reply;
};

/** Content-Disposition (RFC 6266): the name in ASCII, and in full by RFC 8187. */
const disposition = (file: string): string => {
  const plain = file.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(file).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
};
