import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyEvent } from '../../events/schemas.ts';
import type { EventsOf } from '../compare/events-of.ts';
import { Grouping } from './groups.ts';
import { isVerdict, normalise, type Side } from '../compare/normalise.ts';

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
}

/**
 * Waits until what happened by itself in the recording (a node ended, a trace was finished, a check has its verdict) has happened here as
 * well: a replay may be faster than the lab. What does not come in time, with `moreMs` beyond what a step has, is not waited for again.
 */
export const createAwaiting = ({
  events,
  begin,
  sides,
  signal,
  patienceMs,
}: Where): ((awaits: readonly AnyEvent[], moreMs?: number) => Promise<void>) => {
  const wanted = new Map<string, number>();
  const there = new Map<string, number>();
  const grouping = new Grouping();
  let last = begin;
  let counted = 0;
  const arrived = async (): Promise<boolean> => {
    for (const event of await events.since(last)) {
      grouping.take(event);
      if (isVerdict(event.type)) count(there, event, sides.now);
      last = event.position;
    }
    const { background } = grouping.result;
    for (const { event } of background.slice(counted)) count(there, event, sides.now);
    counted = background.length;
    return [...wanted].every(([key, n]) => (there.get(key) ?? 0) >= n);
  };
  return async (awaits, moreMs = 0) => {
    if (awaits.length === 0) return;
    for (const event of awaits) count(wanted, event, sides.recorded);
    const end = performance.now() + patienceMs + moreMs;
    while (!signal.aborted && !(await arrived())) {
      if (performance.now() > end) return wanted.clear();
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  };
};

const count = (counts: Map<string, number>, event: AnyEvent, side: Side): void => {
  const canon = normalise(event, side);
  if (canon === null) return;
  const key = `${canon.type} ${canon.subject}`;
  // How often a verdict comes is chance.
  counts.set(key, isVerdict(canon.type) ? 1 : (counts.get(key) ?? 0) + 1);
};
