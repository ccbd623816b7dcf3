/** Scrolls to the first part that matches, and nothing around: `scrollIntoView` would move the page as well. */
export const keepInSight = (scroller: HTMLElement | null, selector: string): void => {
  const part = scroller?.querySelector(selector)?.getBoundingClientRect();
  if (scroller === null || part === undefined) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  if (part.top < top) scroller.scrollTop -= top - part.top;
  else if (part.bottom > bottom) scroller.scrollTop += part.bottom - bottom;
};
