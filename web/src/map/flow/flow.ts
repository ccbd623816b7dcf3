import { type Edge, type Node as FlowNode, type NodeHandle, Position } from '@xyflow/react';
import { unreachableOf } from '../../computes/computes.ts';
import type { Mark } from '../../store/lab.ts';
import type { Drawing, Link, Node, Records } from '../../store/records.ts';
import { t } from '../../words/words.ts';
import { failureOf } from '../actions/failure.ts';
import type { Group } from '../groups/groups.ts';
import { drawnSize } from './drawing-size.ts';

/** Nodes and drawings of the map, and links between the middles of nodes. */
export type LabFlowNode = FlowNode<{ node: Node; mark: Mark | undefined }, 'lab'>;
export type DrawingFlowNode = FlowNode<{ drawing: Drawing; mark: Mark | undefined }, 'drawing'>;
/** A frame around the nodes of a group, or the symbol that stands for them. */
export type GroupFlowNode = FlowNode<
  { group: Group; members: readonly LabFlowNode[]; mark: Mark | undefined },
  'frame'
>;
export type MapNode = LabFlowNode | DrawingFlowNode | GroupFlowNode;
export type MapEdge = Edge<
  {
    link: Link;
    mark: Mark | undefined;
    /** Sideways from the line between the middles, in pixels. */
    offset: number;
    ends: readonly [Node, Node];
    /** At which ends the name of the port would cover another one. */
    hidden: readonly boolean[];
  },
  'lab'
>;

type Marks = ReadonlyMap<string, Mark>;

/** Everything that the map shows of records beside their own members. */
export interface Seen {
  readonly marks: Marks;
  readonly isReadOnly: boolean;
  /** Names of the computes that run nodes elsewhere, by id. */
  readonly places?: ReadonlyMap<string, string>;
}

/** Links begin and end in the middle; known beforehand, so that nothing has to be measured before they can be drawn. */
const handlesOf = ({ width, height }: Node): NodeHandle[] => [
  {
    id: null,
    type: 'source',
    position: Position.Top,
    x: width / 2,
    y: height / 2,
    width: 0,
    height: 0,
  },
];

/** States of an object, as a screen reader reads them. */
const said = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(', ');

/** A text of any length behind a word. */
const because = (message: 'failed: {reason}' | 'unreachable: {reason}', reason: string | null): string | null =>
  reason === null ? null : t(message, { reason: short(reason) });

const nodeWords = (node: Node, mark: Mark | undefined, { places }: Seen): string => {
  const place = places?.get(node.compute_id);
  return said([
    short(node.name),
    t(node.status),
    because('failed: {reason}', failureOf(node)),
    because('unreachable: {reason}', unreachableOf(node)),
    place === undefined ? null : t('on {place}', { place: short(place) }),
    node.locked ? t('locked') : null,
    mark === undefined ? null : t(mark),
  ]);
};

const labNode = (node: Node, mark: Mark | undefined, seen: Seen): LabFlowNode => ({
  id: node.node_id,
  type: 'lab',
  position: { x: node.x, y: node.y },
  width: node.width,
  height: node.height,
  measured: { width: node.width, height: node.height },
  handles: handlesOf(node),
  data: { node, mark },
  zIndex: node.z,
  draggable: !node.locked && !seen.isReadOnly,
  connectable: !seen.isReadOnly,
  ariaLabel: nodeWords(node, mark, seen),
});

const drawingNode = (drawing: Drawing, mark: Mark | undefined, { isReadOnly }: Seen): DrawingFlowNode => ({
  id: drawing.drawing_id,
  type: 'drawing',
  position: { x: drawing.x, y: drawing.y },
  ...drawnSize(drawing.svg),
  measured: drawnSize(drawing.svg),
  data: { drawing, mark },
  // Links have 0; what is meant to lie behind nodes lies behind them as well.
  zIndex: drawing.z < 1 ? drawing.z - 1 : drawing.z,
  draggable: !drawing.locked && !isReadOnly,
  connectable: false,
  ariaLabel: said([t('Drawing'), drawing.locked ? t('locked') : null, mark === undefined ? null : t(mark)]),
});

/** Names of files can be of any length; on the map they are cut. */
export const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

const recordOf = ({ data }: MapNode): Node | Drawing | null =>
  'node' in data ? data.node : 'drawing' in data ? data.drawing : null;

/**
 * Nodes of the map for the records. What has not changed stays the same object, what is being dragged stays under the pointer, and what
 * is selected stays selected.
 */
export const mergeNodes = (before: readonly MapNode[], { nodes, drawings }: Records, seen: Seen): MapNode[] => {
  const known = new Map(before.map((one) => [one.id, one]));
  const keep = <R extends Node | Drawing>(
    id: string,
    record: R,
    make: (record: R, mark: Mark | undefined, seen: Seen) => MapNode,
  ): MapNode => {
    const mark = seen.marks.get(id);
    const old = known.get(id);
    if (old === undefined) return make(record, mark, seen);
    const isSame = recordOf(old) === record && old.data.mark === mark;
    const fresh = make(record, mark, seen);
    if (isSame && old.draggable === fresh.draggable && old.ariaLabel === fresh.ariaLabel) return old;
    const isHeld = old.dragging === true;
    const kept = { selected: old.selected, dragging: isHeld };
    return { ...fresh, ...kept, position: isHeld ? old.position : fresh.position } as MapNode;
  };
  return [
    ...[...drawings].map(([id, drawing]) => keep(id, drawing, drawingNode)),
    ...[...nodes].map(([id, node]) => keep(id, node, labNode)),
  ];
};

/** The same, with everything where its record says. */
export const resetNodes = (before: readonly MapNode[], records: Records, seen: Seen): MapNode[] => {
  const known = new Map(before.map((one) => [one.id, one]));
  return mergeNodes([], records, seen).map((fresh) => {
    const old = known.get(fresh.id);
    return old === undefined ? fresh : ({ ...fresh, selected: old.selected, dragging: false } as MapNode);
  });
};

/** Pixels between links of the same two nodes. */
const GAP = 14;

/** Links of the map. What has not changed stays the same object; those of the same two nodes lie beside each other. */
export const mergeEdges = (before: readonly MapEdge[], { nodes, links }: Records, marks: Marks): MapEdge[] => {
  const known = new Map(before.map((edge) => [edge.id, edge]));
  const counts = new Map<string, number>();
  for (const link of links.values()) counts.set(pairOf(link), (counts.get(pairOf(link)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const labels = placesOf(links.values());
  const edges: MapEdge[] = [];
  for (const [id, link] of links) {
    const ends = endsOf(link, nodes);
    if (ends === null) continue;
    const pair = pairOf(link);
    const index = seen.get(pair) ?? 0;
    seen.set(pair, index + 1);
    const [a, b] = ends;
    // Sideways as seen from the smaller id, so that two links drawn in opposite directions do not meet.
    const side = a.node_id < b.node_id ? 1 : -1;
    const offset = side * (index - ((counts.get(pair) ?? 1) - 1) / 2) * GAP;
    const mark = marks.get(id);
    const hidden = link.nodes.map((end) => (labels.get(placeOf(end)) ?? 0) > 1);
    const old = known.get(id);
    const isSame =
      old?.data?.link === link &&
      old.data.mark === mark &&
      old.data.offset === offset &&
      old.data.hidden.join() === hidden.join() &&
      old.data.ends[0] === a &&
      old.data.ends[1] === b;
    edges.push(isSame ? old : edgeOf({ link, mark, offset, ends, hidden }, old?.selected));
  }
  return edges;
};

const placeOf = ({ node_id, label }: Link['nodes'][number]): string => `${node_id} ${label.x} ${label.y}`;

/** How many names of ports have each place. */
const placesOf = (links: Iterable<Link>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { nodes } of links) for (const end of nodes) counts.set(placeOf(end), (counts.get(placeOf(end)) ?? 0) + 1);
  return counts;
};

const pairOf = ({ nodes }: Link): string =>
  nodes
    .map(({ node_id }) => node_id)
    .sort()
    .join(' ');

const endsOf = (link: Link, nodes: Records['nodes']): readonly [Node, Node] | null => {
  const [from, to] = link.nodes.map(({ node_id }) => nodes.get(node_id));
  return from === undefined || to === undefined ? null : [from, to];
};

const edgeOf = (data: NonNullable<MapEdge['data']>, selected: boolean | undefined): MapEdge => ({
  id: data.link.link_id,
  type: 'lab',
  source: data.ends[0].node_id,
  target: data.ends[1].node_id,
  data,
  zIndex: 0,
  ...(selected === undefined ? {} : { selected }),
  ariaLabel: said([
    t('Link between {from} and {to}', { from: short(data.ends[0].name), to: short(data.ends[1].name) }),
    ...statesOf(data.link).map((state) => t(state)),
  ]),
});

/** Words for a link's unusual states. */
export const statesOf = (link: Link): ('suspended' | 'filtered' | 'capturing')[] => [
  ...(link.suspend ? (['suspended'] as const) : []),
  ...(Object.keys(link.filters).length > 0 ? (['filtered'] as const) : []),
  ...(link.capturing ? (['capturing'] as const) : []),
];

const hidden = new WeakMap<MapNode, MapNode>();

/** A node as one that is not seen; the same one for the same node. */
export const hiddenOf = (node: MapNode): MapNode => {
  const known = hidden.get(node) ?? { ...node, hidden: true };
  hidden.set(node, known);
  return known;
};
