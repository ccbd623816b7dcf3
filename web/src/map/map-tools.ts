import { useStore, useStoreApi } from '@xyflow/react';
import { createContext, useContext, useEffect, useState } from 'react';
import type { ComputeLooks } from '../computes/compute-look.ts';
import { STILL_MS } from './far/far-view.ts';

export type Detail = 'near' | 'middle' | 'far';

/** State that parts of the map share. */
export interface MapTools {
  /** How much can be seen: everything, all but names of ports, or of a large lab only that something is there. */
  readonly detail: Detail;
  readonly withPortNames: boolean;
  /** Looks of the computes that run the lab's nodes; empty while all of them are here and nobody asks. */
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

const detailAt = (zoom: number, isCrowded: boolean): Detail =>
  isCrowded && zoom < FAR ? 'far' : zoom < NEAR ? 'middle' : 'near';

/**
 * How much of the map is drawn. A large lab is opened as a picture, and stays one while somebody goes nearer: thousands of elements would be
 * made for views that are but passed.
 */
export const useDetail = (isCrowded: boolean): Detail => {
  const wanted = useStore(({ transform: [, , zoom], width }) =>
    width === 0 && isCrowded ? 'far' : detailAt(zoom, isCrowded),
  );
  const [last, setLast] = useState(wanted);
  const isPassing = last === 'far' && wanted !== 'far';
  const store = useStoreApi();
  useEffect(() => {
    if (!isPassing) {
      setLast(wanted);
      return undefined;
    }
    let timer = setTimeout(() => setLast(wanted), STILL_MS);
    let { transform } = store.getState();
    const end = store.subscribe((now) => {
      if (now.transform === transform) return;
      transform = now.transform;
      clearTimeout(timer);
      timer = setTimeout(() => setLast(wanted), STILL_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [isPassing, wanted, store]);
  return isPassing ? 'far' : wanted;
};
