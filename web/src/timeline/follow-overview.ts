import { readOverview } from './server.ts';
import { spanShown, withOverview, type TimeLineParts } from './time-line-state.ts';
import { latestOnly } from '../store/following/latest.ts';

/** Events that come together are asked for together. Milliseconds. */
const SOON_MS = 250;
/** While the server makes its index it is asked how far it is. Milliseconds. */
const AGAIN_MS = 400;
/** The bar grows in steps, and not while a moment of it is shown. Milliseconds. */
const GROW_MS = 5_000;

export interface OverviewFollower {
  readonly refresh: () => void;
  readonly start: () => () => void;
}

/** Reads the bar, and again when the feed tells that there is something. */
export const followOverview = ({ lab, state, change, fail }: Omit<TimeLineParts, 'refresh'>): OverviewFollower => {
  let ending: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let seen = 0;
  const later = (ms: number): void => {
    if (ending === null) return;
    timer ??= setTimeout(() => {
      timer = null;
      read(undefined);
    }, ms);
  };
  const read = latestOnly(async () => {
    const signal = ending?.signal;
    if (signal === undefined) return;
    const { filter, columns, zoomed } = state.get();
    const end = zoomed === null ? Date.now() : null;
    const span = zoomed === null ? { from: null, to: end } : spanShown(state.get());
    try {
      const overview = await readOverview(lab, { ...span, filter, buckets: columns }, signal);
      if (signal.aborted) return;
      state.update((now) => ({ ...withOverview(now, overview, end), problem: null }));
      if (overview.indexed < overview.of) later(AGAIN_MS);
    } catch (problem) {
      // The next frame, once the feed is back, tries again.
      seen = 0;
      if (!signal.aborted) fail(problem);
    }
  });
  const start = (): (() => void) => {
    const own = new AbortController();
    ending = own;
    change({ isComplete: false, problem: null });
    const stopListening = lab.listen(({ position }) => {
      if (position <= seen) return;
      seen = position;
      later(SOON_MS);
    });
    const grow = setInterval(() => {
      const { cursor, comparison, zoomed } = state.get();
      if (cursor === null && comparison === null && zoomed === null) later(0);
    }, GROW_MS);
    read(undefined);
    return () => {
      own.abort();
      if (ending === own) ending = null;
      clearInterval(grow);
      stopListening();
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
  };
  return { start, refresh: () => read(undefined) };
};
