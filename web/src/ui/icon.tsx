import type { ReactElement } from 'react';

/** Drawn in a square of 24, with the colour of the text around. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  address: 'M3 6h18v12H3zM6.5 14.500v-5M10 14.500v-5h2.500a1.500 1.500 0 0 1 0 3H10M17 14.500h.01',
  align: 'M4 4v16M8 7h12v4H8zM8 14h8v4H8z',
  back: 'M14 6l-6 6 6 6',
  capture: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21',
  check: 'M4 12l5 5L20 6',
  chevronDown: 'M6 9l6 6 6-6',
  chevronUp: 'M6 15l6-6 6 6',
  close: 'M6 6l12 12M18 6 6 18',
  compare: 'M12 3v18M9 7H3v10h6M15 7h6v10h-6',
  console: 'M3 5h18v14H3zM7 9l3 3-3 3M13 15h4',
  computes: 'M3 4h18v6H3zM3 14h18v6H3zM7 7h.01M7 17h.01',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dark: 'M20 14A8.5 8.5 0 1 1 10 4a7 7 0 0 0 10 10z',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  fork: 'M6 4v9a3 3 0 0 0 3 3h9M6 9h6a3 3 0 0 0 3-3V4M15 13l3 3-3 3',
  history: 'M4 12a8 8 0 1 0 3-6L4 8M4 4v4h4M12 8v5l3 2',
  inspector: 'M3 5h18v14H3zM15 5v14M17.5 9h1M17.5 12h1M17.5 15h1',
  layers: 'M12 3 3 8l9 5 9-5zM3 12l9 5 9-5M3 16l9 5 9-5',
  light: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2',
  link: 'M5 5h4v4H5zM15 15h4v4h-4zM9 9l6 6',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  menu: 'M4 6h16M4 12h16M4 18h16',
  minus: 'M5 12h14',
  more: 'M5 11.5h.01M12 11.5h.01M19 11.5h.01',
  next: 'M5 5l9 7-9 7zM18 5v14',
  open: 'M3 7h7l2 2h9v10H3z',
  notes: 'M5 3h10l4 4v14H5zM14 3v5h5M8 12h8M8 16h6',
  palette: 'M4 4h7v7H4zM4 14h7v6H4zM14 4h6v7h-6zM17 14v6M14 17h6',
  paste: 'M8 5H5v15h14V5h-3M8 3h8v4H8z',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4l12 8-12 8z',
  previous: 'M19 5l-9 7 9 7zM6 5v14',
  record: 'M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z',
  redo: 'M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3',
  reload: 'M20 12a8 8 0 1 1-3-6l3 2M20 4v4h-4',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21',
  shapes: 'M4 4h8v8H4zM16 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  split: 'M3 5h18v14H3zM12 5v14',
  stop: 'M6 6h12v12H6z',
  system: 'M3 5h18v11H3zM8 20h8M12 16v4',
  text: 'M5 6V4h14v2M12 4v16M9 20h6',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5h.01M12 2.5a9.500 9.500 0 1 0 .01 0z',
  'zoom-in': 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21M10.500 8v5M8 10.500h5',
  'zoom-out': 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500 21 21M8 10.500h5',
  traffic: 'M3 17l5-6 4 3 8-9M15 5h5v5',
  undo: 'M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  unlock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 7-2',
  upload: 'M12 16V5M7 9l5-5 5 5M4 20h16',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-5 4-7 8-7s8 2 8 7',
  warning: 'M12 3 2 20h20zM12 10v5M12 17.5h.01',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }): ReactElement => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
