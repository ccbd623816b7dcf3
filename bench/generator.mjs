// Sends requests over keep-alive connections as fast as they are answered. Written on bare sockets: a client that costs more than
// the server would measure itself.
import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** Bytes of a request; `body` is an object or absent. */
export const requestBytes = (method, path, body) => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${length}\r\n${text}`;
};

/**
 * Each of `connections` sends `request(connection, n)` and the next one when the answer is there, for `seconds`. Resolves with
 * requests a second and the times of all of them in milliseconds. Any status but `status` ends the measurement with an error.
 */
export const generate = async ({ port, connections, seconds, status, request }) => {
  const until = performance.now() + seconds * 1000;
  const begin = performance.now();
  const results = await Promise.all(
    Array.from({ length: connections }, (_, i) => client({ port, until, status, request: (n) => request(i, n) })),
  );
  const times = results.flat();
  return { perSecond: times.length / ((performance.now() - begin) / 1000), times };
};

const client = async ({ port, until, status, request }) => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const times = [];
  let sent = 0;
  let rest = Buffer.alloc(0);
  const send = () => {
    sent = performance.now();
    socket.write(request(times.length));
  };
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const length = answerLength(rest);
      if (length === null || rest.length < length) return;
      const code = Number(rest.toString('latin1', 9, 12));
      if (code !== status) return reject(new Error(rest.toString('utf8', 0, length)));
      rest = rest.subarray(length);
      const now = performance.now();
      times.push(now - sent);
      if (now < until) send();
      else resolve();
    });
    send();
  });
  socket.removeAllListeners('close');
  socket.destroy();
  return times;
};

/** Bytes of the first answer in a buffer, null while its head is not complete. */
const answerLength = (buffer) => {
  const end = buffer.indexOf(HEAD_END);
  if (end === -1) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(buffer.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('an answer without a Content-Length');
  return end + HEAD_END.length + Number(length);
};
