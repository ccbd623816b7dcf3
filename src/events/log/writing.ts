import { setImmediate as soon } from 'node:timers/promises';
import { atOnce, inSlices } from '../../common/slices.ts';
import { handled, type StoreOp } from '../store/store.ts';
import { type Group, together, type WriteQueue } from './queue.ts';
import { joined, type Made, type Tail } from './tail.ts';

/** Events from which a batch is put together in several turns of the event loop. */
const LARGE_BATCH = 500;

interface On {
  readonly queue: WriteQueue;
  readonly tail: Tail;
  /** Resolves once it is on disk. */
  readonly write: (ops: StoreOp[]) => Promise<void>;
  /** A batch is on disk: what it says can be read from now on. */
  readonly commit: (made: Made, group: Group) => void;
  /** Its figures; `begun`: when its writing began, milliseconds of `performance`. */
  readonly written: (group: Group, begun: number) => void;
  /** Nothing is written any more: neither the group, nor what waits. */
  readonly fail: (error: unknown, group: Group) => void;
}

/** Appends that become one batch. */
interface Batch {
  readonly group: Group;
  /** A pause is a slice of the event loop, which a lone writer would wait for: only what is large takes its time. */
  readonly made: Made | Promise<Made>;
}

const begin = ({ tail }: On, group: Group, after: Made | null): Batch => {
  const steps = tail.make(group, after);
  try {
    return { group, made: group.events.length < LARGE_BATCH ? atOnce(steps) : handled(inSlices(steps)) };
  } catch (error) {
    return { group, made: handled(Promise.reject<Made>(error as Error)) };
  }
};

/** The batch with what has come to wait since it was begun. */
const completed = (on: On, next: Batch | null): Batch | null => {
  if (on.queue.isEmpty) return next;
  if (next === null) return begin(on, on.queue.take(), null);
  if (next.made instanceof Promise) return next;
  const rest = begin(on, on.queue.take(), next.made);
  const first = next.made;
  return {
    group: together(next.group, rest.group),
    made:
      rest.made instanceof Promise ? handled(rest.made.then((last) => joined(first, last))) : joined(first, rest.made),
  };
};

/**
 * Writes what waits: one batch after the other, one at a time. What waits when one has gone out is made ready while that one is
 * written. Who wrote a batch hears of it in the tick in which its records can be read.
 */
export const writeWaiting = async (on: On): Promise<void> => {
  let next: Batch | null = begin(on, on.queue.takeFirst(), null);
  while (next !== null) {
    const { group } = next;
    let ahead: Batch | null = null;
    try {
      const made = await next.made;
      const begun = performance.now();
      const written = handled(on.write(made.ops));
      // It goes out, and those who were answered before append again.
      await soon();
      if (!on.queue.isEmpty) ahead = begin(on, on.queue.take(), made);
      await written;
      on.commit(made, group);
      group.resolve();
      on.written(group, begun);
    } catch (error) {
      on.fail(error, ahead === null ? group : together(group, ahead.group));
      return;
    }
    next = completed(on, ahead);
  }
};
