import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Close code of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
/** How long a client gets to say goodbye. */
const GOODBYE_MS = 500;

/** On close: new requests are refused, streams end, running requests get `graceMs`, then what is left is cut. */
export const closeGently = (app: FastifyInstance, closing: AbortController, graceMs: number): void => {
  // Upgraded ones among them, which are no longer the HTTP server's.
  const open = new Set<Socket>();
  let ended = (): void => undefined;
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) ended();
    });
  });
  let cut: NodeJS.Timeout | undefined;
  app.addHook('preClose', (done) => {
    closing.abort();
    cut = setTimeout(() => {
      for (const socket of open) socket.destroy();
    }, graceMs);
    done();
  });
  // The framework waits only for what its own listener has accepted.
  app.addHook('onClose', async () => {
    if (open.size > 0) await new Promise<void>((resolve) => (ended = resolve));
    clearTimeout(cut);
  });
  // A connection that ran a request when the server closed is kept alive after it, unless somebody ends it.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (closing.signal.aborted) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
};

/** Upgraded connections are no longer the HTTP server's: it would wait for them endlessly. */
export const endWebSockets = (app: FastifyInstance, done: () => void): void => {
  const { websocketServer } = app;
  for (const client of websocketServer.clients) {
    client.close(GOING_AWAY, 'The server is shutting down');
    const cut = setTimeout(() => client.terminate(), GOODBYE_MS);
    client.once('close', () => clearTimeout(cut));
  }
  websocketServer.close();
  done();
};
