/** Idle time longer than this is drawn, and played, as this much. Milliseconds. */
const IDLE_MS = 10_000;

/** How times lie on the bar. Places on the bar are milliseconds of busy time, from 0 to `length`. */
export interface Scale {
  readonly length: number;
  /** Places at which idle time was left out. */
  readonly breaks: readonly number[];
  readonly toPlace: (time: number) => number;
  readonly toTime: (place: number) => number;
}

/** `times`: milliseconds since 1970, rising. */
export const createScale = (times: readonly number[], idleMs = IDLE_MS): Scale => {
  const known = times.length === 0 ? [0] : times;
  const places = new Float64Array(known.length);
  const breaks: number[] = [];
  for (let i = 1; i < known.length; i++) {
    const gap = Math.max(0, (known[i] ?? 0) - (known[i - 1] ?? 0));
    const before = places[i - 1] ?? 0;
    places[i] = before + Math.min(gap, idleMs);
    if (gap > idleMs) breaks.push(before + idleMs / 2);
  }
  const along = (from: ArrayLike<number>, to: ArrayLike<number>, value: number): number => {
    const right = firstAbove(from, value);
    if (right === 0) return to[0] ?? 0;
    if (right === from.length) return to[to.length - 1] ?? 0;
    const [a, b] = [from[right - 1] ?? 0, from[right] ?? 0];
    const [c, d] = [to[right - 1] ?? 0, to[right] ?? 0];
    return c + ((value - a) / (b - a)) * (d - c);
  };
  return {
    length: places.at(-1) ?? 0,
    breaks,
    toPlace: (time) => along(known, places, time),
    toTime: (place) => along(places, known, place),
  };
};

const firstAbove = (sorted: ArrayLike<number>, value: number): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};
