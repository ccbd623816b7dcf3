import { useEffect } from 'react';
import { openPanel } from '../store/workbench.ts';
import { groupByKey } from './groups/group-actions.ts';
import type { KeyPress, MapScope } from './map-scope.ts';
import type { Arrangement } from './actions/arrange.ts';
import { linkChosen } from './actions/links.ts';
import { editDrawing } from './actions/menus.ts';
import { actOn } from './actions/node-actions.ts';
import { type Chosen, deleteChosen, lockAll, raise, setUpMap } from './actions/object-actions.ts';

/** Meaning of a key for the map, unless another element has the focus that takes it. */
export type MapKey =
  | { readonly do: 'move'; readonly dx: number; readonly dy: number }
  | {
      readonly do:
        | 'menu'
        | 'toggle'
        | 'delete'
        | 'choose-all'
        | 'choose-none'
        | 'undo'
        | 'duplicate'
        | 'rename'
        | 'addresses'
        | 'link-ports'
        | 'redo'
        | 'add-node'
        | 'add-drawing'
        | 'edit'
        | 'link'
        | 'console'
        | 'start'
        | 'stop'
        | 'find'
        | 'larger'
        | 'smaller'
        | 'fit'
        | 'group'
        | 'ungroup'
        | 'collapse'
        | 'layers'
        | 'notes'
        | 'lock'
        | 'raise'
        | 'lower'
        | 'distribute-across'
        | 'distribute-down'
        | 'align-row'
        | 'align-column'
        | 'grid'
        | 'snap'
        | 'help';
    };

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const PLAIN: Readonly<Record<string, Exclude<MapKey['do'], 'move'>>> = {
  Enter: 'menu',
  ContextMenu: 'menu',
  ' ': 'toggle',
  Delete: 'delete',
  Backspace: 'delete',
  Escape: 'choose-none',
  F2: 'rename',
  a: 'add-node',
  i: 'addresses',
  d: 'add-drawing',
  e: 'edit',
  l: 'link',
  c: 'console',
  s: 'start',
  x: 'stop',
  '/': 'find',
  '+': 'larger',
  '=': 'larger',
  '-': 'smaller',
  '0': 'fit',
  g: 'group',
  f: 'collapse',
  z: 'layers',
  n: 'notes',
  k: 'lock',
  PageUp: 'raise',
  PageDown: 'lower',
  h: 'distribute-across',
  v: 'distribute-down',
  '#': 'grid',
  m: 'snap',
  '?': 'help',
};
const SHIFTED: Readonly<Record<string, Exclude<MapKey['do'], 'move'>>> = {
  L: 'link-ports',
  G: 'ungroup',
  H: 'align-row',
  V: 'align-column',
};
/** Pixels of the map. */
const STEP = 10;
const LONG_STEP = 50;

export const meaningOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): MapKey | null => {
  if (altKey) return null;
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() === 'a') return { do: 'choose-all' };
    if (key.toLowerCase() === 'd') return { do: 'duplicate' };
    if (key.toLowerCase() === 'y') return { do: 'redo' };
    return key.toLowerCase() === 'z' ? { do: shiftKey ? 'redo' : 'undo' } : null;
  }
  if (key === 'F10' && shiftKey) return { do: 'menu' };
  const shifted = shiftKey ? SHIFTED[key] : undefined;
  if (shifted !== undefined) return { do: shifted };
  const arrow = ARROWS[key];
  if (arrow !== undefined) {
    const step = shiftKey ? LONG_STEP : STEP;
    return { do: 'move', dx: arrow[0] * step, dy: arrow[1] * step };
  }
  const plain = PLAIN[key.length === 1 ? key.toLowerCase() : key];
  return plain === undefined ? null : { do: plain };
};

/** Keys that need no place: moving, selecting and menus are done where the key is pressed. */
type Key = Exclude<MapKey['do'], 'move' | 'toggle' | 'menu'>;
type Scope = Omit<MapScope, 'press'>;
type Shortcut = (scope: Scope, chosen: Chosen) => void;

const ALIGNMENTS: Readonly<Partial<Record<Key, Arrangement>>> = {
  'distribute-across': 'across',
  'distribute-down': 'down',
  'align-row': 'row',
  'align-column': 'middle',
};

const isPlaced = ({ nodes, drawings }: Chosen): boolean => nodes.length + drawings.length > 0;

/** They change nothing, so they mean the same in the past. */
const LOOKING: Readonly<Partial<Record<Key, Shortcut>>> = {
  'choose-all': (scope) => scope.chooseAll(),
  'choose-none': (scope) => scope.chooseNone(),
  fit: (scope) => scope.fit(),
  larger: (scope) => scope.zoom('in'),
  smaller: (scope) => scope.zoom('out'),
  find: (scope) => scope.ask({ what: 'find' }),
  help: (scope) => scope.ask({ what: 'help' }),
  layers: (scope) => scope.openLayers(),
  notes: ({ workbench }) => workbench.update(openPanel({ kind: 'notes' })),
  console: ({ workbench, isPast }, { nodes }) => {
    for (const { node_id: nodeId, console_type } of isPast ? [] : nodes)
      if (console_type !== 'none') workbench.update(openPanel({ kind: 'console', nodeId }));
  },
};

const CHANGING: Readonly<Partial<Record<Key, Shortcut>>> = {
  undo: (scope) => scope.takeBack('undo'),
  redo: (scope) => scope.takeBack('redo'),
  'add-node': (scope) => scope.openPalette(),
  'add-drawing': (scope) => scope.ask({ what: 'add-drawing', at: scope.middle() }),
  duplicate: (scope) => scope.duplicate(),
  rename: ({ ask }, { nodes: [first] }) => {
    if (first !== undefined) ask({ what: 'rename', id: first.node_id });
  },
  addresses: ({ ask }, { nodes }) => {
    if (nodes.length > 0) ask({ what: 'addresses', nodes });
  },
  edit: (scope, chosen) => editDrawing(scope, chosen),
  link: (scope, { nodes }) => linkChosen(scope, nodes, false),
  'link-ports': (scope, { nodes }) => linkChosen(scope, nodes, true),
  group: (scope, chosen) => groupByKey(scope, 'group', chosen),
  ungroup: (scope, chosen) => groupByKey(scope, 'ungroup', chosen),
  collapse: (scope, chosen) => groupByKey(scope, 'collapse', chosen),
  delete: ({ lab }, chosen) => void deleteChosen(lab, chosen),
  lock: ({ lab }, chosen) => {
    if (isPlaced(chosen))
      void lockAll(lab, chosen, ![...chosen.nodes, ...chosen.drawings].every(({ locked }) => locked));
  },
  raise: ({ lab }, chosen) => {
    if (isPlaced(chosen)) void raise(lab, chosen, 1);
  },
  lower: ({ lab }, chosen) => {
    if (isPlaced(chosen)) void raise(lab, chosen, -1);
  },
  grid: ({ lab }) => void setUpMap(lab, { show_grid: lab.state.get().records.project?.show_grid !== true }),
  snap: ({ lab }) => void setUpMap(lab, { snap_to_grid: lab.state.get().records.project?.snap_to_grid !== true }),
  start: (scope, { nodes }) => {
    if (nodes.length > 0) void actOn(scope, 'start', nodes);
  },
  stop: (scope, { nodes }) => {
    if (nodes.length > 0) void actOn(scope, 'stop', nodes);
  },
};

export const runShortcut = (scope: Scope, key: Key, chosen: Chosen): void => {
  const arrangement = ALIGNMENTS[key];
  const looking = LOOKING[key];
  if (looking !== undefined) looking(scope, chosen);
  else if (scope.isReadOnly) return;
  else if (arrangement !== undefined) scope.arrangeChosen(arrangement);
  else CHANGING[key]?.(scope, chosen);
};

/** Elements that take every key for themselves: fields, dialogs over the map, and text read beside it. */
const TAKES_ALL =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], dialog, [role=menu], [role=slider], .xterm, .node-rename, .notes';
/** Elements that have keys of their own, and leave letters and shortcuts to the map. */
const TAKES_SOME =
  'button, a[href], input, summary, [role=tab], [role=separator], [role=grid], [role=listbox], audio, video';
const PASSED = /^(?:[a-z0-9/?+=#-]|F2|Delete)$/i;

const isInMap = (target: Element): boolean => target.closest('.react-flow__node, .react-flow__edge') !== null;

/** Looks at the focus; a clipboard's event is sent to where the caret was last, which may be elsewhere. */
const isTaken = (target: EventTarget | null): boolean =>
  !(target instanceof Element) ||
  target.closest(TAKES_ALL) !== null ||
  document.querySelector('dialog[open], [role=menu]') !== null;

const isForMap = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || isTaken(event.target)) return false;
  const target = event.target as Element;
  if (isInMap(target) || target.closest(TAKES_SOME) === null) return true;
  return PASSED.test(event.key);
};

/** Somebody copies text of the page. */
const hasText = (): boolean => (getSelection()?.toString() ?? '') !== '';

/** The map has the keys of its page, and its clipboard, unless something else has the focus that takes them. */
export const useMapKeys = (scope: MapScope): void => {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (!isForMap(event)) return;
      const focused = (event.target as Element).closest('.react-flow [data-id]')?.getAttribute('data-id') ?? null;
      if (scope.press(event, focused)) event.preventDefault();
    };
    const copy = (event: ClipboardEvent): void => {
      if (!event.defaultPrevented && !isTaken(document.activeElement) && !hasText()) scope.onCopy(event);
    };
    const paste = (event: ClipboardEvent): void => {
      if (!event.defaultPrevented && !isTaken(document.activeElement)) scope.onPaste(event);
    };
    addEventListener('keydown', key);
    addEventListener('copy', copy);
    addEventListener('cut', copy);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('keydown', key);
      removeEventListener('copy', copy);
      removeEventListener('cut', copy);
      removeEventListener('paste', paste);
    };
  }, [scope]);
};
