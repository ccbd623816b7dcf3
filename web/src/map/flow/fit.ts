/** How everything is shown: beside the toolbar, and not larger than life by much. */
export const FIT = {
  padding: { top: '32px', right: '24px', bottom: '52px', left: '24px' },
  maxZoom: 1.25,
} as const;

/** How far the map is zoomed out and in at most. */
export const ZOOM = { min: 0.03, max: 4 } as const;
