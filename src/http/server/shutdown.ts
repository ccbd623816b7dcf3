import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Close code of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
/** How long a client gets to say goodbye. */
const GOODBYE_MS = 500;

/** On close: new requests are refused, streams end, running requests get `graceMs`, then what is left is cut. */
export const closeGently = (app: FastifyInstance, closing: AbortController, graceMs: number): void => {
  const upgraded = new Set<Duplex>();
  app.server.on('upgrade', (_request, socket: Duplex) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
  });
  app.addHook('preClose', (done) => {
    closing.abort();
    const cut = setTimeout(() => {
      app.server.closeAllConnections();
      // Those whose upgrade failed belong neither to the HTTP server nor to the WebSockets.
      for (const socket of upgraded) socket.destroy();
    }, graceMs);
    app.server.once('close', () => clearTimeout(cut));
    if (!app.server.listening) clearTimeout(cut);
    done();
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
