import type { Point } from '../actions/free-place.ts';
/** Where a drawing is, on the map: its upper left corner, about which it is turned. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Degrees. */
  readonly rotation: number;
}
/** Rotates a vector, between the axes of the map and those of a rotated drawing. */
const turn = ({ x, y }: Point, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
};

/** A handle: -1 is the left or the top, 1 the right or the bottom, 0 neither. */
export type Side = -1 | 0 | 1;

export const SMALLEST = 8;

/** Size and place after one of the handles is dragged; the opposite side stays where it is. `keeps`: its proportions. */
export const resized = (from: Placed, [across, down]: readonly [Side, Side], by: Point, keeps = false): Placed => {
  const local = turn(by, -from.rotation);
  let width = Math.max(SMALLEST, from.width + across * local.x);
  let height = Math.max(SMALLEST, from.height + down * local.y);
  if (keeps && across !== 0 && down !== 0) {
    const scale = Math.max(width / from.width, height / from.height);
    [width, height] = [from.width * scale, from.height * scale];
  }
  const corner = turn(
    { x: across === -1 ? from.width - width : 0, y: down === -1 ? from.height - height : 0 },
    from.rotation,
  );
  return { ...from, x: from.x + corner.x, y: from.y + corner.y, width, height };
};

export const middleOf = ({ x, y, width, height, rotation }: Placed): Point => {
  const half = turn({ x: width / 2, y: height / 2 }, rotation);
  return { x: x + half.x, y: y + half.y };
};

/** Turned to another angle about its middle. */
export const turned = (from: Placed, rotation: number): Placed => {
  const middle = middleOf(from);
  const half = turn({ x: from.width / 2, y: from.height / 2 }, rotation);
  return { ...from, x: middle.x - half.x, y: middle.y - half.y, rotation };
};

/** Degrees between which the hand rests, as long as nobody holds Shift. */
const REST = 15;
const NEAR = 4;

/** The angle at which the handle above a drawing points to a place: from 0 to 359. */
export const angleTo = (middle: Point, to: Point, isFree: boolean): number => {
  const angle = Math.round((Math.atan2(to.y - middle.y, to.x - middle.x) * 180) / Math.PI + 90);
  const rest = Math.round(angle / REST) * REST;
  return ((!isFree && Math.abs(angle - rest) <= NEAR ? rest : angle) + 360) % 360;
};

/** The box between two points; `isEven`: as wide as high. */
export const between = (a: Point, b: Point, isEven = false): Omit<Placed, 'rotation'> => {
  const [width, height] = [Math.abs(b.x - a.x), Math.abs(b.y - a.y)];
  const even = Math.max(width, height);
  const size = isEven ? { width: even, height: even } : { width, height };
  return { x: b.x < a.x ? a.x - size.width : a.x, y: b.y < a.y ? a.y - size.height : a.y, ...size };
};

/** A line drawn by hand with the points that it needs: those nearer than `least` pixels to the last one go. */
export const thinned = (points: readonly Point[], least = 3): Point[] => {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (last === undefined || Math.hypot(point.x - last.x, point.y - last.y) >= least) kept.push(point);
  }
  const end = points.at(-1);
  if (end !== undefined && kept.at(-1) !== end) kept.push(end);
  return kept;
};
