import type { LogEvent } from './event.ts';
import { type AnyEvent, EVENTS, isEventType } from './schemas.ts';

/** Functions from data of version n to version n + 1. Key: `<type>@<n>`. */
export type Upcasters = Readonly<Record<string, (data: never) => unknown>>;

const NEWER = 'a newer Topolog wrote it, and reads it';

/** One entry per schema change, never removed: old logs stay readable. */
export const UPCASTERS: Upcasters = {};

/**
 * A stored event in today's shape. The stored text and its hash stay as they are; only folds see the difference.
 * Throws for a type or version that only a newer program knows.
 */
export const upcast = (event: LogEvent, upcasters: Upcasters = UPCASTERS): AnyEvent => {
  if (!isEventType(event.type))
    throw new Error(`event ${event.position} is of the unknown type ${event.type}: ${NEWER}`);
  const current = EVENTS[event.type].v;
  if (event.v > current)
    throw new Error(
      `event ${event.position} is ${event.type} version ${event.v}; this program knows ${current}: ${NEWER}`,
    );
  // Nearly all events, and a copy would cost as much as folding them.
  if (event.v === current) return event as AnyEvent;
  let data = event.data;
  for (let v = event.v; v < current; v++) {
    const step = upcasters[`${event.type}@${v}`];
    if (step === undefined) throw new Error(`event ${event.position}: no step from ${event.type} version ${v}`);
    data = step(data as never);
  }
  const { position, project_id, version, type, at, by, request_id, cause, prev, hash } = event;
  return { position, project_id, version, type, at, by, request_id, cause, prev, hash, v: current, data } as AnyEvent;
};
