import { useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useState } from 'react';
import { type Detail, detailAt } from '../map-tools.ts';
import { STILL_MS } from './far-view.ts';

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
