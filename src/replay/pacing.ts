import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../common/promises.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { isVerdict, normalise, type Side } from './normalise.ts';
import type { EventsOf } from './host.ts';
import { Grouping } from './groups.ts';

/** Maps recorded times to the replay. */
export interface Clock {
  /** Milliseconds until a recorded time is due; 0 if it is, or without the recorded gaps. */
  until(at: string): number;
  /** Waits until a recorded time is due, or the signal is aborted. */
  wait(at: string, signal: AbortSignal): Promise<void>;
}

/** Longest wait of one timer. Milliseconds. */
const MOST = 60_000;

/** Starts a clock at the recorded time `begin`, `speed` times as fast; null: without the recorded gaps. */
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

/** Pause between two queries of events. Milliseconds. */
const LOOK_MS = 25;

interface AwaitOptions {
  events: EventsOf;
  /** Position of the last event of the preparation. */
  begin: number;
  sides: { recorded: Side; now: Side };
  signal: AbortSignal;
  /** Longest wait of a step. */
  patienceMs: number;
  /** null: every verdict counts; otherwise only the last one of a check. */
  lasting: readonly AnyEvent[] | null;
}

interface Wait {
  /** Added to the longest wait of a step. */
  moreMs?: number;
  /** Called with the missing events whenever they change. */
  tell: (missing: readonly string[]) => void;
}

/**
 * Waits until events that happened by themselves in the recording (a node ended, a trace was finished, a check has its verdict) have happened
 * here as well, as a replay may be faster than the lab. An event that does not come in time is not waited for again.
 */
export const createAwaiting = ({
  events,
  begin,
  sides,
  signal,
  patienceMs,
  lasting,
}: AwaitOptions): ((awaits: readonly AnyEvent[], wait: Wait) => Promise<void>) => {
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
    let told = '';
    const isOver = async (): Promise<boolean> => {
      const left = await missing();
      if (left.length === 0 || signal.aborted) return true;
      if (told !== left.join()) tell(left);
      told = left.join();
      return false;
    };
    if (!(await until(isOver, { every: LOOK_MS, within: patienceMs + moreMs }))) wanted.clear();
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
  // The number of verdicts is random.
  if (key !== null) counts.set(key, isVerdict(event.type) ? 1 : (counts.get(key) ?? 0) + 1);
};
