import { useEffect, useMemo } from 'react';

/** Measures of the page's own: `topolog:lab` (milliseconds until the lab stands), `topolog:map:move` (with `frames` that were shown meanwhile). */
export const useMapMarks = (isFitted: boolean): { begin: () => void; end: () => void } => {
  useEffect(() => {
    if (!isFitted) return;
    // In the second turn of the screen from here, what was drawn is to be seen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (performance.getEntriesByName('topolog:lab:open').length > 0)
          performance.measure('topolog:lab', { start: 'topolog:lab:open' });
      }),
    );
  }, [isFitted]);
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
        frames = 0;
        start = performance.now();
        requestAnimationFrame(count);
      },
      end: () => {
        if (!isMoving) return;
        isMoving = false;
        performance.measure('topolog:map:move', { start, detail: { frames } });
      },
    };
  }, []);
};
