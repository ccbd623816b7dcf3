import { createPipeline, type Pipeline } from './filters/pipeline.ts';
import type { WireFilters, WireSpec } from './protocol.ts';
import type { Outlet } from './ports.ts';
import type { Destination, RunQueue } from './run-queue.ts';
import type { Timer, Timers } from './timers.ts';

export interface DirectionStatistics {
  /** Delivered. */
  frames: number;
  bytes: number;
  /** Dropped by a filter, by suspension, or because too much waited. */
  dropped: number;
  /** Waiting for their delay to pass. */
  delayed: number;
}

/** One direction of a wire. */
export interface Direction extends Outlet {
  /** Where it leads; changed when the wire's end is. */
  to: Destination;
  /** The same seed keeps the sequence of decisions going. Frames in flight keep the delay they have. */
  change(seed: number, filters: WireFilters, suspend: boolean): void;
  statistics(): DirectionStatistics;
  /** Frames in flight are gone. */
  remove(): void;
}

/** Octets of delayed frames the fabric holds at most, with what each costs beside its content. */
export const MOST_DELAYED = 256 * 1024 * 1024;
const FRAME_OVERHEAD = 256;

/** What the wires of a fabric share. */
export interface Medium {
  queue: RunQueue;
  timers: Timers;
  /** Octets now waiting in delays, of all wires. */
  delayed: number;
}

export function createDirection(medium: Medium, spec: WireSpec, index: 0 | 1, to: Destination): Direction {
  const { queue, timers } = medium;
  const inFlight = new Map<Timer, Uint8Array>();
  const counts = { frames: 0, bytes: 0, dropped: 0 };
  let seed = spec.seed;
  let pipeline: Pipeline = createPipeline(seed, index, spec.filters);
  let idle = pipeline.idle;
  let suspended = spec.suspend;
  let removed = false;

  const direction: Direction & Destination = {
    to,
    transmit(frame) {
      if (suspended) counts.dropped++;
      else if (idle) queue.push(direction, frame);
      else filter(frame);
    },
    deliver(frame) {
      if (removed) return;
      if (suspended) {
        counts.dropped++;
        return;
      }
      counts.frames++;
      counts.bytes += frame.length;
      direction.to.deliver(frame);
    },
    change(newSeed, filters, suspend) {
      if (newSeed === seed) pipeline.change(filters);
      else pipeline = createPipeline(newSeed, index, filters);
      seed = newSeed;
      idle = pipeline.idle;
      suspended = suspend;
    },
    statistics: () => ({ ...counts, delayed: inFlight.size }),
    remove() {
      removed = true;
      for (const [timer, frame] of inFlight) {
        timer.cancel();
        medium.delayed -= frame.length + FRAME_OVERHEAD;
      }
      inFlight.clear();
    },
  };

  const filter = (frame: Uint8Array): void => {
    const passed = pipeline.pass(frame);
    if (passed === null) {
      counts.dropped++;
      return;
    }
    const delay = pipeline.delay();
    if (delay <= 0) queue.push(direction, passed);
    else hold(passed, delay);
  };

  const hold = (frame: Uint8Array, delay: number): void => {
    const size = frame.length + FRAME_OVERHEAD;
    if (medium.delayed + size > MOST_DELAYED) {
      counts.dropped++;
      return;
    }
    medium.delayed += size;
    const timer = timers.after(delay, () => {
      inFlight.delete(timer);
      medium.delayed -= size;
      queue.push(direction, frame);
    });
    inFlight.set(timer, frame);
  };

  return direction;
}
