import { useEffect, useState } from 'react';
import type { Client } from '../store/api.ts';
import { createStore, type Store } from '../store/store.ts';
import { type ComputesState, followComputes, NO_COMPUTES } from './follow.ts';

const NOTHING = createStore(NO_COMPUTES);

/** The computes as they are, for as long as they are wanted. */
export const useComputes = (client: Client, isWanted = true): Store<ComputesState> => {
  const [store, setStore] = useState(NOTHING);
  useEffect(() => {
    if (!isWanted) return undefined;
    const { state, close } = followComputes(client);
    setStore(state);
    return () => {
      close();
      setStore(NOTHING);
    };
  }, [client, isWanted]);
  return store;
};
