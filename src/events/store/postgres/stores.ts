import { TopologError } from '../../../common/errors.ts';
import { lastPosition } from '../../read.ts';
import { CheckedStore } from '../checked-store.ts';
import { KEYS, type Store } from '../store.ts';
import type { Reads } from './pages.ts';

/** The log as this reads it. `batch`: without it, it takes none. */
export const storeOf = (
  reads: Reads,
  { moment, batch, close }: Required<Pick<Store, 'moment'>> & Partial<Pick<Store, 'batch' | 'close'>>,
): Store => ({
  batch: batch ?? (() => Promise.reject(new TopologError('lease_lost', { reason: 'it only reads it' }))),
  get: (key) => reads.get(key),
  getMany: (keys) => reads.getMany(keys),
  iterator: (range) => reads.iterator(range),
  moment,
  close: close ?? (() => Promise.resolve()),
});

/** What has no event yet is given checksums before anything else is written. */
export const checked = async (store: Store): Promise<Store> => {
  try {
    const allSealed = (await store.get(KEYS.format)) !== undefined || (await lastPosition(store)) === 0;
    return new CheckedStore(store, { allSealed });
  } catch (error) {
    await store.close();
    throw error;
  }
};
