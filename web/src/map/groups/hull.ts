import type { Rect } from '../actions/free-place.ts';

export type { Rect };
export interface Box extends Rect {
  readonly id: string;
}

/** The smallest box around all of them. */
export const hullOf = (boxes: readonly Rect[]): Rect => {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
};
