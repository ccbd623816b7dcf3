import { type RefObject, useEffect } from 'react';

/** Moves the focus to what has just come, and gives it back when that goes, unless it is elsewhere by then. */
export const useBorrowedFocus = (ref: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = ref.current;
    const before = document.activeElement;
    element?.focus({ preventScroll: true });
    return () => {
      const now = document.activeElement;
      const isElsewhere = now !== null && now !== document.body && element?.contains(now) !== true;
      if (isElsewhere) return;
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
    };
  }, [ref]);
};
