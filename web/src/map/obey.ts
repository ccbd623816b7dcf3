import { openPanel } from '../store/workbench.ts';
import type { MapScope } from './flow/use-map-scope.ts';
import { groupByKey } from './groups/group-actions.ts';
import type { Arrangement } from './actions/arrange.ts';
import { linkChosen } from './actions/links.ts';
import type { MapKey } from './actions/map-keys.ts';
import { editDrawing } from './actions/menus.ts';
import { actOn } from './actions/node-actions.ts';
import { type Chosen, deleteChosen, lockAll, raise, setUpMap } from './actions/object-actions.ts';

/** What a key does that means more than a place: moving, selecting and menus are done where it is pressed. */
type Key = Exclude<MapKey['do'], 'move' | 'toggle' | 'menu'>;
type Scope = Omit<MapScope, 'press'>;
type Obey = (scope: Scope, chosen: Chosen) => void;

const ALIGNMENTS: Readonly<Partial<Record<Key, Arrangement>>> = {
  'distribute-across': 'across',
  'distribute-down': 'down',
  'align-row': 'row',
  'align-column': 'middle',
};

const isPlaced = ({ nodes, drawings }: Chosen): boolean => nodes.length + drawings.length > 0;

/** They change nothing, so they mean the same in the past. */
const LOOKING: Readonly<Partial<Record<Key, Obey>>> = {
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

const CHANGING: Readonly<Partial<Record<Key, Obey>>> = {
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

export const obey = (scope: Scope, key: Key, chosen: Chosen): void => {
  const arrangement = ALIGNMENTS[key];
  const looking = LOOKING[key];
  if (looking !== undefined) looking(scope, chosen);
  else if (scope.isReadOnly) return;
  else if (arrangement !== undefined) scope.arrangeChosen(arrangement);
  else CHANGING[key]?.(scope, chosen);
};
