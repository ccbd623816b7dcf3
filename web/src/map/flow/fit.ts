/** How everything is shown: beside the toolbar, and not larger than life by much. */
export const FIT = {
  padding: { top: '32px', right: '24px', bottom: '52px', left: '24px' },
  maxZoom: 1.25,
} as const;

/** How far the map is zoomed out and in at most. */
export const ZOOM = { min: 0.03, max: 4 } as const;

/** How far the map goes along with what is dragged to its edge, pixels of the screen a turn of it: from far away that is a long way. */
export const PAN = { near: 15, far: 3 } as const;
