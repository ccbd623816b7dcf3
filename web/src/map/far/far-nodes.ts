import type { Point } from '../actions/free-place.ts';
import { hiddenOf, type MapEdge, type MapNode } from '../flow/flow.ts';

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Nodes of a collapsed group are hidden: its symbol is an element. */
const isNode = ({ type, hidden }: MapNode): boolean => type === 'lab' && hidden !== true;
const isSymbol = ({ data }: MapNode): boolean => 'group' in data && data.group.collapsed;

export const reaches = ({ position, width = 0, height = 0 }: MapNode, { x, y, width: w, height: h }: Box): boolean =>
  position.x <= x + w && position.x + width >= x && position.y <= y + h && position.y + height >= y;

/** The uppermost node, or symbol of a group, at a point of the lab, or so near to it. */
export const nodeAt = (nodes: readonly MapNode[], { x, y }: Point, slack: number): string | null => {
  const around = { x: x - slack, y: y - slack, width: 2 * slack, height: 2 * slack };
  return nodes.findLast((node) => (isNode(node) || isSymbol(node)) && reaches(node, around))?.id ?? null;
};

/** Nodes, and symbols of groups, that a box of the lab touches. */
export const nodesIn = (nodes: readonly MapNode[], box: Box): ReadonlySet<string> =>
  new Set(nodes.filter((node) => (isNode(node) || isSymbol(node)) && reaches(node, box)).map(({ id }) => id));

const NONE: ReadonlySet<string> = new Set();
/** Most selected nodes that have an element, which may have the focus. */
const FOCUSABLE = 30;

/**
 * Objects of a large lab that have elements even from far away: drawings, the node under the pointer, and the selected ones, which are
 * dragged together. `there`: and these.
 */
export const heldNodes = (
  nodes: readonly MapNode[],
  under: string | null,
  there: ReadonlySet<string> = NONE,
): MapNode[] => {
  const isFew = nodes.filter((node) => isNode(node) && node.selected).length <= FOCUSABLE;
  return nodes.flatMap((node) => {
    if (node.type !== 'lab' || node.id === under || there.has(node.id)) return [node];
    if (node.selected !== true || node.hidden === true) return [];
    return [isFew ? node : hiddenOf(node)];
  });
};

interface InHand {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly held: readonly MapNode[];
  readonly heldEdges: readonly MapEdge[];
  /** The held nodes, and those they have links to. */
  readonly ends: readonly MapNode[];
}

/** Splits the objects into those that lie still and those that are being dragged, with the links that follow them. */
export const inHand = (nodes: readonly MapNode[], edges: readonly MapEdge[]): InHand => {
  const held = nodes.filter(({ dragging }) => dragging === true);
  if (held.length === 0) return { nodes, edges, held, heldEdges: [], ends: [] };
  const ids = new Set(held.map(({ id }) => id));
  const isHeld = ({ source, target }: MapEdge): boolean => ids.has(source) || ids.has(target);
  const heldEdges = edges.filter(isHeld);
  const reached = new Set([...ids, ...heldEdges.flatMap(({ source, target }) => [source, target])]);
  return {
    nodes: nodes.filter(({ id }) => !ids.has(id)),
    edges: edges.filter((edge) => !isHeld(edge)),
    held,
    heldEdges,
    ends: nodes.filter(({ id }) => reached.has(id)),
  };
};

/** Box around all of them that are visible; null: there are none. */
export const boundsOf = (nodes: readonly Pick<MapNode, 'position' | 'width' | 'height' | 'hidden'>[]): Box | null => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { position, width = 0, height = 0, hidden } of nodes) {
    if (hidden === true) continue;
    left = Math.min(left, position.x);
    top = Math.min(top, position.y);
    right = Math.max(right, position.x + width);
    bottom = Math.max(bottom, position.y + height);
  }
  return left === Infinity ? null : { x: left, y: top, width: right - left, height: bottom - top };
};
