import type { OpenStore, Store } from '../../src/events/store/store.ts';

/** A store that refuses to write for as long as it is told to, as a full disk does. */
export interface FailingStore {
  open: OpenStore;
  fail(error: Error | null): void;
  /** Called for each write from then on, in place of it: writes when it likes, or not at all. */
  around(write: Around): void;
}

type Around = (write: () => Promise<void>) => Promise<void>;

export const diskFull = (): Error =>
  Object.assign(new Error('IO error: 000003.log: No space left on device'), { code: 'LEVEL_IO' });

export const failingStore = (below: OpenStore): FailingStore => {
  let failure: Error | null = null;
  let around: Around | null = null;
  return {
    around: (write) => (around = write),
    fail: (error) => (failure = error),
    open: async () => {
      const store = await below();
      return {
        batch: (ops, options) => {
          if (failure !== null) return Promise.reject(failure);
          const write = (): Promise<void> => store.batch(ops, options);
          return around === null ? write() : around(write);
        },
        get: (key) => store.get(key),
        getMany: (keys) => store.getMany(keys),
        iterator: (range) => store.iterator(range),
        close: () => store.close(),
      } satisfies Store;
    },
  };
};
