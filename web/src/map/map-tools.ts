import { createContext, useContext } from 'react';
import type { Store } from '../store/store.ts';
import { createStore } from '../store/store.ts';

export type Detail = 'near' | 'middle' | 'far';

/** What parts of the map share. */
export interface MapTools {
  /** Why the last start of a node has failed, by its id. */
  readonly failures: Store<ReadonlyMap<string, string>>;
  /** How much can be seen: everything, all but names of ports, or of a large lab only that something is there. */
  readonly detail: Detail;
  readonly withPortNames: boolean;
}

export const MapToolsContext = createContext<MapTools>({
  failures: createStore<ReadonlyMap<string, string>>(new Map()),
  detail: 'near',
  withPortNames: true,
});

export const useMapTools = (): MapTools => useContext(MapToolsContext);
