import { createContext, useContext } from 'react';

export type Detail = 'near' | 'middle' | 'far';

/** What parts of the map share. */
export interface MapTools {
  /** How much can be seen: everything, all but names of ports, or of a large lab only that something is there. */
  readonly detail: Detail;
  readonly withPortNames: boolean;
}

export const MapToolsContext = createContext<MapTools>({
  detail: 'near',
  withPortNames: true,
});

export const useMapTools = (): MapTools => useContext(MapToolsContext);
