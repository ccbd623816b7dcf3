import { type NodeChange, type OnNodesChange, useReactFlow, ViewportPortal } from '@xyflow/react';
import { type ReactElement, useCallback, useMemo, useRef } from 'react';
import { createStore, type Store } from '../../store/store.ts';
import { useStore } from '../../store/use-store.ts';
import type { Rect } from '../actions/free-place.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';
import { isGroup, withMemberIds } from '../groups/draw-groups.ts';
import { hullOf } from '../groups/hull.ts';

/** A line along which things are aligned: at `at`, from one end to the other. Pixels of the map. */
interface Guide {
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}
interface Found {
  readonly guides: readonly Guide[];
  /** By how much what is dragged moves so that it is aligned. */
  readonly dx: number;
  readonly dy: number;
}

const NOTHING: Found = { guides: [], dx: 0, dy: 0 };

/** The edges and the middle of a box along an axis. */
const linesOf = (box: Rect, axis: 'x' | 'y'): readonly number[] => {
  const size = axis === 'x' ? box.width : box.height;
  return [box[axis], box[axis] + size / 2, box[axis] + size];
};

const closest = (moved: Rect, others: readonly Rect[], axis: 'x' | 'y', reach: number): number | null => {
  const mine = linesOf(moved, axis);
  let best: number | null = null;
  for (const other of others)
    for (const [index, at] of linesOf(other, axis).entries()) {
      const by = at - (mine[index] ?? Infinity);
      if (Math.abs(by) <= reach && (best === null || Math.abs(by) < Math.abs(best))) best = by;
    }
  return best;
};

const guideAt = (moved: Rect, others: readonly Rect[], axis: 'x' | 'y'): Guide[] => {
  const across = axis === 'x' ? 'y' : 'x';
  const extent = axis === 'x' ? 'height' : 'width';
  const mine = linesOf(moved, axis);
  return mine.flatMap((at, index): Guide[] => {
    const met = others.filter((other) => Math.abs((linesOf(other, axis)[index] ?? Infinity) - at) < 0.5);
    if (met.length === 0) return [];
    const all = [moved, ...met];
    const from = Math.min(...all.map((one) => one[across]));
    return [{ axis, at, from, to: Math.max(...all.map((one) => one[across] + one[extent])) }];
  });
};

/** Whether what is dragged is nearly aligned with something else: middle with middle, edge with the same edge. */
export const guidesOf = (moved: Rect, others: readonly Rect[], reach: number): Found => {
  const dx = closest(moved, others, 'x', reach);
  const dy = closest(moved, others, 'y', reach);
  if (dx === null && dy === null) return NOTHING;
  const there = { ...moved, x: moved.x + (dx ?? 0), y: moved.y + (dy ?? 0) };
  const guides = [
    ...(dx === null ? [] : guideAt(there, others, 'x')),
    ...(dy === null ? [] : guideAt(there, others, 'y')),
  ];
  return { guides, dx: dx ?? 0, dy: dy ?? 0 };
};

/** Pixels of the screen within which things are drawn to a line. */
const REACH = 6;
/** More others than these are not compared at each turn: only those that are near. */
const NEAR = 1_200;
const NONE: readonly Guide[] = [];

const boxOf = ({ position, width = 0, height = 0 }: MapNode): Rect => ({ ...position, width, height });

interface Guides {
  readonly lines: Store<readonly Guide[]>;
  readonly onNodesChange: OnNodesChange<MapNode>;
  readonly end: () => void;
}

/** Aligns dragged objects with the others, unless there is a grid. */
export const useGuides = (flow: Flow, isOn: boolean): Guides => {
  const lines = useMemo(() => createStore(NONE), []);
  const canvas = useReactFlow<MapNode, MapEdge>();
  const nodes = useRef(flow.nodes);
  nodes.current = flow.nodes;
  const { onNodesChange } = flow;
  const change = useCallback<OnNodesChange<MapNode>>(
    (changes) => {
      const moves = changes.filter((one) => one.type === 'position');
      if (!isOn || !moves.some(({ dragging, position }) => dragging === true && position !== undefined))
        return onNodesChange(changes);
      const places = new Map(moves.map(({ id, position }) => [id, position]));
      const moved: Rect[] = [];
      const others: Rect[] = [];
      const along = new Set(withMemberIds(nodes.current, [...places.keys()]));
      for (const node of nodes.current) {
        // A frame goes where its nodes go, and they with it.
        if (!places.has(node.id) && (isGroup(node) || along.has(node.id))) continue;
        const position = places.get(node.id);
        if (position === undefined) {
          if (node.hidden !== true) others.push(boxOf(node));
        } else moved.push({ ...boxOf(node), ...position });
      }
      const box = hullOf(moved);
      const reach = REACH / canvas.getZoom();
      const found = guidesOf(box, nearTo(box, others), reach);
      lines.set(found.guides);
      if (found.dx === 0 && found.dy === 0) return onNodesChange(changes);
      return onNodesChange(changes.map((one): NodeChange<MapNode> => shifted(one, found.dx, found.dy)));
    },
    [isOn, onNodesChange, canvas, lines],
  );
  const end = useCallback(() => lines.set(NONE), [lines]);
  return { lines, onNodesChange: change, end };
};

const nearTo = (box: Rect, others: readonly Rect[]): readonly Rect[] =>
  others.filter((one) => Math.abs(one.x - box.x) < NEAR + box.width && Math.abs(one.y - box.y) < NEAR + box.height);

const shifted = (change: NodeChange<MapNode>, dx: number, dy: number): NodeChange<MapNode> =>
  change.type === 'position' && change.position !== undefined
    ? { ...change, position: { x: change.position.x + dx, y: change.position.y + dy } }
    : change;

/** The lines, over the map. */
export const GuideLines = ({ lines }: Pick<Guides, 'lines'>): ReactElement | null => {
  const guides = useStore(lines);
  if (guides.length === 0) return null;
  return (
    <ViewportPortal>
      {guides.map(({ axis, at, from, to }) => (
        <span
          key={`${axis} ${at}`}
          className="guide"
          style={
            axis === 'x'
              ? { left: at, top: from, width: 1, height: to - from }
              : { left: from, top: at, width: to - from, height: 1 }
          }
        />
      ))}
    </ViewportPortal>
  );
};
