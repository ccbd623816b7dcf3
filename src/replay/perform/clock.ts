import { setTimeout as sleep } from 'node:timers/promises';

/** When a recorded moment is due in the replay. */
export interface Clock {
  /** Milliseconds until then; 0 when it is due, or when nothing is waited for. */
  until(at: string): number;
  /** Waits until then; cut short when aborted. */
  wait(at: string, signal: AbortSignal): Promise<void>;
}

/** Longest that one timer waits: the loop looks again. Milliseconds. */
const MOST = 60_000;

/** Recorded times from `begin` on, `speed` times as fast; null: as fast as it goes. */
export const createClock = (
  begin: string,
  speed: number | null,
  now: () => number = () => performance.now(),
): Clock => {
  const zero = now();
  const first = Date.parse(begin);
  const until = (at: string): number =>
    speed === null ? 0 : Math.max(0, (Date.parse(at) - first) / speed - (now() - zero));
  return {
    until,
    async wait(at, signal) {
      for (let left = until(at); left > 0 && !signal.aborted; left = until(at))
        await sleep(Math.min(left, MOST), undefined, { signal }).catch(() => undefined);
    },
  };
};
