import type { FrameSink } from './frame-batch.ts';

export type Destination = Pick<FrameSink, 'take'>;

export interface RunQueueOptions {
  /** Frames that may wait; more are dropped and counted. */
  capacity?: number;
  /** Milliseconds of delivering after which the event loop gets its turn. */
  slice_ms?: number;
}

/**
 * Frames to be delivered, in order. `push` never calls the receiver: the queue is drained in the same tick, once the sender's code
 * has returned. Therefore a long row of nodes needs no deep stack, a model is never called while it is inside its own code, and a
 * broadcast storm between two hubs yields to the event loop every few milliseconds instead of blocking the process.
 */
export interface RunQueue {
  push(to: Destination, frame: Uint8Array): void;
  readonly length: number;
  readonly dropped: number;
  close(): void;
}

/** Frames delivered between two readings of the clock, each of which costs about as much as delivering a frame. */
const FRAMES_BETWEEN_LOOKS = 64;

export function createRunQueue({ capacity = 65_536, slice_ms = 4 }: RunQueueOptions = {}): RunQueue {
  const ring = createRing(capacity);
  let dropped = 0;
  let scheduled = false;
  let pending: NodeJS.Immediate | undefined;

  const drain = (): void => {
    const until = performance.now() + slice_ms;
    while (ring.length() > 0) {
      for (let n = 0; n < FRAMES_BETWEEN_LOOKS && ring.length() > 0; n++) ring.deliverFirst();
      if (ring.length() > 0 && performance.now() >= until) {
        pending = setImmediate(drain);
        return;
      }
    }
    scheduled = false;
  };

  return {
    push(to, frame) {
      if (!ring.add(to, frame)) dropped++;
      else if (!scheduled) {
        scheduled = true;
        queueMicrotask(drain);
      }
    },
    get length() {
      return ring.length();
    },
    get dropped() {
      return dropped;
    },
    close() {
      clearImmediate(pending);
      ring.clear();
    },
  };
}

interface Ring {
  /** False when it is full. */
  add(to: Destination, frame: Uint8Array): boolean;
  deliverFirst(): void;
  length(): number;
  clear(): void;
}

/** A ring buffer in two arrays, so that a frame costs no allocation. */
function createRing(capacity: number): Ring {
  const destinations = new Array<Destination | undefined>(capacity).fill(undefined);
  const frames = new Array<Uint8Array | undefined>(capacity).fill(undefined);
  let head = 0;
  let length = 0;

  return {
    add(to, frame) {
      if (length === capacity) return false;
      const index = (head + length) % capacity;
      destinations[index] = to;
      frames[index] = frame;
      length++;
      return true;
    },
    deliverFirst() {
      const to = destinations[head];
      const frame = frames[head];
      destinations[head] = undefined;
      frames[head] = undefined;
      head = (head + 1) % capacity;
      length--;
      if (to !== undefined && frame !== undefined) to.take(frame);
    },
    length: () => length,
    clear() {
      head = length = 0;
      destinations.fill(undefined);
      frames.fill(undefined);
    },
  };
}
