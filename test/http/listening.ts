import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach } from 'node:test';
import type { HttpDeps } from '../../src/http/server/server.ts';
import { ListenerHandoff, listenAt } from '../../src/cluster/handoff.ts';
import { fakeLab, serve } from './fake-lab.ts';

/** A server that listens as the product does, and raw sockets to it; of the test that runs. */

export let lab = fakeLab();
export let app = serve(lab);
export let port = 0;
const handoff = new ListenerHandoff();
const sockets: Socket[] = [];

export const listen = async (over: Partial<HttpDeps> = {}): Promise<void> => {
  app = serve(lab, over);
  port = Number(new URL(await listenAt(app, '127.0.0.1', 0, handoff)).port);
};
export const close = async (): Promise<void> => {
  handoff.release(false);
  await app.close();
};
/** Gives each test of the calling file a new lab, and closes everything after it. Several files share a process, and this module. */
export const listenInEachTest = (): void => {
  beforeEach(() => {
    lab = fakeLab();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await close();
  });
};

export const open = async (): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
};

/** `once` would throw at the error of a reset. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });

/** Everything until the server ends the connection. */
export const untilEnd = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed(socket);
  return Buffer.concat(chunks).toString();
};

export const exchange = async (request: string): Promise<string> => {
  const socket = await open();
  socket.write(request);
  return untilEnd(socket);
};

/** Text of a request's head. */
export const head = (method: string, path: string, ...headers: string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
