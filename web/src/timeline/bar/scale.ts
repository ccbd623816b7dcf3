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
interface Tick {
  /** Pixels from the left. */
  readonly x: number;
  readonly text: string;
  /** Idle time was left out between the one before and this one. */
  readonly isAfterGap: boolean;
}

/** Pixels that a text of the axis needs. */
const APART = 104;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps within a second. Milliseconds. */
const FRACTIONS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/** Steps of clocks and calendars. Milliseconds. */
const STEPS = [
  ...FRACTIONS,
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 84, 364].map((n) => n * DAY),
];

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  formats.set(key, known);
  return known;
};

const day = (time: number): string => new Date(time).toDateString();

/** A time with as much as tells it from its neighbours: the date where it is another day, milliseconds where they are near. */
const sayTime = (time: number, before: number | null, step: number): string => {
  if (step >= DAY)
    return formatOf({ day: 'numeric', month: 'short', ...(step > 100 * DAY ? { year: 'numeric' } : {}) }).format(time);
  const isNewDay = before !== null && day(before) !== day(time);
  return formatOf({
    ...(isNewDay ? { day: 'numeric', month: 'short' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(step < MINUTE ? { second: '2-digit' } : {}),
    ...(step < SECOND ? { fractionalSecondDigits: 3 } : {}),
  }).format(time);
};

/** The first round time from a time on, by the clock on the wall. */
const roundFrom = (time: number, step: number): number => {
  const local = new Date(time).getTimezoneOffset() * MINUTE;
  return Math.ceil((time - local) / step) * step + local;
};

/** Round times below the bar, as many as there is room for; how far apart they are goes by what the bar shows there. */
export const ticksOf = (
  scale: Scale,
  width: number,
  gaps: readonly { readonly from: number; readonly to: number }[],
): Tick[] => {
  const ticks: Tick[] = [];
  const room = (APART / Math.max(1, width)) * scale.length;
  let before: number | null = null;
  for (let place = 0; place + room / 2 < scale.length;) {
    const from = scale.toTime(place);
    const wanted = scale.toTime(place + room) - from;
    const step = STEPS.find((one) => one >= wanted / 2) ?? 364 * DAY;
    const round = roundFrom(from, step);
    // In idle time that was cut short there is no round time that could be told apart.
    const time = scale.toPlace(round) - place > room ? Math.round(from) : round;
    const last: number | null = before;
    ticks.push({
      x: Math.round((scale.toPlace(time) / scale.length) * width),
      text: sayTime(time, last, step),
      isAfterGap: last !== null && gaps.some((gap) => gap.from >= last && gap.from < time),
    });
    before = time;
    place = Math.max(place, scale.toPlace(time)) + room;
  }
  return ticks.filter(({ x }) => x < width - APART / 2);
};
