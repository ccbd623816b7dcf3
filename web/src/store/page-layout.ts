import { createStore, type Store } from './store.ts';

/** How the page of a lab is laid out, as somebody has it in this browser. */
export interface PageLayout {
  /** Templates beside the tools. */
  readonly hasPalette: boolean;
  readonly hasInspector: boolean;
  /** The list of layers over the map. */
  readonly hasLayers: boolean;
  readonly dock: 'below' | 'right';
  /** The dock has the whole middle. */
  readonly isDockLarge: boolean;
  /** The time line shows its lanes. */
  readonly isTimeLineOpen: boolean;
}

const KEY = 'topolog.frame';
const FIRST: PageLayout = {
  hasPalette: true,
  hasInspector: true,
  hasLayers: false,
  dock: 'below',
  isDockLarge: false,
  isTimeLineOpen: false,
};

/** Restores the kept layout, as far as it makes sense. */
const frameOf = (kept: string | null, first: PageLayout): PageLayout => {
  try {
    const given = JSON.parse(kept ?? '{}') as Partial<Record<keyof PageLayout, unknown>>;
    const flag = (name: Exclude<keyof PageLayout, 'dock'>): boolean =>
      typeof given[name] === 'boolean' ? given[name] : first[name];
    return {
      hasPalette: flag('hasPalette'),
      hasInspector: flag('hasInspector'),
      hasLayers: flag('hasLayers'),
      dock: given.dock === 'right' ? 'right' : 'below',
      isDockLarge: flag('isDockLarge'),
      isTimeLineOpen: flag('isTimeLineOpen'),
    };
  } catch {
    return first;
  }
};

interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The layout of this browser; each change is kept. Where templates would lie over the map, they come when they are asked for. */
export const createPageLayout = (storage: Kept, isNarrow = false): Store<PageLayout> => {
  const frame = createStore(frameOf(storage.getItem(KEY), { ...FIRST, hasPalette: !isNarrow }));
  frame.subscribe(() => storage.setItem(KEY, JSON.stringify(frame.get())));
  return frame;
};
