import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';

/** Streams of answers that wait behind others of their connection. */
const waiting = new WeakMap<Socket, Set<Readable>>();

/**
 * Sends a stream once it is its answer's turn: Node keeps everything that is written before in memory, and tells such an answer nothing
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
