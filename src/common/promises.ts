import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until `holds` is true: calls it at once, and again `every` so many milliseconds after its answer. Resolves with false if it is not
 * true after `within` milliseconds. Rejects with the signal's reason instead of going on to wait once that is aborted.
 */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  { every, within = Infinity, signal }: { every: number; within?: number; signal?: AbortSignal },
): Promise<boolean> => {
  const end = performance.now() + within;
  while (!(await holds())) {
    if (performance.now() >= end) return false;
    signal?.throwIfAborted();
    await sleep(every);
  }
  return true;
};

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
