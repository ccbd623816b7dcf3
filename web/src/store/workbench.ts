import { createStore, type Store } from './store.ts';

/** Tabs that the dock at the bottom can show. */
export type Panel =
  | { readonly kind: 'console'; readonly nodeId: string }
  | { readonly kind: 'recording'; readonly nodeId: string; readonly name: string }
  | { readonly kind: 'packets'; readonly linkId: string }
  /** A file that no link captures into any more. */
  | { readonly kind: 'capture'; readonly capture: string }
  /** All captures of the lab, searched. */
  | { readonly kind: 'captures' }
  /** The notes of the lab, its checks, its weather. */
  | { readonly kind: 'notes' | 'checks' | 'weather' };

/** Panels beside the map, or over it. */
export type Sheet =
  | { readonly kind: 'history'; readonly collection: 'node' | 'link' | 'drawing'; readonly id: string }
  | { readonly kind: 'link'; readonly linkId: string }
  /** The form of what is selected, where it does not stand there anyway. */
  | { readonly kind: 'inspector' }
  /** The project's, whatever is selected. */
  | { readonly kind: 'project' }
  /** Why one node does not reach another; `to`: a node, or an address. */
  | { readonly kind: 'why'; readonly from: string; readonly to: string };

/** A moment of a project. */
export interface Place {
  readonly projectId: string;
  /** Milliseconds since 1970; null: now. */
  readonly at: number | null;
}

/** The two sides shown beside each other at first; each side is moved by itself then. */
export interface Beside {
  readonly left: Place;
  readonly right: Place;
}

export interface Workbench {
  readonly panels: readonly Panel[];
  /** Key of the panel in front; null with no panel. */
  readonly active: string | null;
  readonly sheet: Sheet | null;
  /** Two maps beside each other, over the page. */
  readonly beside: Beside | null;
  /** Object that the map has to go to, once; a new object each time. */
  readonly wanted: { readonly id: string } | null;
  /** An object that another part of the page is about, which lights up on the map; null: none. */
  readonly pointed: string | null;
  /** Highlights on the map, by their source. */
  readonly lights: ReadonlyMap<HighlightSource, Highlights>;
  /** Ids of what is selected on the map: nodes, links, drawings. */
  readonly selected: readonly string[];
  /** Layers that one does not want to see. */
  readonly hiddenLayers: ReadonlySet<number>;
  /** The panels are there from before: none takes the focus by itself. */
  readonly isQuiet: boolean;
}

/** Open parts of a project's page. */
export type WorkbenchStore = Store<Workbench>;

export const createWorkbench = (): WorkbenchStore =>
  createStore<Workbench>({
    panels: [],
    active: null,
    sheet: null,
    beside: null,
    isQuiet: false,
    wanted: null,
    pointed: null,
    selected: [],
    hiddenLayers: new Set<number>(),
    lights: new Map<HighlightSource, Highlights>(),
  });

export const keyOf = (panel: Panel): string => {
  switch (panel.kind) {
    case 'console':
      return `console ${panel.nodeId}`;
    case 'recording':
      return `recording ${panel.nodeId} ${panel.name}`;
    case 'packets':
      return `packets ${panel.linkId}`;
    case 'capture':
      return `capture ${panel.capture}`;
    case 'captures':
    case 'notes':
    case 'checks':
    case 'weather':
      return panel.kind;
  }
};

const OF_LAB = ['captures', 'notes', 'checks', 'weather'] as const;
/** There is one of them in a lab. */
const isOfLab = (kind: string): kind is (typeof OF_LAB)[number] => OF_LAB.some((one) => one === kind);

/** The panel of a key; null: there is no such panel. */
export const panelOf = (key: string): Panel | null => {
  const [kind, id, ...rest] = key.split(' ');
  const name = rest.join(' ');
  if (isOfLab(key)) return { kind: key };
  if (id === undefined || id === '') return null;
  if (kind === 'console') return { kind, nodeId: id };
  if (kind === 'packets') return { kind, linkId: id };
  if (kind === 'capture') return { kind, capture: [id, ...rest].join(' ') };
  return kind === 'recording' && name !== '' ? { kind, nodeId: id, name } : null;
};

/** Brings a panel to the front, opening it where it is not open. */
export const openPanel =
  (panel: Panel) =>
  (now: Workbench): Workbench => {
    const active = keyOf(panel);
    const isOpen = now.panels.some((open) => keyOf(open) === active);
    return { ...now, panels: isOpen ? now.panels : [...now.panels, panel], active, isQuiet: false };
  };

/** Opens panels behind the one in front. */
export const openBehind =
  (panels: readonly Panel[]) =>
  (now: Workbench): Workbench => {
    const open = new Set(now.panels.map(keyOf));
    const more = panels.filter((panel) => !open.has(keyOf(panel)));
    const [first] = more;
    if (first === undefined) return now;
    return { ...now, panels: [...now.panels, ...more], active: now.active ?? keyOf(first) };
  };

/** Closes a panel; the one beside it comes to the front. */
export const closePanel =
  (key: string) =>
  (now: Workbench): Workbench => {
    const index = now.panels.findIndex((open) => keyOf(open) === key);
    if (index < 0) return now;
    const panels = now.panels.filter((open) => keyOf(open) !== key);
    const beside = panels[Math.min(index, panels.length - 1)];
    const active = now.active !== key ? now.active : beside === undefined ? null : keyOf(beside);
    return { ...now, panels, active };
  };

export const openSheet =
  (sheet: Sheet | null) =>
  (now: Workbench): Workbench => ({ ...now, sheet });

export const openBeside =
  (beside: Beside | null) =>
  (now: Workbench): Workbench => ({ ...now, beside });

/** A link that was asked for gives way to what is selected then. */
const sheetAfter = (sheet: Sheet | null, selected: readonly string[]): Sheet | null =>
  sheet?.kind === 'link' && selected.length > 0 && !selected.includes(sheet.linkId) ? null : sheet;

/** Tells what the map has selected; the same again changes nothing. */
export const select =
  (selected: readonly string[]) =>
  (now: Workbench): Workbench =>
    selected.length === now.selected.length && selected.every((id, index) => id === now.selected[index])
      ? now
      : { ...now, selected, sheet: sheetAfter(now.sheet, selected) };

/** Has the map go to an object and select it. */
export const showOnMap =
  (id: string) =>
  (now: Workbench): Workbench => ({ ...now, wanted: { id } });

/**
 * Marks on a node or a link. `broken`: a check of it; `storm`: the weather; `way`: the path that is followed goes by here, and `end`: ends
 * here; `shown`: another part of the page is about it.
 */
export type Highlight = 'broken' | 'storm' | 'way' | 'end' | 'shown';
/** By id of a node or a link. */
type Highlights = ReadonlyMap<string, Highlight>;
/** Parts of the page that highlight objects. */
type HighlightSource = 'checks' | 'check' | 'weather' | 'why';

/** Lights up these, and no others that the lamp has lit before. */
export const highlight =
  (lamp: HighlightSource, lights: Highlights) =>
  (now: Workbench): Workbench => {
    const before = now.lights.get(lamp);
    if (lights.size === 0 && before === undefined) return now;
    const all = new Map(now.lights);
    if (lights.size === 0) all.delete(lamp);
    else all.set(lamp, lights);
    return { ...now, lights: all };
  };

/** Classes of the highlights of an object; each once. */
export const highlightClasses = ({ lights }: Pick<Workbench, 'lights'>, id: string): string => {
  if (lights.size === 0) return '';
  const found = new Set<string>();
  for (const lit of lights.values()) {
    const light = lit.get(id);
    if (light !== undefined) found.add(`lit-${light}`);
  }
  return [...found].sort().join(' ');
};
