import { createContext, useContext } from 'react';
import type { Store } from '../store/store.ts';
import { createStore } from '../store/store.ts';

/** What parts of the map share. */
export interface MapTools {
  /** Why the last start of a node has failed, by its id. */
  readonly failures: Store<ReadonlyMap<string, string>>;
  /** Names of ports can be read. */
  readonly isNear: boolean;
}

export const MapToolsContext = createContext<MapTools>({
  failures: createStore<ReadonlyMap<string, string>>(new Map()),
  isNear: true,
});

export const useMapTools = (): MapTools => useContext(MapToolsContext);
