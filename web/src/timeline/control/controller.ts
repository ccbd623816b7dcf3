import type { Lab } from '../../store/lab.ts';
import { sentenceOf } from '../../store/notices.ts';
import { createStore, type Store } from '../../store/store.ts';
import type { Filter } from '../panes/filter.ts';
import { type EntriesWish, type Entry, readEntries } from '../server.ts';
import { panned, START, type TimeLineState, zoomedBy } from '../time-line-state.ts';
import { following } from './following.ts';
import { createPlayer } from './player.ts';
import { showing } from './showing.ts';
import { createVerifier } from './verifier.ts';

/** What of the bar is moved: the moment that is shown, or one of the two that are compared. */
export type Handle = 'cursor' | 'from' | 'to';

/** The time line of one lab: reads what happened, and sets the moment that is shown. */
export interface TimeLine {
  readonly state: Store<TimeLineState>;
  /** Begins to read and to follow; answers what ends it. */
  readonly start: () => () => void;
  /** Shows a moment; null: the present. */
  readonly goTo: (time: number | null) => void;
  /** So many entries on or back, among those that are shown. */
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

/** What the parts of a time line work on. */
export interface Inner {
  readonly lab: Lab;
  readonly state: Store<TimeLineState>;
  readonly change: (part: Partial<TimeLineState>) => void;
  readonly fail: (problem: unknown) => void;
  /** Reads the bar again, soon. */
  readonly refresh: () => void;
}

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
  const follower = following({ lab, state, change, fail });
  const inner: Inner = { lab, state, change, fail, refresh: follower.refresh };
  const shown = showing(inner);
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

/** What only changes what the bar shows. */
const views = ({
  state,
  change,
  refresh,
}: Inner): Pick<TimeLine, 'setFilter' | 'setColumns' | 'zoom' | 'zoomTo' | 'pan'> => {
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
  ({ state }: Inner, { pause, goTo, compare }: Pick<TimeLine, 'pause' | 'goTo' | 'compare'>): TimeLine['place'] =>
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
const createSteps = (inner: Inner, pause: () => void, place: TimeLine['place']) => {
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
const stepping = async ({ lab, state }: Inner, time: number | null, steps: number): Promise<number | null> => {
  const { filter } = state.get();
  const one = async (wish: Omit<EntriesWish, 'filter' | 'limit'>): Promise<Entry | null> =>
    (await readEntries(lab, { filter, limit: 1, ...wish })).entries[0] ?? null;
  if (steps > 0) return time === null ? null : ((await one({ from: time + 1, offset: steps - 1 }))?.at ?? null);
  const here = time ?? (await one({ order: 'desc' }))?.at ?? null;
  if (here === null) return time;
  const before = await one({ to: Math.ceil(here) - 1, order: 'desc', offset: -steps - 1 });
  return before?.at ?? (await one({}))?.at ?? time;
};
