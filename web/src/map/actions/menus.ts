import { saveCheck } from '../../checks/checks.ts';
import { unreachableOf } from '../../computes/computes.ts';
import { attempt, notify } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { openPanel, openSheet, type Workbench } from '../../store/workbench.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { t, toldTitle } from '../../words/words.ts';
import { groupItems } from '../groups/group-actions.ts';
import type { MenuScope } from '../map-scope.ts';
import { type Arrangement, ARRANGEMENTS } from './arrange.ts';
import { failureOf } from './failure.ts';
import { linkChosen } from './links.ts';
import { actOn, type Failure } from './node-actions.ts';
import { type Chosen, deleteChosen, lockAll, raise, setUpMap, suspendLinks } from './object-actions.ts';

type Show = (change: (now: Workbench) => Workbench) => () => void;

/** Menu of the chosen objects. */
export const menuOf = (scope: MenuScope, chosen: Chosen, place: { x: number; y: number }): MenuItem[] => {
  const { nodes, drawings, links } = chosen;
  const count = nodes.length + drawings.length + links.length;
  const show: Show = (change) => () => scope.workbench.update(change);
  if (count === 0) return mapMenu(scope, place);
  return [
    ...(nodes.length > 0 ? nodeItems(scope, chosen, show) : []),
    ...(nodes.length === 0 && links.length > 0 ? linkItems(scope, chosen, show) : []),
    ...(count === 1 && drawings.length === 1 ? drawingItems(scope, chosen) : []),
    ...(nodes.length + drawings.length > 1 ? arrangeItems(scope) : []),
    ...(nodes.length + drawings.length > 0 ? layerItems(scope, chosen) : []),
    ...(nodes.length > 0 ? groupItems(scope, nodes) : []),
    ...reachItems(scope, nodes),
    ...(nodes.length + drawings.length > 0 ? copyItems(scope, nodes) : []),
    ...(count === 1 ? historyItem(chosen, show) : []),
    {
      text: t('Delete'),
      icon: 'delete',
      isDanger: true,
      startsGroup: true,
      isDisabled: scope.isReadOnly,
      onChoose: () => void deleteChosen(scope.lab, chosen),
    },
  ];
};

const mapMenu = (scope: MenuScope, at: { x: number; y: number }): MenuItem[] => {
  const { ask, isReadOnly, fit, chooseAll } = scope;
  return [
    { text: t('Add a node'), icon: 'add', isDisabled: isReadOnly, onChoose: scope.openPalette },
    {
      text: t('Add a drawing'),
      icon: 'shapes',
      isDisabled: isReadOnly,
      onChoose: () => ask({ what: 'add-drawing', at }),
    },
    {
      text: t('New link'),
      icon: 'link',
      isDisabled: isReadOnly,
      onChoose: () => ask({ what: 'link', from: null, to: null }),
    },
    { text: t('Paste'), icon: 'paste', isDisabled: isReadOnly, onChoose: () => void scope.paste(at) },
    { text: t('Select all'), icon: 'check', startsGroup: true, onChoose: chooseAll },
    { text: t('Find a node'), icon: 'capture', onChoose: () => ask({ what: 'find' }) },
    { text: t('Zoom to fit'), icon: 'fit', onChoose: fit },
    ...placeItems(scope),
    {
      text: t('Notes'),
      icon: 'notes',
      startsGroup: true,
      onChoose: () => scope.workbench.update(openPanel({ kind: 'notes' })),
    },
    { text: t('Checks'), icon: 'checks', onChoose: () => scope.workbench.update(openPanel({ kind: 'checks' })) },
    { text: t('Weather'), icon: 'weather', onChoose: () => scope.workbench.update(openPanel({ kind: 'weather' })) },
    { text: t('Export …'), icon: 'download', onChoose: () => ask({ what: 'export' }) },
  ];
};

/** Why nodes have failed, for those who cannot rest a pointer on their marks. */
const failureItem = ({ ask }: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const failed = nodes.flatMap((node): Failure[] => {
    const message = failureOf(node);
    return message === null ? [] : [{ nodeId: node.node_id, name: node.name, message }];
  });
  return failed.length === 0 ? [] : [{ text: t('Why it failed'), onChoose: () => ask({ what: 'failed', failed }) }];
};

/** Why nothing can be asked of nodes whose computes are away; leads to the computes. */
const unreachableItem = ({ ask, isPast }: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const reasons = [...new Set(nodes.map(unreachableOf).filter((reason) => reason !== null))];
  if (isPast || reasons.length === 0) return [];
  return [
    {
      text: t('Why it is unreachable'),
      icon: 'warning',
      note: reasons.join('; '),
      onChoose: () => ask({ what: 'computes' }),
    },
  ];
};

/** Also for those that are unreachable: a compute that the server does not know never comes back. */
const moveItem = ({ ask, isReadOnly }: MenuScope, nodes: readonly Node[]): MenuItem => ({
  text: t('Put on another machine …'),
  icon: 'computes',
  isDisabled: isReadOnly,
  onChoose: () => ask({ what: 'move', nodes }),
});

const nodeItems = (scope: MenuScope, { nodes }: Chosen, show: Show): MenuItem[] => {
  const { isReadOnly, isPast, ask } = scope;
  const [first] = nodes;
  const reachable = nodes.filter((node) => unreachableOf(node) === null);
  const isAway = reachable.length === 0;
  const isAny = (...states: string[]): boolean => reachable.some(({ status }) => states.includes(status));
  const act = (action: 'start' | 'stop' | 'suspend' | 'reload') => () => void actOn(scope, action, reachable);
  const consoles = reachable.filter(({ console_type }) => console_type !== 'none');
  return [
    ...unreachableItem(scope, nodes),
    {
      text: consoles.length > 1 ? t('Consoles') : t('Console'),
      icon: 'console',
      isDisabled: isPast || consoles.length === 0,
      onChoose: () => {
        for (const { node_id } of consoles) show(openPanel({ kind: 'console', nodeId: node_id }))();
      },
    },
    {
      text: t('Start'),
      icon: 'play',
      isDisabled: isReadOnly || !isAny('stopped', 'suspended'),
      onChoose: act('start'),
    },
    { text: t('Stop'), icon: 'stop', isDisabled: isReadOnly || !isAny('started', 'suspended'), onChoose: act('stop') },
    { text: t('Suspend'), icon: 'pause', isDisabled: isReadOnly || !isAny('started'), onChoose: act('suspend') },
    { text: t('Restart'), icon: 'reload', isDisabled: isReadOnly || !isAny('started'), onChoose: act('reload') },
    ...failureItem(scope, nodes),
    moveItem(scope, nodes),
    ...(nodes.length === 1 && first !== undefined
      ? ([
          {
            text: t('Rename'),
            icon: 'edit',
            startsGroup: true,
            isDisabled: isReadOnly || isAway,
            onChoose: () => ask({ what: 'rename', id: first.node_id }),
          },
          { text: t('Make a template'), icon: 'catalogue', onChoose: () => ask({ what: 'template', node: first }) },
        ] satisfies MenuItem[])
      : []),
    ...linkingItems(scope, nodes),
    {
      text: t('Addresses …'),
      icon: 'address',
      isDisabled: isReadOnly || isAway,
      onChoose: () => ask({ what: 'addresses', nodes }),
    },
  ];
};

/** Links of the selected nodes: one is asked with which other, more are linked at once. */
const linkingItems = (scope: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const { isReadOnly } = scope;
  const withPorts: MenuItem = {
    text: nodes.length === 1 ? t('Link to …') : t('Link them, with ports …'),
    ...(nodes.length === 1 ? { icon: 'link' } : {}),
    isDisabled: isReadOnly,
    onChoose: () => linkChosen(scope, nodes, true),
  };
  const atOnce: MenuItem = {
    text: nodes.length === 2 ? t('Link them') : t('Link them in a star'),
    icon: 'link',
    isDisabled: isReadOnly,
    onChoose: () => linkChosen(scope, nodes, false),
  };
  return [...(nodes.length > 1 ? [atOnce] : []), ...(nodes.length < 3 ? [withPorts] : [])];
};

const linkItems = ({ lab, isReadOnly, isPast }: MenuScope, { links }: Chosen, show: Show): MenuItem[] => {
  const [link] = links;
  if (link === undefined) return [];
  const { link_id: linkId } = link;
  return [
    ...(links.length === 1
      ? ([
          {
            text: t('Filters, traffic and capture'),
            icon: 'filter',
            isDisabled: isPast,
            onChoose: show(openSheet({ kind: 'link', linkId })),
          },
          {
            text: t('Packets'),
            icon: 'capture',
            isDisabled: isPast,
            onChoose: show(openPanel({ kind: 'packets', linkId })),
          },
        ] satisfies MenuItem[])
      : []),
    {
      text: link.suspend ? t('Resume') : t('Suspend'),
      icon: link.suspend ? 'play' : 'pause',
      isDisabled: isReadOnly,
      onChoose: () => void suspendLinks(lab, links, !link.suspend),
    },
  ];
};

const drawingItems = (scope: MenuScope, chosen: Chosen): MenuItem[] => [
  {
    text: t('Edit'),
    icon: 'edit',
    isDisabled: scope.isReadOnly || chosen.drawings.every(({ locked }) => locked),
    onChoose: () => editDrawing(scope, chosen),
  },
];

/** Goes to what can be changed of a drawing that is selected alone. */
export const editDrawing = ({ ask, isReadOnly }: Pick<MenuScope, 'ask' | 'isReadOnly'>, chosen: Chosen): void => {
  const [drawing, ...more] = chosen.drawings;
  if (isReadOnly || drawing === undefined || more.length > 0) return;
  if (drawing.locked) notify('info', t('It is locked.'));
  else ask({ what: 'edit-drawing', drawing });
};

const copyItems = ({ isReadOnly, isPast, copy, duplicate }: MenuScope, nodes: readonly Node[]): MenuItem[] => [
  { text: t('Cut'), startsGroup: true, isDisabled: isReadOnly, onChoose: () => copy(true) },
  { text: t('Copy'), icon: 'copy', isDisabled: isPast, onChoose: () => copy() },
  {
    text: t('Duplicate'),
    isDisabled: isReadOnly || (nodes.length > 0 && nodes.every((node) => unreachableOf(node) !== null)),
    onChoose: duplicate,
  },
];

const historyItem = ({ nodes, links, drawings }: Chosen, show: Show): MenuItem[] => {
  const [node, link, drawing] = [nodes[0], links[0], drawings[0]];
  const of =
    node !== undefined
      ? ({ collection: 'node', id: node.node_id } as const)
      : link !== undefined
        ? ({ collection: 'link', id: link.link_id } as const)
        : ({ collection: 'drawing', id: drawing?.drawing_id ?? '' } as const);
  return [
    { text: t('History'), icon: 'history', startsGroup: true, onChoose: show(openSheet({ kind: 'history', ...of })) },
  ];
};

/** Where things are on the map, and which of them cover others. */

const arrangeItems = ({ arrangeChosen, isReadOnly, ask }: MenuScope): MenuItem[] => [
  ...Object.entries(ARRANGEMENTS).map(([arrangement, text], index) => ({
    text: t(text),
    ...(index === 0 ? { icon: 'align' as const, startsGroup: true } : {}),
    isDisabled: isReadOnly,
    onChoose: () => arrangeChosen(arrangement as Arrangement),
  })),
  { text: t('Arrange automatically …'), isDisabled: isReadOnly, onChoose: () => ask({ what: 'layout' }) },
];

const layerItems = ({ lab, isReadOnly }: MenuScope, chosen: Chosen): MenuItem[] => {
  const isLocked = [...chosen.nodes, ...chosen.drawings].every(({ locked }) => locked);
  return [
    {
      text: isLocked ? t('Unlock') : t('Lock'),
      icon: isLocked ? 'unlock' : 'lock',
      startsGroup: true,
      isDisabled: isReadOnly,
      onChoose: () => void lockAll(lab, chosen, !isLocked),
    },
    { text: t('Raise'), isDisabled: isReadOnly, onChoose: () => void raise(lab, chosen, 1) },
    { text: t('Lower'), isDisabled: isReadOnly, onChoose: () => void raise(lab, chosen, -1) },
  ];
};

/** Items of the map as a whole. */
const placeItems = ({ lab, isReadOnly, ask, openLayers }: MenuScope): MenuItem[] => {
  const { project } = lab.state.get().records;
  const [hasGrid, isSnapped] = [project?.show_grid === true, project?.snap_to_grid === true];
  return [
    {
      text: t('Arrange automatically …'),
      icon: 'align',
      startsGroup: true,
      isDisabled: isReadOnly,
      onChoose: () => ask({ what: 'layout' }),
    },
    { text: t('Layers'), icon: 'layers', onChoose: openLayers },
    {
      text: hasGrid ? t('Hide the grid') : t('Show the grid'),
      isDisabled: isReadOnly,
      onChoose: () => void setUpMap(lab, { show_grid: !hasGrid }),
    },
    {
      text: isSnapped ? t('Do not snap to the grid') : t('Snap to the grid'),
      isDisabled: isReadOnly,
      onChoose: () => void setUpMap(lab, { snap_to_grid: !isSnapped }),
    },
  ];
};

/** Items about the way from one node to another. */
const reachItems = (scope: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const { ask, isReadOnly, workbench } = scope;
  const [from, to] = nodes;
  if (from === undefined || nodes.length > 2) return [];
  if (to === undefined)
    return [
      {
        text: t('Why can it not reach …'),
        icon: 'why',
        startsGroup: true,
        onChoose: () => ask({ what: 'why', node: from }),
      },
    ];
  const names = { from: from.name, to: to.name };
  return [
    {
      text: t('Why does {from} not reach {to}?', names),
      icon: 'why',
      startsGroup: true,
      onChoose: () => workbench.update(openSheet({ kind: 'why', from: from.node_id, to: to.node_id })),
    },
    {
      text: t('Check that {from} reaches {to}', names),
      icon: 'checks',
      isDisabled: isReadOnly,
      onChoose: () => void checkReach(scope, from, to),
    },
  ];
};

const checkReach = async ({ lab, workbench }: MenuScope, from: Node, to: Node): Promise<void> => {
  const made = await attempt(async () => {
    const { title } = await saveCheck(lab, null, { reach: { from: from.node_id, to: to.node_id } });
    notify('success', t('It is checked from now on: {title}', { title: toldTitle(title) }));
  });
  if (made) workbench.update(openPanel({ kind: 'checks' }));
};
