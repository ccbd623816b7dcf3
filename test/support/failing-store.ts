import type { OpenStore, Store } from '../../src/events/store/database.ts';

/** A store that refuses to write for as long as it is told to, as a full disk does. */
export interface FailingStore {
  open: OpenStore;
  fail(error: Error | null): void;
}

export const diskFull = (): Error =>
  Object.assign(new Error('IO error: 000003.log: No space left on device'), { code: 'LEVEL_IO' });

export const failingStore = (below: OpenStore): FailingStore => {
  let failure: Error | null = null;
  return {
    fail: (error) => (failure = error),
    open: async () => {
      const store = await below();
      return {
        batch: (ops, options) => (failure === null ? store.batch(ops, options) : Promise.reject(failure)),
        get: (key) => store.get(key),
        getMany: (keys) => store.getMany(keys),
        iterator: (range) => store.iterator(range),
        close: () => store.close(),
      } satisfies Store;
    },
  };
};
