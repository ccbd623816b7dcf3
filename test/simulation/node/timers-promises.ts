/** Stands in for `node:timers/promises` in the product's modules. */

interface Options {
  signal?: AbortSignal;
}

const abortable = <T>(options: Options | undefined, begin: (done: () => void) => () => void, value: T): Promise<T> =>
  new Promise((resolve, reject) => {
    const { signal } = options ?? {};
    const aborted = (): Error =>
      Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' });
    if (signal?.aborted === true) {
      reject(aborted());
      return;
    }
    const stop = begin(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    const abort = (): void => {
      stop();
      reject(aborted());
    };
    signal?.addEventListener('abort', abort, { once: true });
  });

const sleep = <T>(ms?: number, value?: T, options?: Options): Promise<T> =>
  abortable(
    options,
    (done) => {
      const timer = setTimeout(done, ms);
      return () => clearTimeout(timer);
    },
    value as T,
  );

const turn = <T>(value?: T, options?: Options): Promise<T> =>
  abortable(
    options,
    (done) => {
      const timer = setImmediate(done);
      return () => clearImmediate(timer);
    },
    value as T,
  );

export { sleep as setTimeout, turn as setImmediate };
