import { useEffect, useMemo } from 'react';

/** Measures of the page's own: `topolog:lab` (milliseconds until the lab stands), `topolog:map:move` (with `frames` that were shown meanwhile). */
export const useMapMarks = (isFitted: boolean): { begin: () => void; end: () => void } => {
  useEffect(() => {
    if (!isFitted) return;
    // In the second turn of the screen from here, what was drawn is to be seen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (performance.getEntriesByName('topolog:lab:open').length === 0) return;
        performance.measure('topolog:lab', { start: 'topolog:lab:open' });
        // Once for each lab, however often it is fitted.
        performance.clearMarks('topolog:lab:open');
      }),
    );
  }, [isFitted]);
  useEffect(() => () => document.documentElement.removeAttribute('data-map-moves'), []);
  return useMemo(() => {
    let isMoving = false;
    let frames = 0;
    let start = 0;
    const count = (): void => {
      if (!isMoving) return;
      frames += 1;
      requestAnimationFrame(count);
    };
    return {
      begin: () => {
        if (isMoving) return;
        isMoving = true;
        // What is moved as a whole is a picture of its own meanwhile, and nothing in it is looked for under the pointer.
        document.documentElement.toggleAttribute('data-map-moves', true);
        frames = 0;
        start = performance.now();
        requestAnimationFrame(count);
      },
      end: () => {
        if (!isMoving) return;
        isMoving = false;
        document.documentElement.toggleAttribute('data-map-moves', false);
        performance.measure('topolog:map:move', { start, detail: { frames } });
      },
    };
  }, []);
};
