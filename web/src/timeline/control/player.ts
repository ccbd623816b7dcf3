import { panned, played } from '../time-line-state.ts';
import type { Inner, TimeLine } from './controller.ts';

const TICK_MS = 100;

/** Goes on in time by itself. Idle time is passed over, as it is on the bar. */
export const createPlayer = (
  { state, change, refresh }: Inner,
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
    // What is asked for while the session is read is done as soon as it is.
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
