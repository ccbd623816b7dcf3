import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** The present result of `select`; it must pick the same thing of the same value. */
export const useStore = <T, S = T>(store: Store<T>, select: (value: T) => S = (value) => value as unknown as S): S =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
