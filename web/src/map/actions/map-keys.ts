/** What a key means for the map, unless something else has the focus that takes it. */
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

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

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

export const meaningOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): MapKey | null => {
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
