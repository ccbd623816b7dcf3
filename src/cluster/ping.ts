import { get } from 'node:http';
import { messageOf } from '../common/errors.ts';

/** Longest wait for the answer of another server of the cell. Milliseconds. */
const PING_MS = 5_000;

/** Resolves when a server answers at this URL, whatever it answers; rejects otherwise. */
export const ping = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(new URL('/v2/ready', url), { agent: false, signal: AbortSignal.timeout(PING_MS) }, (answer) => {
      answer.resume();
      resolve();
    });
    request.on('error', (error) => reject(error.name === 'AbortError' ? noAnswer() : error));
  });

const noAnswer = (): Error => new Error(`no answer within ${PING_MS / 1000} s`);

/** Message of a failed connection. An error of several addresses of one name has no message of its own. */
export const connectErrorMessage = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);

/** System calls that look up an address and connect to it. */
const CONNECTING: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

/** Whether no connection could be made, so that nothing was sent. */
export const failedToConnect = (error: unknown): boolean =>
  CONNECTING.has((error as NodeJS.ErrnoException).syscall ?? '') || error instanceof AggregateError;
