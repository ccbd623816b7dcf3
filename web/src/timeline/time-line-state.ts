import type { Schemas } from '../store/api.ts';
import type { ObjectDiff } from './panes/compare.ts';
import { type Filter, filterMarks, NO_FILTER } from './panes/filter.ts';
import { indexAt, type Mark } from './bar/marks.ts';
import { createScale, type Scale } from './bar/scale.ts';

export interface Comparison {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Null until it is there. */
  readonly diffs: readonly ObjectDiff[] | null;
}

export type Verdict = Schemas['StoreVerdict'];

export interface TimeLineState {
  /** All of them, in the order of the log. */
  readonly marks: readonly Mark[];
  /** Those that the filter lets through. */
  readonly shown: readonly Mark[];
  readonly scale: Scale;
  /** How far the bar goes, milliseconds since 1970: consoles go on after the last event. */
  readonly end: number;
  readonly isComplete: boolean;
  /** Milliseconds since 1970; null: the present is shown. */
  readonly cursor: number | null;
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly filter: Filter;
  readonly comparison: Comparison | null;
  /** What the last check of the stream said, and of which last event. */
  readonly verdict: { readonly of: number; readonly answer: Verdict } | null;
  readonly isVerifying: boolean;
  /** What went wrong last. */
  readonly problem: string | null;
}

export const SPEEDS = [1, 2, 5, 10, 20, 50, 100] as const;

export const START: TimeLineState = {
  marks: [],
  shown: [],
  scale: createScale([]),
  end: 0,
  isComplete: false,
  cursor: null,
  isPlaying: false,
  speed: 10,
  filter: NO_FILTER,
  comparison: null,
  verdict: null,
  isVerifying: false,
  problem: null,
};

export const withMarks = (now: TimeLineState, more: readonly Mark[], isComplete: boolean): TimeLineState => {
  if (more.length === 0) return now.isComplete === isComplete ? now : { ...now, isComplete };
  const marks = [...now.marks, ...more];
  const shown = [...now.shown, ...filterMarks(more, now.filter)];
  return { ...now, marks, shown, scale: scaleOf(marks, now.end), isComplete };
};

const scaleOf = (marks: readonly Mark[], end: number): Scale => {
  const times = marks.map(({ at }) => at);
  const last = times.at(-1);
  return createScale(last !== undefined && end > last ? [...times, end] : times);
};

/** The bar to a later end. */
export const withEnd = (now: TimeLineState, end: number): TimeLineState => ({
  ...now,
  end,
  scale: scaleOf(now.marks, end),
});

export const withFilter = (now: TimeLineState, filter: Filter): TimeLineState => ({
  ...now,
  filter,
  shown: filterMarks(now.marks, filter),
});

/** The last event at or before a time: what was so then is so at its position. Null before the first. */
export const markAt = ({ marks }: TimeLineState, time: number): Mark | null => marks[indexAt(marks, time)] ?? null;

/** The time `steps` marks from where the cursor is, among those that are shown; null is the present. */
export const stepFrom = ({ shown, cursor }: TimeLineState, steps: number): number | null => {
  if (shown.length === 0) return cursor;
  const times = [...new Set(shown.map(({ at }) => at))];
  const here = cursor === null ? times.length : lastAt(times, cursor);
  const isOn = times[here] === cursor;
  // Between two marks, one step back is the one before.
  const next = steps < 0 && !isOn && cursor !== null ? here + steps + 1 : here + steps;
  return next >= times.length ? null : (times[Math.max(0, next)] ?? null);
};

const lastAt = (times: readonly number[], time: number): number => {
  const above = times.findIndex((one) => one > time);
  return above === -1 ? times.length - 1 : above - 1;
};

/** Where playing has come to after some milliseconds; null: the end, so the present. */
export const played = ({ scale, cursor, speed }: TimeLineState, ms: number): number | null => {
  const place = (cursor === null ? 0 : scale.toPlace(cursor)) + ms * speed;
  return place >= scale.length ? null : scale.toTime(place);
};
