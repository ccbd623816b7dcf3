import type { Rect } from '../actions/free-place.ts';

/** A line along which things are aligned: at `at`, from one end to the other. Pixels of the map. */
export interface Guide {
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
