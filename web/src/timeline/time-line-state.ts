import type { Store } from '../store/store.ts';
import type { Lab } from '../store/lab.ts';
import type { Schemas } from 'topolog/client';
import { createScale, type Scale } from './bar/scale.ts';
import type { ObjectDiff } from './panes/compare.ts';
import { NO_FILTER } from './panes/filter.ts';
import type { Entry, Overview, Span, Filter } from './server.ts';

export interface Comparison {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Null until it is there. */
  readonly diffs: readonly ObjectDiff[] | null;
}

export type Verdict = Schemas['StoreVerdict'];

/** Result of the check, the number of events, and how long it took, in milliseconds; or why there is no result. */
export type Checked =
  | { readonly of: number; readonly took: number; readonly answer: Verdict }
  | { readonly cancelled: true }
  | { readonly problem: string };

export interface Verifying {
  /** The server reads the events first, and then what leads to them. */
  readonly part: 'events' | 'indexes';
  readonly done: number;
  readonly of: number;
  /** Milliseconds since 1970. */
  readonly begin: number;
  /** By somebody; otherwise the page began it. */
  readonly isAsked: boolean;
}

export interface TimeLineState {
  /** The server's overview of the span that is shown; null: not read yet. */
  readonly overview: Overview | null;
  readonly scale: Scale;
  /** Span that the bar shows; null: all of it. */
  readonly zoomed: { readonly from: number; readonly to: number } | null;
  /** Columns of the bar: so many counts are asked for. */
  readonly columns: number;
  /** The server has read every event into its index. */
  readonly isComplete: boolean;
  /** Grows with each event, and with each other filter: lists are read again. */
  readonly turn: number;
  /** Milliseconds since 1970; null: the present is shown. */
  readonly cursor: number | null;
  /** The last entry at the cursor. */
  readonly here: Entry | null;
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly filter: Filter;
  readonly comparison: Comparison | null;
  /** Result of the last check of the stream. */
  readonly verdict: Checked | null;
  /** How far the check is that goes on. */
  readonly verifying: Verifying | null;
  /** The last failure. */
  readonly problem: string | null;
}

export const SPEEDS = [1, 2, 5, 10, 20, 50, 100] as const;

export const START: TimeLineState = {
  overview: null,
  scale: createScale([], 0),
  zoomed: null,
  columns: 200,
  isComplete: false,
  turn: 0,
  cursor: null,
  here: null,
  isPlaying: false,
  speed: 10,
  filter: NO_FILTER,
  comparison: null,
  verdict: null,
  verifying: null,
  problem: null,
};

/** Takes the server's overview of a span; a bar that goes up to now ends there: consoles go on after the last event. */
export const withOverview = (now: TimeLineState, overview: Overview, end: number | null): TimeLineState => {
  const edges =
    end === null ? overview.edges : [...overview.edges.slice(0, -1), Math.max(end, overview.edges.at(-1) ?? 0)];
  return {
    ...now,
    overview,
    scale: createScale(edges, overview.busy),
    isComplete: overview.indexed >= overview.of,
    turn: now.turn + 1,
  };
};

/** Milliseconds that the bar shows at least. */
const NEAREST = 40;

/** The bar zoomed by a factor, with what lies at a share of it (0 to 1) staying there; null: all of it. */
export const zoomedBy = (
  { scale, overview, zoomed }: TimeLineState,
  factor: number,
  share: number,
): TimeLineState['zoomed'] => {
  if (overview === null || overview.first === null) return null;
  const at = share * scale.length;
  const [left, right] = [at - share * scale.length * factor, at + (1 - share) * scale.length * factor];
  if (factor < 1) return spanOf(scale.toTime(left), scale.toTime(right));
  if (zoomed === null) return null;
  // Outside of the bar times go on as they come: nobody knows here what is idle there.
  const more = (zoomed.to - zoomed.from) * (factor - 1);
  const [from, to] = [zoomed.from - more * share, zoomed.to + more * (1 - share)];
  return from <= overview.first.at && to >= (overview.last?.at ?? to) ? null : spanOf(from, to);
};

export const spanOf = (from: number, to: number): { from: number; to: number } => {
  const middle = (from + to) / 2;
  const half = Math.max(NEAREST, to - from) / 2;
  return { from: Math.round(middle - half), to: Math.round(middle + half) };
};

/** The bar moved by a share of what it shows. */
export const panned = ({ zoomed, overview }: TimeLineState, share: number): TimeLineState['zoomed'] => {
  if (zoomed === null || overview === null) return zoomed;
  const by = (zoomed.to - zoomed.from) * share;
  const [first, last] = [overview.first?.at ?? zoomed.from, overview.last?.at ?? zoomed.to];
  const kept = Math.max(first - zoomed.to + 1, Math.min(last - zoomed.from - 1, by));
  return { from: zoomed.from + kept, to: zoomed.to + kept };
};

export const spanShown = ({ zoomed }: TimeLineState): Span => zoomed ?? { from: null, to: null };

/** Where playing has come to after some milliseconds; null: the end of the bar. */
export const played = ({ scale, cursor, speed }: TimeLineState, ms: number): number | null => {
  const place = (cursor === null ? 0 : scale.toPlace(cursor)) + ms * speed;
  return place >= scale.length ? null : scale.toTime(place);
};

/** Handles of the bar: the moment that is shown, or one of the two that are compared. */
export type Handle = 'cursor' | 'from' | 'to';

/** The time line of one lab: reads what happened, and sets the moment that is shown. */
export interface TimeLine {
  readonly state: Store<TimeLineState>;
  /** Begins to read and to follow; answers what ends it. */
  readonly start: () => () => void;
  /** Shows a moment; null: the present. */
  readonly goTo: (time: number | null) => void;
  /** Goes on or back by a number of entries, among those that are shown. */
  readonly step: (steps: number, which?: Handle) => void;
  /** Puts a handle at a time; null: the end. */
  readonly place: (which: Handle, time: number | null) => void;
  readonly play: () => void;
  readonly pause: () => void;
  /** Shows what differs between two times; null ends comparing. */
  readonly compare: (between: { from: number; to: number } | null) => void;
  readonly setFilter: (filter: Filter) => void;
  readonly setColumns: (columns: number) => void;
  /** The bar by a factor, with what lies at a share of it staying there. */
  readonly zoom: (factor: number, share?: number) => void;
  /** The bar to a span; null: all of it. */
  readonly zoomTo: (span: TimeLineState['zoomed']) => void;
  /** The bar to the side, by a share of what it shows. */
  readonly pan: (share: number) => void;
  /** Does nothing while a check goes on. */
  readonly verify: (isAsked: boolean) => Promise<void>;
  readonly cancelVerify: () => void;
  /** Position of the last event at or before a time; null where there is none. */
  readonly positionAt: (time: number) => Promise<number | null>;
}

/** State and functions that the parts of a time line share. */
export interface TimeLineParts {
  readonly lab: Lab;
  readonly state: Store<TimeLineState>;
  readonly change: (part: Partial<TimeLineState>) => void;
  readonly fail: (problem: unknown) => void;
  /** Reads the bar again, soon. */
  readonly refresh: () => void;
}
