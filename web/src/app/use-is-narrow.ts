import { useSyncExternalStore } from 'react';

/** Below it what stands beside the map lies over it; the same in the style sheets. */
const NARROW = '(width < 760px)';

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

export const isNarrow = (): boolean => matchMedia(NARROW).matches;

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow);
