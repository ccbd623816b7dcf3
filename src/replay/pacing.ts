import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyEvent } from '../events/schemas.ts';
import { isVerdict, normalise, type Side } from './normalise.ts';
import type { EventsOf } from './host.ts';
import { Grouping } from './groups.ts';

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

/** Between two looks. Milliseconds. */
const LOOK_MS = 25;

interface Where {
  events: EventsOf;
  /** Events up to here were made by the preparation. */
  begin: number;
  sides: { recorded: Side; now: Side };
  signal: AbortSignal;
  /** How long a step waits. */
  patienceMs: number;
  /** Of a check counts what it said last; null: everything that it said. */
  lasting: readonly AnyEvent[] | null;
}

interface Wait {
  /** Beyond what a step has. */
  moreMs?: number;
  /** Gets what has not come yet, whenever that is something else. */
  tell: (missing: readonly string[]) => void;
}

/**
 * Waits until what happened by itself in the recording (a node ended, a trace was finished, a check has its verdict) has happened here as
 * well: a replay may be faster than the lab. What does not come in time, is not waited for again.
 */
export const createAwaiting = ({
  events,
  begin,
  sides,
  signal,
  patienceMs,
  lasting,
}: Where): ((awaits: readonly AnyEvent[], wait: Wait) => Promise<void>) => {
  const wanted = new Map<string, number>();
  const there = new Map<string, number>();
  const grouping = new Grouping();
  let last = begin;
  let counted = 0;
  const missing = async (): Promise<string[]> => {
    for (const event of await events.since(last)) {
      grouping.take(event);
      if (lasting !== null && isVerdict(event.type)) there.delete(keyOf(contrary(event), sides.now) ?? '');
      if (isVerdict(event.type)) count(there, event, sides.now);
      last = event.position;
    }
    const { background } = grouping.result;
    for (const { event } of background.slice(counted)) if (!isVerdict(event.type)) count(there, event, sides.now);
    counted = background.length;
    return [...wanted].flatMap(([key, n]) => ((there.get(key) ?? 0) >= n ? [] : [key]));
  };
  return async (awaits, { moreMs = 0, tell }) => {
    if (awaits.length === 0) return;
    for (const event of awaits) count(wanted, event, sides.recorded);
    const end = performance.now() + patienceMs + moreMs;
    let told = '';
    for (let left = await missing(); left.length > 0 && !signal.aborted; left = await missing()) {
      if (performance.now() > end) return wanted.clear();
      if (told !== left.join()) tell(left);
      told = left.join();
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  };
};

const keyOf = (event: AnyEvent, side: Side): string | null => {
  const canon = normalise(event, side);
  return canon === null ? null : `${canon.type} ${canon.subject}`;
};

const contrary = (event: AnyEvent): AnyEvent =>
  ({ ...event, type: event.type === 'check.met' ? 'check.broken' : 'check.met' }) as AnyEvent;

const count = (counts: Map<string, number>, event: AnyEvent, side: Side): void => {
  const key = keyOf(event, side);
  // How often a verdict comes is chance.
  if (key !== null) counts.set(key, isVerdict(event.type) ? 1 : (counts.get(key) ?? 0) + 1);
};
