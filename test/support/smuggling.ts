import { once } from 'node:events';
import { connect } from 'node:net';

/** Messages that two servers in a row might read differently (RFC 9112, 11.2): each is one request for those who read it right, or none. */

export interface Form {
  name: string;
  /** Latin 1. */
  text: string;
  /** It is well formed, so that it must be answered: so many requests are in it. */
  requests?: number;
}

const DELETE = 'DELETE /v2/projects/4ff8a1cc-7b2d-4b90-8e16-6c3ab1b0a5d1';
const head = (lines: readonly string[], line = `${DELETE} HTTP/1.1`): string =>
  `${[line, 'Host: 127.0.0.1', ...lines].join('\r\n')}\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunked = (text: string): string => `${chunk(text)}0\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';
const length = (text: string): string => `Content-Length: ${text.length}`;

/** `hidden`: a request that nobody must carry out. */
export const forms = (hidden: string): Form[] => {
  const of = (name: string, text: string, requests?: number): Form => ({
    ...{ name, text },
    ...(requests === undefined ? {} : { requests }),
  });
  // What is after the end of the last chunk, for those who read chunks, and in the body, for those who count.
  const after = `0\r\n\r\n${hidden}`;
  const encoded = (name: string, ...lines: string[]): Form => of(name, head(lines) + after);
  const counted = (name: string, ...lines: string[]): Form => of(name, head(lines) + hidden);
  const inChunks = (name: string, text: string): Form => of(name, head([CHUNKED]) + text);
  return [
    of('a body in chunks', head([CHUNKED]) + chunked(hidden), 1),
    of('a body in chunks of another method', head([CHUNKED], 'POST /v2/projects HTTP/1.1') + chunked(hidden), 1),
    of('a body in chunks of a read', head([CHUNKED], 'GET /v2/statistics HTTP/1.1') + chunked(hidden), 1),
    of('a body that is counted', head([length(hidden)]) + hidden, 1),
    of('a body that is counted of a read', head([length(hidden)], 'GET /v2/statistics HTTP/1.1') + hidden, 1),
    of('no body', head([]), 1),
    of('no octet in chunks', `${head([CHUNKED])}0\r\n\r\n`, 1),
    of('two requests', head([CHUNKED]) + chunked('{}') + head([length(hidden)]) + hidden, 2),
    of('three requests', head([]) + head(['Content-Length: 0']) + head([CHUNKED]) + chunked(hidden), 3),
    of('an odd case', head(['tRANSFER-eNCODING: \tcHUNKED']) + chunked(hidden), 1),
    of('extensions of chunks', `${head([CHUNKED])}1;a=b;c="d"\r\n{\r\n0;e\r\n\r\n`, 1),
    of('a trailer', `${head([CHUNKED, 'Trailer: X-A'])}${chunk(hidden)}0\r\nX-A: b\r\n\r\n`, 1),
    of('an expectation', head([length(hidden), 'Expect: 100-continue']) + hidden, 1),
    counted('another expectation', length(hidden), 'Expect: 200-ok'),
    of(
      'the whole URL',
      head([CHUNKED], DELETE.replace('/v2', 'http://127.0.0.1/v2') + ' HTTP/1.1') + chunked(hidden),
      1,
    ),
    of(
      'the whole URL of another server',
      head([CHUNKED], DELETE.replace('/v2', 'http://127.0.0.1:1/v2') + ' HTTP/1.1') + chunked(hidden),
    ),
    encoded('a length and chunks', length(after), CHUNKED),
    encoded('chunks and a length', CHUNKED, length(after)),
    of('chunks and a length of nothing', head([CHUNKED, 'Content-Length: 0']) + chunked(hidden)),
    of('a length of a line and chunks', head(['Content-Length: 4', CHUNKED]) + chunked(hidden)),
    encoded('chunks twice', CHUNKED, CHUNKED),
    encoded('chunks, then nothing in particular', CHUNKED, 'Transfer-Encoding: identity'),
    encoded('nothing in particular, then chunks', 'Transfer-Encoding: identity', CHUNKED),
    encoded('chunks of another coding', 'Transfer-Encoding: gzip, chunked'),
    encoded('another coding of chunks', 'Transfer-Encoding: chunked, gzip'),
    encoded('an empty coding, then chunks', 'Transfer-Encoding: , chunked'),
    encoded('chunks with a parameter', 'Transfer-Encoding: chunked;q=1'),
    encoded('chunks in quotes', 'Transfer-Encoding: "chunked"'),
    encoded('nearly chunks', 'Transfer-Encoding: xchunked'),
    encoded('chunks behind a vertical tab', 'Transfer-Encoding: \x0bchunked'),
    encoded('chunks behind a zero octet', 'Transfer-Encoding: \0chunked'),
    counted('no coding, and a length', 'Transfer-Encoding:', 'Content-Length: 0'),
    counted('no coding in particular, and a length', 'Transfer-Encoding: identity', length(hidden)),
    encoded('chunks with a space before the colon', 'Transfer-Encoding : chunked'),
    encoded('chunks in a folded line', 'Transfer-Encoding:', ' chunked'),
    encoded('chunks in the fold of another line', 'X-A: b', ' Transfer-Encoding: chunked', length(after)),
    encoded('chunks in the fold of the first line', `\r\n ${CHUNKED}`),
    encoded('chunks behind a bare line feed', `X-A: b\nTransfer-Encoding: chunked`),
    encoded('chunks behind a bare carriage return', `X-A: b\rTransfer-Encoding: chunked`),
    encoded('chunks of HTTP/1.1 and of its mother', 'Transfer_Encoding: chunked', length(after)),
    of('chunks in HTTP/1.0', head([CHUNKED, 'Connection: keep-alive'], `${DELETE} HTTP/1.0`) + after),
    of('HTTP/2.0', head([length(hidden)], `${DELETE} HTTP/2.0`) + hidden),
    of('HTTP/0.9', `${DELETE}\r\n\r\n${hidden}`),
    counted('two lengths', length(hidden), 'Content-Length: 0'),
    counted('the same length twice', length(hidden), length(hidden)),
    counted('a list of lengths', `${length(hidden)}, 0`),
    counted('a length with a sign', 'Content-Length: +0'),
    counted('a length below nothing', 'Content-Length: -1'),
    counted('a hexadecimal length', 'Content-Length: 0x0'),
    counted('a length in words', 'Content-Length: 0 0'),
    counted('no length', 'Content-Length:'),
    counted('a length of 65 bits', 'Content-Length: 18446744073709551616'),
    counted('a length with a space before the colon', 'Content-Length : 0'),
    counted('a length with two carriage returns', `${length(hidden)}\r`),
    counted('a length that belongs to the connection', 'Connection: content-length, close', length(hidden)),
    counted('an upgrade with a body', 'Connection: Upgrade', 'Upgrade: h2c', length(hidden)),
    of('an upgrade in chunks', head(['Connection: Upgrade', 'Upgrade: websocket', CHUNKED]) + chunked(hidden)),
    counted('an upgrade without a body', 'Connection: Upgrade', 'Upgrade: h2c'),
    of('no line end after the head', `${head([length(hidden)]).slice(0, -2)}\n${hidden}`),
    inChunks('a hexadecimal size', `0x1\r\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('a size below nothing', `-1\r\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('a size with a space', `1 \r\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('a size of 68 bits', `10000000000000001\r\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('no size', `\r\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('a size with a bare line feed', `1\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('an extension with a bare line feed', `1;a\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('an extension with a bare carriage return', `1;a\rb\r\n{\r\n0\r\n\r\n${hidden}`),
    inChunks('a chunk with a bare line feed', `1\r\n{\n0\r\n\r\n${hidden}`),
    inChunks('a chunk that goes on', `1\r\n{XX0\r\n\r\n${hidden}`),
    inChunks('an end with a bare line feed', `0\r\n\n${hidden}`),
    inChunks('a length in a trailer', `${chunk(hidden)}0\r\n${length(hidden)}\r\n\r\n${hidden}`),
    inChunks('chunks in a trailer', `${chunk(hidden)}0\r\n${CHUNKED}\r\n\r\n${after}`),
    of('two hosts', head(['Host: localhost', CHUNKED]) + chunked(hidden)),
  ];
};

/** The same as a proxy sends them on that finds the end of a body by its own rule: what it takes for one request. */
export type Rule = (text: string) => number;

const headOf = (text: string): { head: string; end: number } => {
  const end = text.indexOf('\r\n\r\n') + 4;
  return { head: text.slice(0, end), end };
};

const lengthIn = (head: string): number =>
  Number.parseInt([...head.matchAll(/content-length\s*:\s*(\w*)/gi)].at(-1)?.[1] ?? '0', 10) || 0;

const chunksIn = (text: string, from: number): number => {
  for (let at = from; ;) {
    const size = Number.parseInt(text.slice(at), 16) || 0;
    const line = text.indexOf('\n', at) + 1;
    if (line === 0) return text.length;
    if (size === 0) return text.indexOf('\n', line) + 1 || text.length;
    at = line + size + 2;
  }
};

export const PROXIES: Readonly<Record<string, Rule>> = {
  'counts, and knows no chunks': (text) => {
    const { head, end } = headOf(text);
    return Math.min(text.length, end + lengthIn(head));
  },
  'takes anything like chunks for chunks': (text) => {
    const { head, end } = headOf(text);
    return /transfer.encoding[^\n]*\s*chunked/i.test(head)
      ? chunksIn(text, end)
      : Math.min(text.length, end + lengthIn(head));
  },
};

/** Between requests they are nothing (RFC 9112, 2.2); a server that still waits for some of a body has them as that. */
const FILLING = '\r\n'.repeat(500);

/** What a server answers to these octets: so many answers, or all until it closes the connection. */
export const exchange = async (url: string, text: string, answers: number): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const closed = once(socket, 'close');
  let heard = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    heard += piece;
    if (answersIn(heard).length >= answers) socket.end();
  });
  // It may have refused and gone before it was sent everything.
  socket.on('error', () => undefined);
  socket.write(text + FILLING, 'latin1');
  await closed;
  return heard;
};

/** Status and id of each answer. */
export const answersIn = (text: string): { status: number; id: string }[] =>
  [...text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) [\s\S]*?\r\n\r\n/g)].map(([answer, status]) => ({
    status: Number(status),
    id: /^x-request-id: (.*)\r$/im.exec(answer)?.[1] ?? '',
  }));
