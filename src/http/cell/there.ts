import { get } from 'node:http';
import { messageOf } from '../../common/errors.ts';

/** Longest that another server of the cell may take to say that it is there. Milliseconds. */
const THERE_MS = 5_000;

/** Rejects when no server answers there. */
export const askThere = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = get(new URL('/v2/ready', url), { agent: false, signal: AbortSignal.timeout(THERE_MS) }, (answer) => {
      answer.resume();
      resolve();
    });
    asked.on('error', (error) => reject(error.name === 'AbortError' ? silent() : error));
  });

const silent = (): Error => new Error(`no answer within ${THERE_MS / 1000} s`);

/** Errors of several addresses of one name have no message of their own. */
export const whyNotThere = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);

/** Of finding an address and of connecting to it. */
const UNSENT: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

/** Whether no connection could be made, so that nothing was sent. */
export const isUnsent = (error: unknown): boolean =>
  UNSENT.has((error as NodeJS.ErrnoException).syscall ?? '') || error instanceof AggregateError;
