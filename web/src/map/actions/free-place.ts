export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}
/** Between two nodes, so that their names have room. Pixels of the map. */
const ROOM = 24;
/** Steps that are looked at in each direction. */
const FARTHEST = 60;

const meets = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width + ROOM &&
  b.x < a.x + a.width + ROOM &&
  a.y < b.y + b.height + ROOM &&
  b.y < a.y + a.height + ROOM;

const isWithin = (a: Rect, b: Rect): boolean =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;

/** A square of steps around a place, nearest first; to the right before the left. */
const around = (ring: number): readonly Point[] => {
  const points: Point[] = [];
  for (let x = -ring; x <= ring; x++)
    for (let y = -ring; y <= ring; y++) if (Math.max(Math.abs(x), Math.abs(y)) === ring) points.push({ x, y });
  return points.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y) || a.y ** 2 - b.y ** 2 || b.x - a.x);
};

/**
 * The place nearest to the wanted one where a node lies on no other, in steps from it; inside of `within` if there is one. `step`: pixels.
 */
export const freePlace = (taken: readonly Rect[], wanted: Rect, step: number, within?: Rect): Point => {
  const reach = FARTHEST * step + ROOM;
  const range = {
    x: wanted.x - reach,
    y: wanted.y - reach,
    width: 2 * reach + wanted.width,
    height: 2 * reach + wanted.height,
  };
  const near = taken.filter((one) => meets(range, one));
  const find = (limit: Rect | undefined): Point | null => {
    for (let ring = 0; ring <= FARTHEST; ring++)
      for (const { x, y } of around(ring)) {
        const there = { ...wanted, x: wanted.x + x * step, y: wanted.y + y * step };
        if (limit !== undefined && !isWithin(there, limit)) continue;
        if (!near.some((one) => meets(there, one))) return { x: Math.round(there.x), y: Math.round(there.y) };
      }
    return null;
  };
  return (within === undefined ? null : find(within)) ?? find(undefined) ?? { x: wanted.x, y: wanted.y };
};
