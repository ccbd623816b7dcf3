/** How everything is shown: beside the toolbar, and not larger than life by much. */
export const FIT = {
  padding: { top: '32px', right: '24px', bottom: '52px', left: '24px' },
  maxZoom: 1.25,
} as const;
