import { latestOnly, remembering } from '../store/following/latest.ts';
import type { Lab } from '../store/lab.ts';
import { sentenceOf } from '../store/notices.ts';
import type { Records } from '../store/records.ts';
import { createStore } from '../store/store.ts';
import { overlay, reconcile } from './panes/compare.ts';
import { type EntriesWish, type Entry, entryAt, readEntries } from './server.ts';
import {
  type Handle,
  panned,
  played,
  START,
  type TimeLine,
  type TimeLineParts,
  type TimeLineState,
  zoomedBy,
} from './time-line-state.ts';
import { followOverview } from './follow-overview.ts';
import { createVerifier } from './verifier.ts';

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
  const follower = followOverview({ lab, state, change, fail });
  const inner: TimeLineParts = { lab, state, change, fail, refresh: follower.refresh };
  const shown = createMomentLoader(inner);
  const goTo = (time: number | null): void => {
    change({ cursor: time, comparison: null });
    shown.show();
  };
  const { play, pause } = createPlayer(inner, goTo);
  const compare: TimeLine['compare'] = (between) => {
    pause();
    change({ comparison: between === null ? null : { ...between, diffs: null } });
    shown.show();
  };
  const place = placing(inner, { pause, goTo, compare });
  const { step, instead } = createSteps(inner, pause, place);
  return {
    state,
    goTo: instead(goTo),
    pause,
    play,
    positionAt: shown.positionAt,
    start: () => {
      const stop = follower.start();
      return () => {
        stop();
        pause();
      };
    },
    place: instead(place),
    compare: instead(compare),
    step,
    ...views(inner),
    ...createVerifier(inner),
  };
};

/** Methods that only change what the bar shows. */
const views = ({
  state,
  change,
  refresh,
}: TimeLineParts): Pick<TimeLine, 'setFilter' | 'setColumns' | 'zoom' | 'zoomTo' | 'pan'> => {
  const zoomTo = (zoomed: TimeLineState['zoomed']): void => {
    change({ zoomed });
    refresh();
  };
  return {
    zoomTo,
    setFilter: (filter) => {
      change({ filter });
      refresh();
    },
    setColumns: (columns) => {
      if (columns === state.get().columns) return;
      change({ columns });
      refresh();
    },
    zoom: (factor, share = 0.5) => zoomTo(zoomedBy(state.get(), factor, share)),
    pan: (share) => zoomTo(panned(state.get(), share)),
  };
};

export const timeIn = ({ cursor, comparison }: TimeLineState, which: Handle): number | null =>
  which === 'cursor' || comparison === null ? cursor : comparison[which];

const placing =
  (
    { state }: TimeLineParts,
    { pause, goTo, compare }: Pick<TimeLine, 'pause' | 'goTo' | 'compare'>,
  ): TimeLine['place'] =>
  (which, time) => {
    const { comparison, overview } = state.get();
    if (comparison === null || which === 'cursor') {
      pause();
      goTo(time);
    } else compare({ ...comparison, [which]: time ?? overview?.last?.at ?? comparison.to });
  };

/**
 * Steps that are asked for quickly are done one after another, none from where another one has not come to yet. `instead` makes an act
 * of it that takes their place: those that are not done yet are not done any more.
 */
const createSteps = (inner: TimeLineParts, pause: () => void, place: TimeLine['place']) => {
  let before = Promise.resolve();
  let acts = 0;
  const step: TimeLine['step'] = (steps, which = 'cursor') => {
    pause();
    const then = acts;
    before = before.then(async () => {
      try {
        const time = then === acts ? await stepping(inner, timeIn(inner.state.get(), which), steps) : null;
        if (then === acts) place(which, time);
      } catch (problem) {
        inner.fail(problem);
      }
    });
  };
  const instead =
    <T extends unknown[]>(act: (...wanted: T) => void) =>
    (...wanted: T): void => {
      acts += 1;
      act(...wanted);
    };
  return { step, instead };
};

/** The time so many entries from a time; null is the present, where the last entry has happened: one back is before it. */
const stepping = async ({ lab, state }: TimeLineParts, time: number | null, steps: number): Promise<number | null> => {
  const { filter } = state.get();
  const one = async (wish: Omit<EntriesWish, 'filter' | 'limit'>): Promise<Entry | null> =>
    (await readEntries(lab, { filter, limit: 1, ...wish })).entries[0] ?? null;
  if (steps > 0) return time === null ? null : ((await one({ from: time + 1, offset: steps - 1 }))?.at ?? null);
  const here = time ?? (await one({ order: 'desc' }))?.at ?? null;
  if (here === null) return time;
  const before = await one({ to: Math.ceil(here) - 1, order: 'desc', offset: -steps - 1 });
  return before?.at ?? (await one({}))?.at ?? time;
};

/** Moments that are kept, as one goes back and forth. */
const KEPT = 40;

interface MomentLoader {
  /** Brings what the state says on the map, the newest wish last. */
  readonly show: () => void;
  readonly positionAt: (time: number) => Promise<number | null>;
}

const createMomentLoader = ({ lab, state, change, fail }: TimeLineParts): MomentLoader => {
  const recordsAt = remembering((position: number) => lab.read(position), KEPT);
  const positionAt = async (time: number): Promise<number | null> => (await entryAt(lab, time))?.last ?? null;
  const known = async (position: number): Promise<Records> => {
    const shown = lab.past.get();
    const records = await recordsAt(position);
    return shown === null ? reconcile(lab.state.get().records, records) : reconcile(shown.records, records);
  };
  const showMoment = async (time: number): Promise<void> => {
    const [last, here] = await Promise.all([entryAt(lab, time), entryAt(lab, time, state.get().filter)]);
    if (last === null) return;
    const moment = { at: last.last, time: new Date(time).toISOString() };
    const shown = lab.past.get();
    const isSame = shown !== null && shown.moment.at === last.last && shown.marks.size === 0;
    const records = isSame ? shown.records : await known(last.last);
    const { cursor, comparison } = state.get();
    if (cursor === null || comparison !== null) return;
    if (cursor === time) change({ here });
    lab.past.set({ moment, records, marks: new Map() });
  };
  const showComparison = async (from: number, to: number): Promise<void> => {
    const [before, after] = await Promise.all([positionAt(from), positionAt(to)]);
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
  const show = (): void => {
    const { cursor, comparison } = state.get();
    if (cursor === null && comparison === null) {
      lab.past.set(null);
      change({ here: null });
    } else bring(undefined);
  };
  return { show, positionAt };
};

const TICK_MS = 100;

/** Goes on in time by itself. Idle time is passed over, as it is on the bar. */
const createPlayer = (
  { state, change, refresh }: TimeLineParts,
  goTo: TimeLine['goTo'],
): Pick<TimeLine, 'play' | 'pause'> => {
  let timer: ReturnType<typeof setInterval> | null = null;
  let unlisten: (() => void) | null = null;
  const pause = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    unlisten?.();
    unlisten = null;
    if (state.get().isPlaying) change({ isPlaying: false });
  };
  const begin = (): void => {
    const { cursor, zoomed, overview } = state.get();
    const start = cursor ?? zoomed?.from ?? overview?.first?.at;
    if (start === undefined) {
      pause();
      return;
    }
    goTo(start);
    let last = performance.now();
    timer = setInterval(() => {
      const now = performance.now();
      const next = played(state.get(), now - last);
      last = now;
      if (next !== null) {
        goTo(next);
        return;
      }
      // The end of the bar is the present, unless it shows an earlier part.
      const { zoomed: part, overview: shown } = state.get();
      if (part !== null && shown?.last != null && part.to < shown.last.at) {
        goTo(part.to);
        change({ zoomed: panned(state.get(), 1) });
        refresh();
        return;
      }
      pause();
      goTo(null);
    }, TICK_MS);
  };
  const play = (): void => {
    if (state.get().isPlaying) return;
    change({ isPlaying: true });
    // Playing begins as soon as the session has been read.
    if (state.get().isComplete) begin();
    else
      unlisten = state.subscribe(() => {
        if (!state.get().isComplete || timer !== null || !state.get().isPlaying) return;
        unlisten?.();
        unlisten = null;
        begin();
      });
  };
  return { play, pause };
};
