import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server's line to a relay: see relay/control.ts. */
export interface RelayControl {
  /** Resolves once the instance is up; never when the relay ends before. */
  readonly ready: Promise<void>;
  /** All ports that lead somewhere. */
  setUp(places: readonly string[]): void;
  close(): void;
}

const RETRY_MS = 15;

/** Connects as soon as the relay listens. Rejects with the signal's reason. */
export const connectRelay = async (path: string, signal: AbortSignal): Promise<RelayControl> => {
  for (;;) {
    signal.throwIfAborted();
    const socket = await dial(path);
    if (socket !== null) return controlOf(socket);
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
};

/** null while nobody listens. */
const dial = (path: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });

const controlOf = (socket: Socket): RelayControl => {
  // What else keeps the server running keeps it running.
  socket.unref();
  socket.on('error', () => undefined);
  socket.once('end', () => socket.destroy());
  const ready = new Promise<void>((resolve) => {
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      rest += chunk;
      if (rest.includes('"ready":true')) resolve();
    });
  });
  return {
    ready,
    setUp(places) {
      if (socket.writable) socket.write(`${JSON.stringify({ up: places })}\n`);
    },
    close: () => socket.destroy(),
  };
};
