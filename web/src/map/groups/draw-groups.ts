import { type NodeChange, Position } from '@xyflow/react';
import { useCallback, useMemo, useRef } from 'react';
import { useView } from '../../app/lab-context.tsx';
import type { Node } from '../../store/records.ts';
import { t } from '../../words/words.ts';
import { type GroupFlowNode, hiddenOf, type LabFlowNode, type MapEdge, type MapNode, short } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';
import { boxOfGroup, type Group, type Groups, groupsOf, worstOf } from './groups.ts';
import type { Rect } from './hull.ts';

const isLab = (node: MapNode): node is LabFlowNode => node.type === 'lab';
export const isGroup = (node: MapNode): node is GroupFlowNode => node.type === 'frame';

const boxOf = ({ position, data: { node } }: LabFlowNode): Rect => ({
  ...position,
  width: node.width,
  height: node.height,
});

/** One of them that is dragged out does not take the frame along. */
const placesOf = (members: readonly LabFlowNode[]): Rect[] => {
  const isWhole = members.every(({ dragging }) => dragging === true);
  return members.map((one) =>
    one.dragging === true && !isWhole ? { ...boxOf(one), x: one.data.node.x, y: one.data.node.y } : boxOf(one),
  );
};

const wordsOf = (group: Group, members: readonly LabFlowNode[]): string => {
  const what = { name: short(group.name), count: members.length, state: t(worstOf(members.map(nodeOf))) };
  return group.collapsed
    ? t('Group {name}, {count, plural, one {# node} other {# nodes}}, collapsed, {state}', what)
    : t('Group {name}, {count, plural, one {# node} other {# nodes}}, {state}', what);
};

const nodeOf = ({ data }: LabFlowNode): Node => data.node;

/** `seen`: those of its nodes that are in no hidden layer. */
const groupNode = (group: Group, members: readonly LabFlowNode[], seen: readonly LabFlowNode[]): GroupFlowNode => {
  const { x, y, width, height } = boxOfGroup(group, placesOf(seen));
  const middle = { x: width / 2, y: height / 2, width: 0, height: 0 };
  return {
    id: group.group_id,
    type: 'frame',
    position: { x, y },
    width,
    height,
    measured: { width, height },
    data: { group, members, mark: undefined },
    draggable: members.every(({ draggable }) => draggable !== false),
    selected: seen.every(({ selected }) => selected === true),
    dragging: seen.every(({ dragging }) => dragging === true),
    connectable: false,
    ariaLabel: wordsOf(group, members),
    ...(group.collapsed
      ? {
          handles: [{ id: null, type: 'source', position: Position.Top, ...middle }],
          zIndex: Math.max(...seen.map(({ zIndex = 0 }) => zIndex)),
        }
      : // Behind its nodes and links, and nothing is caught by it but by its head.
        { zIndex: -1, selectable: false, dragHandle: '.group-head', style: { pointerEvents: 'none' } }),
  };
};

const isSame = (a: GroupFlowNode, b: GroupFlowNode): boolean =>
  a.data.group === b.data.group &&
  a.data.members.length === b.data.members.length &&
  a.data.members.every((one, index) => one === b.data.members[index]);

/** Frames and symbols of the groups that have nodes; what has not changed stays the same object. */
export const framesOf = (
  groups: Groups,
  nodes: readonly MapNode[],
  before: readonly GroupFlowNode[],
): readonly GroupFlowNode[] => {
  const labs = new Map(nodes.filter(isLab).map((node) => [node.id, node]));
  const frames = groups.flatMap((group) => {
    const members = group.nodes.map((id) => labs.get(id)).filter((one) => one !== undefined);
    const seen = members.filter((node) => node.hidden !== true);
    if (seen.length === 0) return [];
    const fresh = groupNode(group, members, seen);
    const old = before.find(({ id }) => id === group.group_id);
    return [old !== undefined && isSame(old, fresh) ? old : fresh];
  });
  return frames.length === before.length && frames.every((one, index) => one === before[index]) ? before : frames;
};

/** Which symbol stands for each node that is not seen. */
const homesOf = (frames: readonly GroupFlowNode[]): ReadonlyMap<string, GroupFlowNode> =>
  new Map(
    frames
      .filter(({ data }) => data.group.collapsed)
      .flatMap((frame) => frame.data.members.map(({ id }) => [id, frame] as const)),
  );

export const withFrames = (nodes: readonly MapNode[], frames: readonly GroupFlowNode[]): MapNode[] => {
  const homes = homesOf(frames);
  return [...nodes.map((node) => (homes.has(node.id) ? hiddenOf(node) : node)), ...frames];
};

/** Pixels between links that end at the same two things. */
const GAP = 14;

/** Links of a collapsed group end at its symbol; those within it are not seen. */
export const linksTo = (edges: readonly MapEdge[], frames: readonly GroupFlowNode[]): MapEdge[] => {
  const homes = homesOf(frames);
  if (homes.size === 0) return [...edges];
  const pairs = new Map<string, MapEdge[]>();
  const all = edges.flatMap((edge) => {
    const ends = [homes.get(edge.source), homes.get(edge.target)] as const;
    if (ends[0] === undefined && ends[1] === undefined) return [edge];
    if (ends[0] === ends[1] || edge.data === undefined) return [];
    const moved = movedTo(edge, edge.data, ends);
    const pair = [moved.source, moved.target].sort().join(' ');
    pairs.set(pair, [...(pairs.get(pair) ?? []), moved]);
    return [moved];
  });
  for (const side of pairs.values())
    for (const [index, edge] of side.entries()) {
      const turn = edge.source < edge.target ? 1 : -1;
      if (edge.data !== undefined) edge.data.offset = turn * (index - (side.length - 1) / 2) * GAP;
    }
  return all;
};

type Ends = readonly [GroupFlowNode | undefined, GroupFlowNode | undefined];

const movedTo = (edge: MapEdge, data: NonNullable<MapEdge['data']>, homes: Ends): MapEdge => {
  const at = (end: Node, home: GroupFlowNode | undefined): Node =>
    home === undefined ? end : { ...end, ...home.position, ...home.measured };
  const { link, ends } = data;
  // Which node of the group a port is of is not seen.
  const nodes = link.nodes.map((end, index) =>
    homes[index] === undefined ? end : { ...end, label: { ...end.label, text: '' } },
  );
  return {
    ...edge,
    source: homes[0]?.id ?? edge.source,
    target: homes[1]?.id ?? edge.target,
    data: { ...data, link: { ...link, nodes }, ends: [at(ends[0], homes[0]), at(ends[1], homes[1])] },
  };
};

/** Ids of a group stand for those of its nodes. */
export const withMemberIds = (nodes: readonly MapNode[], ids: readonly string[]): string[] => {
  const wanted = new Set(ids);
  const members = nodes.filter((node) => isGroup(node) && wanted.has(node.id)).flatMap((node) => idsIn(node));
  return [...new Set([...ids, ...members])];
};

const idsIn = (node: MapNode): string[] => (isGroup(node) ? node.data.members.map(({ id }) => id) : []);

/** Id that stands for an object on the map: the symbol of the collapsed group that it is in, or its own. */
export const shownAs = (nodes: readonly MapNode[], id: string): string =>
  nodes.find((node) => isGroup(node) && node.data.group.collapsed && idsIn(node).includes(id))?.id ?? id;

/** Changes of a frame or a symbol are applied to its nodes. */
export const changesOfMembers = (
  changes: readonly NodeChange<MapNode>[],
  frames: readonly GroupFlowNode[],
): NodeChange<MapNode>[] => {
  const known = new Map(frames.map((frame) => [frame.id, frame]));
  const first: NodeChange<MapNode>[] = [];
  const plain: NodeChange<MapNode>[] = [];
  const last: NodeChange<MapNode>[] = [];
  const moved = new Set(changes.flatMap((one) => (one.type === 'position' ? [one.id] : [])));
  for (const change of changes) {
    const frame = 'id' in change ? known.get(change.id) : undefined;
    if (frame === undefined) plain.push(change);
    else if (change.type === 'select') (change.selected ? last : first).push(...selected(frame, change.selected));
    else if (change.type === 'position') plain.push(...shifted(frame, change, moved));
  }
  return [...first, ...plain, ...last];
};

const selected = (frame: GroupFlowNode, isSelected: boolean): NodeChange<MapNode>[] =>
  frame.data.members
    .filter((node) => node.hidden !== true)
    .map(({ id }) => ({ type: 'select', id, selected: isSelected }));

type Move = Extract<NodeChange<MapNode>, { type: 'position' }>;

const shifted = (frame: GroupFlowNode, { position, dragging }: Move, moved: ReadonlySet<string>): Move[] => {
  const [dx, dy] = [
    (position?.x ?? frame.position.x) - frame.position.x,
    (position?.y ?? frame.position.y) - frame.position.y,
  ];
  return frame.data.members
    .filter(({ id }) => !moved.has(id))
    .map(({ id, position: { x, y } }) => ({
      type: 'position',
      id,
      position: { x: x + dx, y: y + dy },
      ...(dragging === undefined ? {} : { dragging }),
    }));
};

const NONE: readonly GroupFlowNode[] = [];

/** The map with its groups: a frame or a symbol is where its nodes are, and is selected when all of them are. */
export const useGroups = (flow: Flow): Flow => {
  const { records } = useView();
  const groups = groupsOf(records.project);
  const { nodes, edges, onNodesChange, choose } = flow;
  const last = useRef(NONE);
  const frames = useMemo(() => (groups.length === 0 ? NONE : framesOf(groups, nodes, last.current)), [groups, nodes]);
  last.current = frames;
  const shownNodes = useMemo(() => (frames.length === 0 ? nodes : withFrames(nodes, frames)), [nodes, frames]);
  const shownEdges = useMemo(() => (frames.length === 0 ? edges : linksTo(edges, frames)), [edges, frames]);
  const change = useCallback<Flow['onNodesChange']>(
    (changes) => onNodesChange(changesOfMembers(changes, last.current)),
    [onNodesChange],
  );
  const chooseAll = useCallback<Flow['choose']>(
    (isChosen) => {
      const of = last.current.filter(({ id }) => isChosen(id)).flatMap(({ data }) => data.members.map(({ id }) => id));
      const members = new Set(of);
      choose((id) => members.has(id) || isChosen(id));
    },
    [choose],
  );
  return { ...flow, nodes: shownNodes, edges: shownEdges, onNodesChange: change, choose: chooseAll };
};
