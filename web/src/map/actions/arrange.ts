/** Something with a place on the map, in its pixels. */
export interface Box {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export const ARRANGEMENTS = {
  left: 'Align left',
  middle: 'Align centers',
  right: 'Align right',
  top: 'Align top',
  row: 'Align middles',
  bottom: 'Align bottom',
  across: 'Distribute horizontally',
  down: 'Distribute vertically',
  circle: 'Arrange in a circle',
} as const;
export type Arrangement = keyof typeof ARRANGEMENTS;

/** Where the boxes go. */
export const arrange = (boxes: readonly Box[], arrangement: Arrangement): Place[] => {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  const each = (place: (box: Box) => { x?: number; y?: number }): Place[] =>
    boxes.map((box) => rounded({ id: box.id, x: box.x, y: box.y, ...place(box) }));
  switch (arrangement) {
    case 'left':
      return each(() => ({ x: left }));
    case 'right':
      return each(({ width }) => ({ x: right - width }));
    case 'middle':
      return each(({ width }) => ({ x: (left + right - width) / 2 }));
    case 'top':
      return each(() => ({ y: top }));
    case 'bottom':
      return each(({ height }) => ({ y: bottom - height }));
    case 'row':
      return each(({ height }) => ({ y: (top + bottom - height) / 2 }));
    case 'across':
      return spread(boxes, 'x', 'width');
    case 'down':
      return spread(boxes, 'y', 'height');
    case 'circle':
      return circle(boxes, { x: (left + right) / 2, y: (top + bottom) / 2 });
  }
};

/** With the same gap between them, the outer ones where they are. */
const spread = (boxes: readonly Box[], axis: 'x' | 'y', extent: 'width' | 'height'): Place[] => {
  const sorted = boxes.toSorted((a, b) => a[axis] - b[axis]);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const filled = sorted.slice(0, -1).reduce((sum, box) => sum + box[extent], 0);
  const gap = (last[axis] - first[axis] - filled) / Math.max(1, sorted.length - 1);
  let at = first[axis];
  return sorted.map(({ id, x, y, [extent]: size }) => {
    const place = rounded({ id, x, y, [axis]: at });
    at += size + gap;
    return place;
  });
};

const circle = (boxes: readonly Box[], centre: { x: number; y: number }): Place[] => {
  const widest = Math.max(...boxes.map(({ width, height }) => Math.max(width, height)));
  const radius = Math.max(widest, (boxes.length * widest * 1.8) / (2 * Math.PI));
  return boxes.map(({ id, width, height }, index) => {
    const angle = (2 * Math.PI * index) / boxes.length - Math.PI / 2;
    const x = centre.x + radius * Math.cos(angle) - width / 2;
    return rounded({ id, x, y: centre.y + radius * Math.sin(angle) - height / 2 });
  });
};

/** The server takes whole pixels. */
const rounded = ({ id, x, y }: Place): Place => ({ id, x: Math.round(x), y: Math.round(y) });
