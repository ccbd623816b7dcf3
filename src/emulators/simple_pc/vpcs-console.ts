import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 20;

/**
 * A connection to a VPCS whose node has no console, for as long as it runs. It stands still once 4 KiB of its output wait for a client:
 * so somebody must be connected, and read.
 */
export const holdLine = (socketPath: string): { answered: Promise<void>; close(): void } => {
  let socket: Socket | null = null;
  let over = false;
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const begin = (): void => {
    if (over) return;
    const current = connect(socketPath);
    socket = current;
    current.unref();
    current.on('data', () => answer());
    current.on('error', () => undefined);
    current.once('close', () => void sleep(RETRY_MS, undefined, { ref: false }).then(begin));
  };
  begin();
  return {
    answered,
    close() {
      over = true;
      socket?.destroy();
    },
  };
};

/** Resolves once a console has printed something, also before; rejects when the signal is aborted or the console is closed. */
export const hasPrinted = (console: Duplex, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
      console.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    console.on('error', () => undefined);
    console.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('the console was closed'));
    });
    console.once('data', () => {
      resolve();
      console.destroy();
    });
  });
