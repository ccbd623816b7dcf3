import { getViewportForBounds, useStore, type Viewport } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import { boundsOf } from '../far/far-nodes.ts';
import type { MapScope } from '../map-scope.ts';
import type { MapNode } from './flow.ts';
import { labelBox, labelSize } from './label-style.ts';

/** How everything is shown: beside the toolbar, and not larger than life by much. */
const FIT = {
  padding: { top: '16px', right: '24px', bottom: '52px', left: '24px' },
  maxZoom: 1.25,
} as const;

/** How far the map is zoomed out and in at most. */
export const ZOOM = { min: 0.03, max: 4 } as const;

/** How far the map goes along with what is dragged to its edge, pixels of the screen a turn of it: from far away that is a long way. */
export const PAN = { near: 15, far: 3 } as const;

/** Height of a node's name above its middle if it has no place of its own. */
export const NAME_Y = -25;

/** Where the name of a node is, more or less; none for what has no name. */
const nameOf = ({ data, position, hidden }: MapNode): Pick<MapNode, 'position' | 'width' | 'height'>[] => {
  if (hidden === true || !('node' in data)) return [];
  const { label, name, width } = data.node;
  const size = labelBox(label.text === '' ? name : label.text, labelSize(label.style));
  const x = label.x ?? (width - size.width) / 2;
  return [{ ...size, position: { x: position.x + x, y: position.y + (label.y ?? NAME_Y) } }];
};

interface Room {
  readonly width: number;
  readonly height: number;
}

/** Where all of these are seen, with the names of nodes, as large as they fit; null: there is nothing. */
export const fitting = (nodes: readonly MapNode[], { width, height }: Room): Viewport | null => {
  const bounds = boundsOf([...nodes, ...nodes.flatMap(nameOf)]);
  if (bounds === null) return null;
  const { x, y, zoom } = getViewportForBounds(bounds, width, height, ZOOM.min, FIT.maxZoom, FIT.padding);
  // Between two pixels everything is a little blurred.
  return { x: Math.round(x), y: Math.round(y), zoom };
};

type Fitting = Pick<MapScope, 'fitted' | 'refit'>;

/**
 * Shows everything again when the map gets another size, as long as that is what is shown: a dock that opens hides nothing. Answers what
 * to call when somebody looks elsewhere.
 */
export const useRefit = ({ fitted, refit }: Fitting): (() => void) => {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (fitted.current) refit();
  }, [width, height, fitted, refit]);
  return useCallback(() => {
    fitted.current = false;
  }, [fitted]);
};

/** Shows everything again when there is something new out of sight, as long as everything is what is shown, and nothing is in the hand. */
export const useRefitForNew = (
  { fitted, refit, seen }: Fitting & Pick<MapScope, 'seen'>,
  nodes: readonly MapNode[],
): void => {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const before = known.current;
    // Dragging makes new objects of the same nodes, at every turn of the screen.
    if (before?.size === nodes.length) return;
    known.current = new Set(nodes.map(({ id }) => id));
    if (before === null || !fitted.current || nodes.some(({ dragging }) => dragging === true)) return;
    const { x, y, width, height } = seen();
    const isOut = ({ position, width: w = 0, height: h = 0 }: MapNode): boolean =>
      position.x < x || position.y < y || position.x + w > x + width || position.y + h > y + height;
    if (nodes.some((node) => !before.has(node.id) && node.hidden !== true && isOut(node))) refit();
  }, [nodes, fitted, refit, seen]);
};
