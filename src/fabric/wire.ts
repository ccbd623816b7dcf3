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
const MOST_DELAYED = 256 * 1024 * 1024;
const FRAME_OVERHEAD = 256;

/** What the wires of a fabric share. */
export interface Medium {
  queue: RunQueue;
  timers: Timers;
  /** Octets now waiting in delays, of all wires. */
  delayed: number;
}

export function createDirection(medium: Medium, spec: WireSpec, index: 0 | 1, to: Destination): Direction {
  const { queue } = medium;
  const delays = createDelayLine(medium, (frame) => queue.push(direction, frame));
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
    statistics: () => ({ ...counts, delayed: delays.size() }),
    remove() {
      removed = true;
      delays.clear();
    },
  };

  const filter = (frame: Uint8Array): void => {
    const passed = pipeline.pass(frame);
    const delay = passed === null ? 0 : pipeline.delay();
    if (passed !== null && delay <= 0) queue.push(direction, passed);
    else if (passed === null || !delays.hold(passed, delay)) counts.dropped++;
  };

  return direction;
}

/** Frames that wait until their delay has passed. */
interface DelayLine {
  /** False when there is no room. */
  hold: (frame: Uint8Array, ms: number) => boolean;
  clear: () => void;
  size: () => number;
}

function createDelayLine(medium: Medium, release: (frame: Uint8Array) => void): DelayLine {
  const held = new Map<Timer, number>();
  return {
    hold(frame, ms) {
      const size = frame.length + FRAME_OVERHEAD;
      if (medium.delayed + size > MOST_DELAYED) return false;
      medium.delayed += size;
      const timer = medium.timers.after(ms, () => {
        held.delete(timer);
        medium.delayed -= size;
        release(frame);
      });
      held.set(timer, size);
      return true;
    },
    clear() {
      for (const [timer, size] of held) {
        timer.cancel();
        medium.delayed -= size;
      }
      held.clear();
    },
    size: () => held.size,
  };
}
