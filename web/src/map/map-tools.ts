import { createContext, useContext } from 'react';

import type { ComputeLooks } from '../computes/compute-look.ts';

export type Detail = 'near' | 'middle' | 'far';

/** What parts of the map share. */
export interface MapTools {
  /** How much can be seen: everything, all but names of ports, or of a large lab only that something is there. */
  readonly detail: Detail;
  readonly withPortNames: boolean;
  /** Of the computes that the lab's nodes are on; empty while all of them are here and nobody asks. */
  readonly looks: ComputeLooks;
  /** Nodes have the colours of their computes. */
  readonly withComputes: boolean;
}

export const MapToolsContext = createContext<MapTools>({
  detail: 'near',
  withPortNames: true,
  looks: new Map(),
  withComputes: false,
});

export const useMapTools = (): MapTools => useContext(MapToolsContext);

/** From here on names of ports can be read. */
const NEAR = 0.5;
/** Labs with more nodes than these are drawn more simply from far away. */
export const CROWDED = 250;
const FAR = 0.4;

export const detailAt = (zoom: number, isCrowded: boolean): Detail =>
  isCrowded && zoom < FAR ? 'far' : zoom < NEAR ? 'middle' : 'near';
