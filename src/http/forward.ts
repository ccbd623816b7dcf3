import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WebSocket } from 'ws';
import type { CellFacade, ForwardTarget } from '../cluster/lease-watch.ts';
import { connectErrorMessage, failedToConnect } from '../cluster/ping.ts';
import { FORWARDED } from '../cluster/signature.ts';
import { TopologError } from '../common/errors.ts';
import { boundedJson, boundedText, BOUNDS } from '../common/json.ts';
import { type Framing, framingOf } from './access/framing.ts';
import type { Api } from './api.ts';
import type { Joining } from './routing/route.ts';
import { callerOf } from './server/caller.ts';
import { takeTime } from './server/upload.ts';

/** Headers of one connection (RFC 9110, 7.6.1), for the first server, or about the framing of the body, which is set again. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'proxy-connection',
  'upgrade',
  'host',
  'origin',
  'authorization',
  'cookie',
  'expect',
  FORWARDED,
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-accept',
]);

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

type Forwarding = Pick<Api, 'local' | 'limits'> & { cell: CellFacade };

/** The request to the writer, signed with its caller. Throws `no_writer`. */
const requestToWriter = async (
  request: FastifyRequest,
  { cell, local }: Forwarding,
): Promise<{ url: URL; path: string; headers: OutgoingHttpHeaders; framing: Framing; writer: ForwardTarget }> => {
  const writer = await cell.writer();
  const { method, raw } = request;
  // The request target may be a whole URL; only its path is forwarded.
  const sent = request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '');
  const url = new URL(`${writer.url}${sent}`);
  // The WebSocket client normalizes the path, and the signature is over the path as it is sent.
  const path = request.ws ? `${url.pathname}${url.search}` : sent;
  const framing = framingOf(raw.headers);
  const { principal, address } = callerOf(request).by;
  const signed = cell.signer.sign({ method, path, framing }, writer.epoch, { principal, address, local });
  const added = { 'x-request-id': request.id, [FORWARDED]: signed };
  const { 'content-length': _, ...headers } = endToEnd(raw.headers);
  return { url, path, writer, framing, headers: { ...headers, ...frameOf(framing), ...added } };
};

/** The headers without those of the connection itself. */
const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const own = new Set(headers.connection?.toLowerCase().split(/[\s,]+/));
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !NOT_FORWARDED.has(name) && (!own.has(name) || name === 'content-length'),
    ),
  );
};

/** Framing headers, for every method: without them node:http would send the body of some methods unframed, to be read as the next request. */
const frameOf = (framing: Framing): OutgoingHttpHeaders => {
  if (framing === null) return {};
  return framing === 'chunked' ? { 'transfer-encoding': framing } : { 'content-length': framing };
};

/** Forwards a request to the writer and passes its answer on. Rejects with `no_writer` when the writer does not answer. */
export const forward = async (request: FastifyRequest, reply: FastifyReply, forwarding: Forwarding): Promise<void> => {
  const { url, path, headers, framing, writer } = await requestToWriter(request, forwarding);
  if (forwarding.cell.redirect) {
    await reply.code(307).header('Location', url.href).header('Content-Length', '0').send();
    return;
  }
  takeTime(request.raw, reply, forwarding.limits);
  const { hostname, port } = url;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest({ host, port, path, method: request.method, headers, agent, signal: writer.gone });
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(noAnswer(request, writer, error)));
    reply.raw.once('close', () => outgoing.destroy());
    if (framing === null) outgoing.end();
    else request.raw.pipe(outgoing);
  });
  writer.reached(null);
  for (const [name, value] of Object.entries(endToEnd(answer.headers)))
    if (value !== undefined) reply.header(name, value);
  await reply.code(answer.statusCode ?? 502).send(answer);
};

/** The error of a request without an answer. The writer may have carried it out, unless no connection could be made. */
const noAnswer = ({ method }: FastifyRequest, writer: ForwardTarget, error: Error): TopologError => {
  const reason = connectErrorMessage(error);
  if (failedToConnect(error)) writer.reached(reason);
  const done = failedToConnect(error)
    ? 'the request was not carried out'
    : 'whether the request was carried out is not known';
  const full = method === 'GET' ? reason : `${reason}; ${done}`;
  return new TopologError('no_writer', { reason: full, retry_after: 1 }, { cause: error });
};

/** Opens the same WebSocket at the writer. Rejects with the writer's refusal. */
export const forwardSocket = async (request: FastifyRequest, forwarding: Forwarding): Promise<Joining> => {
  const { url, headers, writer } = await requestToWriter(request, forwarding);
  const { gone } = writer;
  const upstream = new WebSocket(url.href.replace(/^http/, 'ws'), { headers: headers as Record<string, string> });
  const end = (): void => upstream.terminate();
  gone.addEventListener('abort', end);
  upstream.once('close', () => gone.removeEventListener('abort', end));
  await new Promise<void>((resolve, reject) => {
    upstream.once('open', () => {
      // Messages that arrive before somebody listens would be lost.
      upstream.pause();
      resolve();
    });
    upstream.once('error', (error) => reject(noAnswer(request, writer, error)));
    upstream.once('unexpected-response', (_asked, answer) => void refusalIn(answer).then(reject, reject));
  });
  return {
    join(socket) {
      upstream.on('message', (data, binary) => socket.send(data, { binary }));
      socket.on('message', (data, binary) => upstream.send(data, { binary }));
      upstream.on('close', (code, reason) => (isSendable(code) ? socket.close(code, reason) : socket.terminate()));
      upstream.on('error', () => socket.terminate());
      upstream.resume();
    },
    leave: () => upstream.terminate(),
  };
};

/** Whether an endpoint may send the close code (RFC 6455, 7.4). */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);

const refusalIn = async (answer: IncomingMessage): Promise<TopologError> => {
  const { message: bounds } = BOUNDS;
  const said = boundedJson(await boundedText(answer, bounds.size), bounds) as { code?: string; message: string };
  const code = said.code as ConstructorParameters<typeof TopologError>[0] | undefined;
  return TopologError.saying(code ?? 'conflict', said.message);
};
