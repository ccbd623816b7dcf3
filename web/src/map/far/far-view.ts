/** Which part of a lab its picture from far away has, and where that is seen while the view moves: it is drawn once for many turns of the screen. */

import type { Box } from './far-nodes.ts';

/** Where the lab is seen: its origin and its scale on a screen of that size. */
export interface View extends Box {
  readonly zoom: number;
}

/** A drawn part, pixels of the screen as it was when it was drawn: `x`, `y` and `zoom` are those of that view. */
export interface Part {
  readonly view: View;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Sides {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** More than what is seen is drawn, in sizes of the screen on each side. */
const MARGIN = 0.3;
/** Frames around nodes, pixels of the lab. */
const AROUND = 60;
/** A picture is seen so much smaller or larger than it was drawn, until the view stands still. */
const SCALE = { least: 0.4, most: 2 } as const;

/** A view that stands still for so long is no longer but passed, milliseconds. */
export const STILL_MS = 150;

/** Sides of a box of the lab, on the screen. */
const sidesOf = ({ x, y, width, height }: Box, view: View): Sides => ({
  left: (x - AROUND) * view.zoom + view.x,
  top: (y - AROUND) * view.zoom + view.y,
  right: (x + width + AROUND) * view.zoom + view.x,
  bottom: (y + height + AROUND) * view.zoom + view.y,
});

/** Part of the lab on the screen, with a margin around it. */
const seenOf = (lab: Sides, { width, height }: View, margin: number): Sides => ({
  left: Math.max(lab.left, -width * margin),
  top: Math.max(lab.top, -height * margin),
  right: Math.min(lab.right, width * (1 + margin)),
  bottom: Math.min(lab.bottom, height * (1 + margin)),
});

/** Part of a lab to draw for this view. `bounds`: box around all of it; null: it is empty. */
export const partOf = (bounds: Box | null, view: View): Part => {
  if (bounds === null) return { view, left: 0, top: 0, width: 1, height: 1 };
  const { left, top, right, bottom } = seenOf(sidesOf(bounds, view), view, MARGIN);
  const [x, y] = [Math.floor(left), Math.floor(top)];
  return {
    view,
    left: x,
    top: y,
    width: Math.max(1, Math.ceil(right) - x),
    height: Math.max(1, Math.ceil(bottom) - y),
  };
};

/** Where a part is seen in another view. */
export const placeOf = (part: Part, view: View): { left: number; top: number; scale: number } => {
  const scale = view.zoom / part.view.zoom;
  return {
    left: (part.left - part.view.x) * scale + view.x,
    top: (part.top - part.view.y) * scale + view.y,
    scale,
  };
};

/** Whether a part has everything that is seen in another view, and clearly enough while it moves. */
export const isEnough = (part: Part, bounds: Box | null, view: View): boolean => {
  const { left, top, scale } = placeOf(part, view);
  if (bounds === null) return true;
  if (scale < SCALE.least || scale > SCALE.most) return false;
  const seen = seenOf(sidesOf(bounds, view), view, 0);
  if (seen.left >= seen.right || seen.top >= seen.bottom) return true;
  // Parts begin and end at whole pixels.
  const slack = 1;
  return (
    left <= seen.left + slack &&
    top <= seen.top + slack &&
    left + part.width * scale >= seen.right - slack &&
    top + part.height * scale >= seen.bottom - slack
  );
};
