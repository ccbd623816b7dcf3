import type { Point } from '../actions/free-place.ts';
import { useStore as useFlowStore } from '@xyflow/react';
import { type PointerEvent, type ReactElement, useRef } from 'react';
import { angleTo, middleOf, type Placed, resized, type Side, turned } from './geometry.ts';

const SIDES: readonly (readonly [Side, Side])[] = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
];

interface Props {
  readonly placed: Placed;
  /** Texts grow as a whole. */
  readonly cornersOnly: boolean;
  /** While the hand moves. */
  readonly onDraft: (placed: Placed) => void;
  /** When it lets go. */
  readonly onDone: (placed: Placed) => void;
}

/** Handles that resize and rotate a drawing. By keyboard the bar does the same. */
export const Handles = ({ placed, cornersOnly, onDraft, onDone }: Props): ReactElement | null => {
  const zoom = useFlowStore(({ transform }) => transform[2]);
  const isAlone = useFlowStore(({ nodes }) => nodes.filter(({ selected }) => selected).length === 1);
  const drag = useRef<{ from: Placed; at: Point } | null>(null);
  if (!isAlone) return null;
  const follow = (change: (from: Placed, by: Point, event: PointerEvent) => Placed) => {
    const to = (event: PointerEvent): Placed | null => {
      const now = drag.current;
      if (now === null) return null;
      return change(now.from, { x: (event.clientX - now.at.x) / zoom, y: (event.clientY - now.at.y) / zoom }, event);
    };
    return {
      onPointerDown: (event: PointerEvent) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: placed, at: { x: event.clientX, y: event.clientY } };
      },
      onPointerMove: (event: PointerEvent) => {
        const next = to(event);
        if (next !== null) onDraft(next);
      },
      onPointerUp: (event: PointerEvent) => {
        const next = to(event);
        drag.current = null;
        if (next !== null) onDone(next);
      },
    };
  };
  const { width, height } = placed;
  const turning = follow((from, by) => {
    const middle = middleOf(from);
    const above = topOf(from, zoom);
    return turned(from, angleTo(middle, { x: above.x + by.x, y: above.y + by.y }, false));
  });
  return (
    <div
      className="draw-handles nodrag nopan"
      style={{ '--handle': `${1 / zoom}` } as React.CSSProperties}
      aria-hidden="true"
    >
      {SIDES.filter(([across, down]) => !cornersOnly || across * down !== 0).map((side) => (
        <span
          key={side.join()}
          className="draw-handle nodrag nopan"
          style={{ left: ((side[0] + 1) / 2) * width, top: ((side[1] + 1) / 2) * height, cursor: cursorOf(side) }}
          {...follow((from, by, { shiftKey }) => resized(from, side, by, shiftKey || cornersOnly))}
        />
      ))}
      <span className="draw-handle turn nodrag nopan" style={{ left: width / 2, top: -TURN / zoom }} {...turning} />
    </div>
  );
};

/** Distance of the handle that rotates, above the drawing, in pixels of the screen. */
const TURN = 28;

const topOf = (from: Placed, zoom: number): Point => {
  const middle = middleOf(from);
  const angle = (from.rotation * Math.PI) / 180;
  const up = from.height / 2 + TURN / zoom;
  return { x: middle.x + up * Math.sin(angle), y: middle.y - up * Math.cos(angle) };
};

const cursorOf = ([across, down]: readonly [Side, Side]): string =>
  across === 0 ? 'ns-resize' : down === 0 ? 'ew-resize' : across === down ? 'nwse-resize' : 'nesw-resize';
