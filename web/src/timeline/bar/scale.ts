/** How times lie on the bar. Places on the bar are milliseconds of busy time, from 0 to `length`: idle time is cut short. */
export interface Scale {
  readonly length: number;
  readonly toPlace: (time: number) => number;
  readonly toTime: (place: number) => number;
}

/** `edges`: times in equal steps of busy time, rising, milliseconds since 1970. */
export const createScale = (edges: readonly number[], busy: number): Scale => {
  const known = edges.length === 0 ? [0] : edges;
  // A moment alone has a place as well.
  const length = Math.max(1, busy);
  const step = length / Math.max(1, known.length - 1);
  return {
    length,
    toPlace: (time) => {
      const right = firstAbove(known, time);
      if (right === 0) return 0;
      if (right === known.length) return length;
      const [before, after] = [known[right - 1] ?? 0, known[right] ?? 0];
      return (right - 1 + (time - before) / (after - before)) * step;
    },
    toTime: (place) => {
      const at = Math.max(0, Math.min(known.length - 1, place / step));
      const left = Math.min(known.length - 1, Math.floor(at));
      const before = known[left] ?? 0;
      return before + (at - left) * ((known[left + 1] ?? before) - before);
    },
  };
};

const firstAbove = (sorted: readonly number[], value: number): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};
