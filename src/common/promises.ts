import { setTimeout as sleep } from 'node:timers/promises';

interface Polling {
  /** From an answer to the next call. Milliseconds. */
  every: number;
  signal?: AbortSignal | undefined;
}

/** Milliseconds until the last call. Default: as long as it takes. */
interface Limited extends Polling {
  within: number;
}

/** An answer that ends the polling. */
export type Found<T> = Exclude<T, false | null | undefined>;

/**
 * Polls: calls `look` at once, and again until its answer is truthy. Resolves with that answer, or with the last one after `within`
 * milliseconds. Rejects with the signal's reason, also in the middle of a pause.
 */
export async function until<T>(look: () => T | Promise<T>, polling: Limited): Promise<T>;
export async function until<T>(look: () => T | Promise<T>, polling: Polling): Promise<Found<T>>;
export async function until<T>(
  look: () => T | Promise<T>,
  { every, within = Infinity, signal }: Polling & Partial<Limited>,
): Promise<T> {
  const end = performance.now() + within;
  for (;;) {
    signal?.throwIfAborted();
    const found = await look();
    const left = end - performance.now();
    if (Boolean(found) || left <= 0) return found;
    await sleep(Math.max(1, Math.min(every, left)), undefined, { signal }).catch(() => undefined);
  }
}

/** Settles as the promise does, or rejects with the signal's reason as soon as that is aborted. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });

/** Promise.withResolvers, which Node 20 does not have. */
export const withResolvers = <T = void>() => {
  let resolve: (value: T | Promise<T>) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
};
