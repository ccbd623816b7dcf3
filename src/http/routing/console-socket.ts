import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { inSlice } from '../../common/slices.ts';
import type { HttpLimits } from '../limits.ts';

/** Close codes of RFC 6455, section 7.4.1. */
const NORMAL = 1000;
const FAILED = 1011;

/**
 * Joins a WebSocket to a console: binary frames out, text or binary frames in. Both sides are paused when the other is
 * slow, so that what waits between them is bounded.
 */
export const joinConsole = (socket: WebSocket, console: Duplex, limits: HttpLimits): void => {
  outwards(socket, console, limits.consoleBytes);
  inwards(socket, console);
  const stopPings = keepAlive(socket, limits.pingMs);
  console.once('end', () => socket.close(NORMAL, 'The console ended'));
  console.once('error', () => socket.close(FAILED, 'The console failed'));
  console.once('close', () => socket.close(NORMAL, 'The console ended'));
  socket.once('close', () => {
    stopPings();
    console.destroy();
  });
};

/** One chunk in each turn: a console that never stops leaves others theirs. */
const outwards = (socket: WebSocket, console: Duplex, most: number): void => {
  let waits = false;
  const goOn = (): void => {
    if (!waits && console.isPaused() && socket.bufferedAmount <= most / 2) console.resume();
  };
  console.on('data', (bytes: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    console.pause();
    waits = true;
    socket.send(bytes, { binary: true }, goOn);
    inSlice(() => {
      waits = false;
      goOn();
    });
  });
};

const inwards = (socket: WebSocket, console: Duplex): void => {
  socket.on('message', (data: Buffer) => {
    if (console.writable && !console.write(data)) socket.pause();
  });
  console.on('drain', () => socket.resume());
};

/** Cuts a client that has silently gone. */
export const keepAlive = (socket: WebSocket, everyMs: number): (() => void) => {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  const timer = setInterval(() => {
    // One that is paused by its own flood cannot answer either, but it is there.
    if (!answered && !socket.isPaused) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
};
