import { unreachableOf } from '../../computes/records.ts';
import { notify } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import type { Workbench, WorkbenchStore } from '../../store/workbench.ts';
import { openPanel, openSheet } from '../../store/workbench.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { type Arrangement, ARRANGEMENTS } from './arrange.ts';
import type { Asked } from './asked.ts';
import { failureOf } from './failure.ts';
import { type ActionScope, actOn, duplicateNode, type Failure } from './node-actions.ts';
import { type Chosen, deleteChosen, lockAll, raise, suspendLink } from './object-actions.ts';

/** What menus do, besides acting on the server. */
export interface MenuScope extends ActionScope {
  readonly workbench: WorkbenchStore;
  readonly isReadOnly: boolean;
  /** The past is shown: histories can be read, consoles cannot be opened. */
  readonly isPast: boolean;
  readonly ask: (asked: Asked) => void;
  readonly arrangeChosen: (arrangement: Arrangement) => void;
  readonly fit: () => void;
  readonly chooseAll: () => void;
}

type Show = (change: (now: Workbench) => Workbench) => () => void;

/** What can be done with what is chosen. */
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
    ...(count === 1 ? historyItem(chosen, show) : []),
    {
      text: 'Delete',
      icon: 'delete',
      isDanger: true,
      startsGroup: true,
      isDisabled: scope.isReadOnly,
      onChoose: () => void deleteChosen(scope.lab, chosen),
    },
  ];
};

const mapMenu = ({ ask, isReadOnly, fit, chooseAll }: MenuScope, at: { x: number; y: number }): MenuItem[] => [
  { text: 'Add a node', icon: 'add', isDisabled: isReadOnly, onChoose: () => ask({ what: 'add-node', at }) },
  { text: 'Add a drawing', icon: 'shapes', isDisabled: isReadOnly, onChoose: () => ask({ what: 'add-drawing', at }) },
  {
    text: 'New link',
    icon: 'link',
    isDisabled: isReadOnly,
    onChoose: () => ask({ what: 'link', from: null, to: null }),
  },
  { text: 'Choose everything', icon: 'check', startsGroup: true, onChoose: chooseAll },
  { text: 'Find a node', icon: 'capture', onChoose: () => ask({ what: 'find' }) },
  { text: 'Show everything', icon: 'fit', onChoose: fit },
  {
    text: t('Arrange automatically …'),
    icon: 'align',
    startsGroup: true,
    isDisabled: isReadOnly,
    onChoose: () => ask({ what: 'layout' }),
  },
  { text: t('Export …'), icon: 'download', onChoose: () => ask({ what: 'export' }) },
];

/** Why nodes have failed, for those who cannot rest a pointer on their marks. */
const failureItem = ({ ask }: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const failed = nodes.flatMap((node): Failure[] => {
    const message = failureOf(node);
    return message === null ? [] : [{ nodeId: node.node_id, name: node.name, message }];
  });
  return failed.length === 0 ? [] : [{ text: 'Why it failed', onChoose: () => ask({ what: 'failed', failed }) }];
};

/** Why nothing can be asked of nodes whose computes are away; leads to the computes. */
const unreachableItem = ({ ask, isPast }: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const reasons = [...new Set(nodes.map(unreachableOf).filter((reason) => reason !== null))];
  if (isPast || reasons.length === 0) return [];
  return [
    {
      text: 'Why it is unreachable',
      icon: 'warning',
      note: reasons.join('; '),
      onChoose: () => ask({ what: 'computes' }),
    },
  ];
};

/** Also for those that are unreachable: a compute that the server does not know never comes back. */
const moveItem = ({ ask, isReadOnly }: MenuScope, nodes: readonly Node[]): MenuItem => ({
  text: 'Put on another machine …',
  icon: 'computes',
  isDisabled: isReadOnly,
  onChoose: () => ask({ what: 'move', nodes }),
});

const nodeItems = (scope: MenuScope, { nodes }: Chosen, show: Show): MenuItem[] => {
  const { isReadOnly, isPast, lab, ask } = scope;
  const [first] = nodes;
  const reachable = nodes.filter((node) => unreachableOf(node) === null);
  const isAway = reachable.length === 0;
  const isAny = (...states: string[]): boolean => reachable.some(({ status }) => states.includes(status));
  const act = (action: 'start' | 'stop' | 'suspend' | 'reload') => () => void actOn(scope, action, reachable);
  const consoles = reachable.filter(({ console_type }) => console_type !== 'none');
  return [
    ...unreachableItem(scope, nodes),
    {
      text: consoles.length > 1 ? 'Consoles' : 'Console',
      icon: 'console',
      isDisabled: isPast || consoles.length === 0,
      onChoose: () => {
        for (const { node_id } of consoles) show(openPanel({ kind: 'console', nodeId: node_id }))();
      },
    },
    { text: 'Start', icon: 'play', isDisabled: isReadOnly || !isAny('stopped', 'suspended'), onChoose: act('start') },
    { text: 'Stop', icon: 'stop', isDisabled: isReadOnly || !isAny('started', 'suspended'), onChoose: act('stop') },
    { text: 'Suspend', icon: 'pause', isDisabled: isReadOnly || !isAny('started'), onChoose: act('suspend') },
    { text: 'Restart', icon: 'reload', isDisabled: isReadOnly || !isAny('started'), onChoose: act('reload') },
    ...failureItem(scope, nodes),
    moveItem(scope, nodes),
    ...(nodes.length === 1 && first !== undefined
      ? ([
          {
            text: 'Link to …',
            icon: 'link',
            startsGroup: true,
            isDisabled: isReadOnly,
            onChoose: () => ask({ what: 'link', from: first.node_id, to: null }),
          },
          {
            text: 'Rename',
            icon: 'edit',
            isDisabled: isReadOnly || isAway,
            onChoose: () => ask({ what: 'rename', node: first }),
          },
          {
            text: 'Duplicate',
            icon: 'copy',
            isDisabled: isReadOnly || isAway,
            onChoose: () => void duplicateNode(lab.client, first),
          },
        ] satisfies MenuItem[])
      : []),
    ...(nodes.length === 2
      ? ([
          {
            text: 'Link them',
            icon: 'link',
            startsGroup: true,
            isDisabled: isReadOnly,
            onChoose: () => ask({ what: 'link', from: nodes[0]?.node_id ?? null, to: nodes[1]?.node_id ?? null }),
          },
        ] satisfies MenuItem[])
      : []),
  ];
};

const linkItems = ({ lab, isReadOnly, isPast }: MenuScope, { links }: Chosen, show: Show): MenuItem[] => {
  const [link] = links;
  if (link === undefined) return [];
  const { link_id: linkId } = link;
  return [
    ...(links.length === 1
      ? ([
          {
            text: 'Filters, traffic and capture',
            icon: 'filter',
            isDisabled: isPast,
            onChoose: show(openSheet({ kind: 'link', linkId })),
          },
          {
            text: 'Packets',
            icon: 'capture',
            isDisabled: isPast || !link.capturing,
            onChoose: show(openPanel({ kind: 'packets', linkId })),
          },
        ] satisfies MenuItem[])
      : []),
    {
      text: link.suspend ? 'Resume' : 'Suspend',
      icon: link.suspend ? 'play' : 'pause',
      isDisabled: isReadOnly,
      onChoose: () => {
        for (const one of links) void suspendLink(lab, one, !link.suspend);
      },
    },
  ];
};

const drawingItems = (scope: MenuScope, chosen: Chosen): MenuItem[] => [
  {
    text: 'Edit',
    icon: 'edit',
    isDisabled: scope.isReadOnly || chosen.drawings.every(({ locked }) => locked),
    onChoose: () => editDrawing(scope, chosen),
  },
];

/** Goes to what can be changed of a drawing that is selected alone. */
export const editDrawing = ({ ask, isReadOnly }: Pick<MenuScope, 'ask' | 'isReadOnly'>, chosen: Chosen): void => {
  const [drawing, ...more] = chosen.drawings;
  if (isReadOnly || drawing === undefined || more.length > 0) return;
  if (drawing.locked) notify('info', 'It is locked.');
  else ask({ what: 'edit-drawing', drawing });
};

const arrangeItems = ({ arrangeChosen, isReadOnly, ask }: MenuScope): MenuItem[] => [
  ...Object.entries(ARRANGEMENTS).map(([arrangement, text], index) => ({
    text,
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
      text: isLocked ? 'Unlock' : 'Lock',
      icon: isLocked ? 'unlock' : 'lock',
      startsGroup: true,
      isDisabled: isReadOnly,
      onChoose: () => void lockAll(lab, chosen, !isLocked),
    },
    { text: 'Raise', isDisabled: isReadOnly, onChoose: () => void raise(lab, chosen, 1) },
    { text: 'Lower', isDisabled: isReadOnly, onChoose: () => void raise(lab, chosen, -1) },
  ];
};

const historyItem = ({ nodes, links, drawings }: Chosen, show: Show): MenuItem[] => {
  const [node, link, drawing] = [nodes[0], links[0], drawings[0]];
  const of =
    node !== undefined
      ? ({ collection: 'node', id: node.node_id } as const)
      : link !== undefined
        ? ({ collection: 'link', id: link.link_id } as const)
        : ({ collection: 'drawing', id: drawing?.drawing_id ?? '' } as const);
  return [
    { text: 'History', icon: 'history', startsGroup: true, onChoose: show(openSheet({ kind: 'history', ...of })) },
  ];
};
