import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as ask,
} from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WebSocket } from 'ws';
import { BOUNDS, boundedJson, boundedText } from '../../common/json.ts';
import { TopologError } from '../../common/errors.ts';
import { type Framing, framingOf } from '../access/framing.ts';
import type { Api } from '../api.ts';
import type { Joining } from '../routing/route.ts';
import { callerOf } from '../server/caller.ts';
import { takeTime } from '../server/upload.ts';
import type { CellSide, WriterSide } from './cell.ts';
import { FORWARDED } from './signature.ts';
import { isUnsent, whyNotThere } from './there.ts';

/** Of one connection (RFC 9110, 7.6.1), of the server that the client has asked, or about the body, which gets a frame of its own. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['proxy-connection', 'upgrade', 'host', 'origin', 'authorization', 'cookie', 'expect', FORWARDED],
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'sec-websocket-accept'],
]);

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** What forwards. */
type Forwarding = Pick<Api, 'local' | 'limits'> & { cell: CellSide };

/** Where a request goes on, and what tells the writer who asks. Throws `no_writer`. */
const onward = async (
  request: FastifyRequest,
  { cell, local }: Forwarding,
): Promise<{ url: URL; path: string; headers: OutgoingHttpHeaders; framing: Framing; writer: WriterSide }> => {
  const writer = await cell.writer();
  const { method, raw } = request;
  // Of a whole URL the path alone: it must lead to the writer.
  const sent = request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '');
  const url = new URL(`${writer.url}${sent}`);
  // The client of WebSockets sends it as a URL has it.
  const path = request.ws ? `${url.pathname}${url.search}` : sent;
  const framing = framingOf(raw.headers);
  const { principal, address } = callerOf(request).by;
  const signed = cell.signer.sign({ method, path, framing }, writer.epoch, { principal, address, local });
  const told = { 'x-request-id': request.id, [FORWARDED]: signed };
  const { 'content-length': _, ...headers } = passedOn(raw.headers);
  return { url, path, writer, framing, headers: { ...headers, ...frameOf(framing), ...told } };
};

/** What the client's connection is told of itself stays with it. */
const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const own = new Set(headers.connection?.toLowerCase().split(/[\s,]+/));
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !NOT_FORWARDED.has(name) && (!own.has(name) || name === 'content-length'),
    ),
  );
};

/** Said whatever the method is: without it, a body of some methods would be sent as it is, and read as the next request. */
const frameOf = (framing: Framing): OutgoingHttpHeaders => {
  if (framing === null) return {};
  return framing === 'chunked' ? { 'transfer-encoding': framing } : { 'content-length': framing };
};

/** Answers what the writer answers. Rejects with `no_writer` when it cannot be asked. */
export const forward = async (request: FastifyRequest, reply: FastifyReply, forwarding: Forwarding): Promise<void> => {
  const { url, path, headers, framing, writer } = await onward(request, forwarding);
  if (forwarding.cell.redirect) {
    await reply.code(307).header('Location', url.href).header('Content-Length', '0').send();
    return;
  }
  takeTime(request.raw, reply, forwarding.limits);
  const { hostname, port } = url;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = ask({ host, port, path, method: request.method, headers, agent, signal: writer.gone });
    asked.on('response', resolve);
    asked.on('error', (error) => reject(unanswered(request, writer, error)));
    reply.raw.once('close', () => asked.destroy());
    if (framing === null) asked.end();
    else request.raw.pipe(asked);
  });
  writer.reached(null);
  for (const [name, value] of Object.entries(passedOn(answer.headers)))
    if (value !== undefined) reply.header(name, value);
  await reply.code(answer.statusCode ?? 502).send(answer);
};

/** The writer may have done it before it went away, unless it was not connected to at all. */
const unanswered = ({ method }: FastifyRequest, writer: WriterSide, error: Error): TopologError => {
  const reason = whyNotThere(error);
  if (isUnsent(error)) writer.reached(reason);
  const done = isUnsent(error) ? 'the request was not carried out' : 'whether the request was carried out is not known';
  const told = method === 'GET' ? reason : `${reason}; ${done}`;
  return new TopologError('no_writer', { reason: told, retry_after: 1 }, { cause: error });
};

/** Opens the same WebSocket of the writer; its refusals are answered as they are. */
export const forwardSocket = async (request: FastifyRequest, forwarding: Forwarding): Promise<Joining> => {
  const { url, headers, writer } = await onward(request, forwarding);
  const { gone } = writer;
  const far = new WebSocket(url.href.replace(/^http/, 'ws'), { headers: headers as Record<string, string> });
  const end = (): void => far.terminate();
  gone.addEventListener('abort', end);
  far.once('close', () => gone.removeEventListener('abort', end));
  await new Promise<void>((resolve, reject) => {
    far.once('open', () => {
      // What it says before somebody listens would be lost.
      far.pause();
      resolve();
    });
    far.once('error', (error) => reject(unanswered(request, writer, error)));
    far.once('unexpected-response', (_asked, answer) => void refusalIn(answer).then(reject, reject));
  });
  return {
    join(socket) {
      far.on('message', (data, binary) => socket.send(data, { binary }));
      socket.on('message', (data, binary) => far.send(data, { binary }));
      far.on('close', (code, reason) => (isSendable(code) ? socket.close(code, reason) : socket.terminate()));
      far.on('error', () => socket.terminate());
      far.resume();
    },
    leave: () => far.terminate(),
  };
};

/** Codes that an end may send (RFC 6455, 7.4). */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);

const refusalIn = async (answer: IncomingMessage): Promise<TopologError> => {
  const { message: bounds } = BOUNDS;
  const said = boundedJson(await boundedText(answer, bounds.size), bounds) as { code?: string; message: string };
  const code = said.code as ConstructorParameters<typeof TopologError>[0] | undefined;
  return TopologError.saying(code ?? 'conflict', said.message);
};
