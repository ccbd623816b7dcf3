/** How the dock’s panels, each known by its key, are spread over panes that lie side by side. */
export interface Pane {
  readonly id: number;
  readonly keys: readonly string[];
  /** In front; null only while the pane is empty. */
  readonly active: string | null;
}

export interface Layout {
  readonly panes: readonly Pane[];
  /** Pane in which panels open. */
  readonly focused: number;
}

export const MOST_PANES = 4;
export const EMPTY: Layout = { panes: [{ id: 1, keys: [], active: null }], focused: 1 };

const withActive = (pane: Pane): Pane =>
  pane.active !== null && pane.keys.includes(pane.active) ? pane : { ...pane, active: pane.keys.at(-1) ?? null };

const tidy = (panes: readonly Pane[], focused: number): Layout => {
  const full = panes.map(withActive).filter(({ keys }) => keys.length > 0);
  const [first] = full;
  if (first === undefined) return EMPTY;
  return { panes: full, focused: full.some(({ id }) => id === focused) ? focused : first.id };
};

/** The layout for the panels that are open: closed ones go, new ones open in the pane with the focus, `active` comes to the front. */
export const arrange = (before: Layout, keys: readonly string[], active: string | null): Layout => {
  const known = new Set(before.panes.flatMap((pane) => pane.keys));
  const fresh = keys.filter((key) => !known.has(key));
  const panes = before.panes.map((pane) => ({
    ...pane,
    keys: [...pane.keys.filter((key) => keys.includes(key)), ...(pane.id === before.focused ? fresh : [])],
  }));
  const next = tidy(panes, before.focused);
  return active === null ? next : bringToFront(next, active);
};

export const bringToFront = (layout: Layout, key: string): Layout => {
  const holder = layout.panes.find(({ keys }) => keys.includes(key));
  if (holder === undefined) return layout;
  if (holder.active === key && layout.focused === holder.id) return layout;
  return {
    focused: holder.id,
    panes: layout.panes.map((pane) => (pane === holder ? { ...pane, active: key } : pane)),
  };
};

/** Puts a panel into a pane of its own, right of where it was. Nothing where it is alone already, or there are enough panes. */
export const split = (layout: Layout, key: string): Layout => {
  const holder = layout.panes.find(({ keys }) => keys.includes(key));
  if (holder === undefined || holder.keys.length < 2 || layout.panes.length >= MOST_PANES) return layout;
  const id = Math.max(...layout.panes.map((pane) => pane.id)) + 1;
  const without = { ...holder, keys: holder.keys.filter((other) => other !== key) };
  const panes = layout.panes.flatMap((pane) =>
    pane === holder ? [without, { id, keys: [key], active: key }] : [pane],
  );
  return tidy(panes, id);
};

/** Puts a panel into the next pane; from the last it goes to the first. */
export const moveOn = (layout: Layout, key: string): Layout => {
  const index = layout.panes.findIndex(({ keys }) => keys.includes(key));
  const target = layout.panes[(index + 1) % layout.panes.length];
  if (index < 0 || target === undefined || layout.panes.length < 2) return layout;
  const panes = layout.panes.map((pane, at) => {
    if (at === index) return { ...pane, keys: pane.keys.filter((other) => other !== key) };
    return pane === target ? { ...pane, keys: [...pane.keys, key], active: key } : pane;
  });
  return tidy(panes, target.id);
};
/** Pixels. */
export const LEAST = 120;
const LEAST_WIDTH = 280;

/** Shares of the page’s height: the rest that the map’s 60 % leave, less the header and the closed time line. */
const MAP_SHARE = 0.6;
const FRAME = 84;
/** Beside the dock the map keeps this share of the width. */
const MAP_WIDTH_SHARE = 0.4;

/** Leaves the map its share of the page. */
export const boundedHeight = (height: number, page: number): number =>
  Math.max(LEAST, Math.min(Math.floor(page * (1 - MAP_SHARE)) - FRAME, height));

/** `room`: what map and dock have together. */
export const boundedWidth = (width: number, room: number): number =>
  Math.max(LEAST_WIDTH, Math.min(Math.floor(room * (1 - MAP_WIDTH_SHARE)), width));
