import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { invalid } from '../../common/errors.ts';

/** Framing of messages (RFC 9112). Two servers in a row that read it differently take a part of one message for another request. */

/** How a body is framed: so many octets, in chunks; null: there is none. */
export type Framing = number | 'chunked' | null;

/** Framing of a message that `checkMessage` let in. */
export const framingOf = (headers: IncomingHttpHeaders): Framing => {
  if (headers['transfer-encoding'] !== undefined) return 'chunked';
  const { 'content-length': length } = headers;
  return length === undefined ? null : Number(length);
};

export const hasBody = (headers: IncomingHttpHeaders): boolean => (framingOf(headers) ?? 0) !== 0;

/** Whether Node has taken the request for one that asks for an upgrade, and so reads nothing more from its connection; its types lack the field. */
export const asksUpgrade = (request: IncomingMessage & { upgrade?: boolean | null }): boolean =>
  request.upgrade === true;

/** Connections on which nobody knows where the next request begins. */
const lost = new WeakSet<Socket>();

/** Whether what is read from there may be a part of a message that was refused. */
export const isLost = (socket: Socket): boolean => lost.has(socket);

/** Throws `invalid_request` for a message that others may read differently; its connection ends with that answer. */
export const checkMessage = (request: IncomingMessage, reply: FastifyReply): void => {
  const problem = problemOf(request);
  if (problem === null) return;
  // The parser may have read on already, and found a request in what is left of this one.
  lost.add(request.socket);
  reply.header('Connection', 'close');
  throw invalid(problem);
};

/** Problem of a message that Node's parser lets through; null: none. */
const problemOf = ({ headers, rawHeaders, httpVersion, url = '' }: IncomingMessage): string | null => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'it is not HTTP/1.1';
  const { host, 'transfer-encoding': coding } = headers;
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') return 'the header Transfer-Encoding must be chunked and nothing else';
    if (httpVersion === '1.0') return 'the header Transfer-Encoding is not for HTTP/1.0';
  }
  if (host === undefined) return 'the header Host is missing';
  if (timesIn(rawHeaders, 'host') > 1) return 'the header Host must be there once';
  const [, authority] = url.startsWith('/') ? [] : (/^https?:\/\/([^/?]*)/i.exec(url) ?? []);
  if (authority !== undefined && authority.toLowerCase() !== host.toLowerCase())
    return 'the header Host must be the server of the URL';
  return null;
};

const timesIn = (rawHeaders: readonly string[], name: string): number => {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times;
};
