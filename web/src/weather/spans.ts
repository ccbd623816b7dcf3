import type { Entry } from './weather.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A duration as the server writes it, in milliseconds. */
const millisecondsOf = (text: string): number => {
  const [, number = '0', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  return Number(number) * UNITS[unit as keyof typeof UNITS];
};

/** From and to, in milliseconds of the weather. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** More of them cannot be told apart. */
const MOST = 200;

/** Length of one turn of an entry, in milliseconds: a trace ends by itself. */
export const lengthOf = ({ for: lasts, trace }: Entry): number => {
  if (lasts !== undefined) return millisecondsOf(lasts);
  const [last, before] = (trace?.points ?? []).slice(-2).toReversed();
  // The last point holds as long as the one before it.
  return last === undefined || before === undefined ? Infinity : (last.time * 2 - before.time) * 1000;
};

/** When an entry is there, up to the end of the picture. */
export const spansOf = (entry: Entry, end: number): readonly Span[] => {
  const [at, length] = [millisecondsOf(entry.at), lengthOf(entry)];
  const { repeat } = entry;
  const every = repeat === undefined ? Infinity : millisecondsOf(repeat.every);
  const times = repeat === undefined ? 1 : (repeat.times ?? MOST);
  const spans: Span[] = [];
  for (let turn = 0; turn < Math.min(times, MOST); turn++) {
    const from = at + (turn === 0 ? 0 : turn * every);
    if (from >= end) break;
    spans.push({ from, to: Math.min(end, from + length) });
  }
  return spans;
};

/** A picture without anything in it. Milliseconds. */
const SHORTEST = 10_000;
/** Turns shown of an entry that goes on for ever. */
const SHOWN_TIMES = 4;

/** How much time the picture has: all that ends, and the beginning of what does not. */
export const lengthOfAll = (entries: readonly Entry[], now: number): number => {
  const ends = entries.map((entry) => {
    const at = millisecondsOf(entry.at);
    const length = lengthOf(entry);
    const every = entry.repeat === undefined ? 0 : millisecondsOf(entry.repeat.every);
    const times = entry.repeat === undefined ? 1 : (entry.repeat.times ?? SHOWN_TIMES);
    const last = at + (times - 1) * every;
    return length === Infinity ? last + Math.max(SHORTEST, last / 4) : last + length;
  });
  return Math.max(SHORTEST, ...ends, now * 1.05);
};

/** Times for an axis: a few round ones. */
export const ticksOf = (length: number): readonly number[] => {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400].map((s) => s * 1000);
  const step = steps.find((one) => length / one <= 8) ?? length;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, n) => n * step);
};

/** `1:30`, minutes and seconds. */
export const sayClockOf = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
