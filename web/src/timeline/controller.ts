import type { Lab } from '../store/lab.ts';
import { sentenceOf } from '../store/notices.ts';
import type { Records } from '../store/records.ts';
import { createStore, type Store } from '../store/store.ts';
import { overlay, reconcile } from './panes/compare.ts';
import { createEventReader } from './panes/events.ts';
import { latestOnly, remembering } from './latest.ts';
import { markAt, played, START, stepFrom, type TimeLineState, withEnd, withMarks } from './time-line-state.ts';

/** The time line of one lab: reads what happened, and sets the moment that is shown. */
export interface TimeLine {
  readonly state: Store<TimeLineState>;
  /** Begins to read and to follow; answers what ends it. */
  readonly start: () => () => void;
  /** Shows a moment; null: the present. */
  readonly goTo: (time: number | null) => void;
  /** So many marks on or back, among those that are shown. */
  readonly step: (steps: number) => void;
  readonly play: () => void;
  readonly pause: () => void;
  /** Shows what differs between two times; null ends comparing. */
  readonly compare: (between: { from: number; to: number } | null) => void;
  readonly verify: () => Promise<void>;
  /** Position of the last event at or before a time; null where there is none. */
  readonly positionAt: (time: number) => number | null;
}

const TICK_MS = 100;
/** Events that come together are asked for together. */
const SOON_MS = 250;
/** The bar grows in steps, and not while a moment of it is shown. */
const GROW_MS = 2_000;
/** Moments that are kept, as one goes back and forth. */
const KEPT = 40;

const timeLines = new WeakMap<Lab, TimeLine>();

/** There is one for each lab. */
export const timeLineOf = (lab: Lab): TimeLine => {
  const known = timeLines.get(lab);
  if (known !== undefined) return known;
  const made = createTimeLine(lab);
  timeLines.set(lab, made);
  return made;
};

export const createTimeLine = (lab: Lab): TimeLine => {
  const state = createStore(START);
  const change = (part: Partial<TimeLineState>): void => state.update((now) => ({ ...now, ...part }));
  const fail = (problem: unknown): void => change({ problem: sentenceOf(problem) });
  const positionAt = (time: number): number | null => markAt(state.get(), time)?.position ?? null;
  const inner: Inner = { lab, state, change, fail, positionAt };
  const show = showing(inner);
  const goTo = (time: number | null): void => {
    change({ cursor: time, comparison: null });
    show();
  };
  const { play, pause } = createPlayer(inner, goTo);
  // What is asked for while the session is read is done as soon as it is.
  let wishes: (() => void)[] = [];
  const onceRead = (wish: () => void): void => {
    if (state.get().isComplete) wish();
    else wishes.push(wish);
  };
  state.subscribe(() => {
    if (state.get().isComplete) for (const wish of wishes.splice(0)) wish();
  });
  return {
    state,
    positionAt,
    goTo,
    pause,
    play: () => onceRead(play),
    start: () => {
      const stop = follow(inner);
      return () => {
        stop();
        pause();
        wishes = [];
      };
    },
    step: (steps) => {
      pause();
      onceRead(() => goTo(stepFrom(state.get(), steps)));
    },
    compare: (between) => {
      pause();
      change({ comparison: between === null ? null : { ...between, diffs: null } });
      show();
    },
    verify: () => verify(inner),
  };
};

/** What the parts of a time line work on. */
interface Inner extends Pick<TimeLine, 'state' | 'positionAt'> {
  readonly lab: Lab;
  readonly change: (part: Partial<TimeLineState>) => void;
  readonly fail: (problem: unknown) => void;
}

/** Brings what the state says on the map, the newest wish last. */
const showing = ({ lab, state, change, fail, positionAt }: Inner): (() => void) => {
  const recordsAt = remembering((position: number) => lab.read(position), KEPT);
  const known = async (position: number): Promise<Records> => {
    const shown = lab.past.get();
    const records = await recordsAt(position);
    return shown === null ? reconcile(lab.state.get().records, records) : reconcile(shown.records, records);
  };
  const showMoment = async (time: number): Promise<void> => {
    const position = positionAt(time);
    if (position === null) return;
    const moment = { at: position, time: new Date(time).toISOString() };
    const shown = lab.past.get();
    const isSame = shown !== null && shown.moment.at === position && shown.marks.size === 0;
    const records = isSame ? shown.records : await known(position);
    const { cursor, comparison } = state.get();
    if (cursor === null || comparison !== null) return;
    lab.past.set({ moment, records, marks: new Map() });
  };
  const showComparison = async (from: number, to: number): Promise<void> => {
    const [before, after] = [positionAt(from), positionAt(to)];
    if (before === null || after === null) return;
    const [old, now, diffs] = await Promise.all([
      known(before),
      known(after),
      lab.client.get('/v2/projects/{project_id}/diff', {
        path: { project_id: lab.projectId },
        query: { from: String(before), to: String(after) },
      }),
    ]);
    const { comparison } = state.get();
    if (comparison?.from !== from || comparison.to !== to) return;
    const [records, marks] = overlay(old, now, diffs);
    change({ comparison: { from, to, diffs } });
    lab.past.set({ moment: { at: after, time: new Date(to).toISOString() }, records, marks });
  };
  const bring = latestOnly(async () => {
    const { cursor, comparison } = state.get();
    try {
      if (comparison !== null) await showComparison(comparison.from, comparison.to);
      else if (cursor !== null) await showMoment(cursor);
      if (state.get().problem !== null) change({ problem: null });
    } catch (problem) {
      fail(problem);
    }
  });
  return () => {
    const { cursor, comparison } = state.get();
    if (cursor === null && comparison === null) lab.past.set(null);
    else bring(undefined);
  };
};

/** Reads all events, and then what is added, as the feed tells that there is something. */
const follow = ({ lab, state, change, fail }: Inner): (() => void) => {
  const ending = new AbortController();
  const reader = createEventReader(lab.client, lab.projectId);
  let timer: ReturnType<typeof setTimeout> | null = null;
  let seen = 0;
  change({ ...START, filter: state.get().filter, speed: state.get().speed });
  const read = latestOnly(async () => {
    try {
      await reader.read((marks, isEnd) => state.update((now) => withMarks(now, marks, isEnd)), ending.signal);
      if (state.get().problem !== null) change({ problem: null });
    } catch (problem) {
      // The next frame, once the feed is back, tries again.
      seen = 0;
      if (!ending.signal.aborted) fail(problem);
    }
  });
  const readSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      read(undefined);
    }, SOON_MS);
  };
  const grow = setInterval(() => {
    const { cursor, comparison } = state.get();
    if (cursor === null && comparison === null) state.update((now) => withEnd(now, Date.now()));
  }, GROW_MS);
  const stopListening = lab.listen(({ position }) => {
    if (position <= seen) return;
    seen = position;
    readSoon();
  });
  read(undefined);
  return () => {
    ending.abort();
    clearInterval(grow);
    stopListening();
    if (timer !== null) clearTimeout(timer);
  };
};

const createPlayer = ({ state, change }: Inner, goTo: TimeLine['goTo']): Pick<TimeLine, 'play' | 'pause'> => {
  let timer: ReturnType<typeof setInterval> | null = null;
  const pause = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    if (state.get().isPlaying) change({ isPlaying: false });
  };
  const play = (): void => {
    const { cursor, marks } = state.get();
    const start = cursor ?? marks[0]?.at;
    if (timer !== null || start === undefined) return;
    change({ isPlaying: true });
    goTo(start);
    let last = performance.now();
    timer = setInterval(() => {
      const now = performance.now();
      const next = played(state.get(), now - last);
      last = now;
      if (next === null) pause();
      goTo(next);
    }, TICK_MS);
  };
  return { play, pause };
};

const verify = async ({ lab, state, change, fail }: Inner): Promise<void> => {
  if (state.get().isVerifying) return;
  change({ isVerifying: true });
  const of = state.get().marks.at(-1)?.position ?? 0;
  try {
    const answer = await lab.client.get('/v2/verify', { query: { project_id: lab.projectId } });
    change({ verdict: { of, answer } });
  } catch (problem) {
    fail(problem);
  } finally {
    change({ isVerifying: false });
  }
};
