import { getViewportForBounds, type Viewport } from '@xyflow/react';
import { boundsOf } from '../far/far-nodes.ts';
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

/** Of the name of a node: without a place of its own it stands above the middle. */
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
