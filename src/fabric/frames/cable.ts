import type { DelayLine, DelayWheel } from './delay-wheel.ts';
import { createPipeline, type Pipeline } from '../filters/pipeline.ts';
import type { FrameBatch } from './frame-batch.ts';
import type { CableFilters, CableSpec } from '../protocol.ts';
import type { Outlet } from './ports.ts';
import type { Destination, RunQueue } from './run-queue.ts';
import type { Timers } from './timers.ts';

export interface DirectionStatistics {
  /** Delivered. */
  frames: number;
  bytes: number;
  /** Dropped by a filter, by suspension, or because too much waited. */
  dropped: number;
  /** Waiting for their delay to pass. */
  delayed: number;
}

/** One direction of a cable. */
export interface Direction extends Outlet {
  /** Where it leads; changed when the cable's end is. */
  to: BatchDestination;
  /** The same seed keeps the sequence of decisions going. Frames in flight keep the delay they have. */
  change(seed: number, filters: CableFilters, suspend: boolean): void;
  statistics(): DirectionStatistics;
  /** Frames in flight are gone. */
  remove(): void;
}

/** What the cables of a fabric share. */
export interface Medium {
  queue: RunQueue;
  timers: Timers;
  wheel: DelayWheel;
}

export interface BatchDestination extends Destination {
  /** False, and nothing is done: this destination takes frames one at a time. */
  deliverBatch(batch: FrameBatch): boolean;
}

export function createDirection(medium: Medium, spec: CableSpec, index: 0 | 1, to: BatchDestination): Direction {
  const { queue, timers, wheel } = medium;
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
    transmitBatch(batch) {
      if (removed) return;
      if (suspended) counts.dropped += batch.count;
      else if (idle) forward(batch);
      else if (pipeline.alike) filterBatch(batch);
      else for (const frame of batch.frames()) filter(frame);
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
    statistics: () => ({ ...counts, delayed: line.waiting }),
    remove() {
      removed = true;
      wheel.clear(line);
    },
  };

  const line: DelayLine = {
    waiting: 0,
    usual: 0,
    release(content) {
      if (content instanceof Uint8Array) queue.push(direction, content);
      else if (suspended) counts.dropped += content.count;
      else forward(content);
    },
  };

  /** At once to a socket when nothing waits that came before; otherwise frame by frame behind it. */
  const forward = (batch: FrameBatch): void => {
    if (queue.length === 0 && direction.to.deliverBatch(batch)) {
      counts.frames += batch.count;
      counts.bytes += batch.bytes;
    } else for (const frame of batch.frames()) queue.push(direction, frame);
  };

  const filter = (frame: Uint8Array): void => {
    const passed = pipeline.pass(frame);
    const delay = passed === null ? 0 : pipeline.delay();
    if (passed !== null && delay <= 0) queue.push(direction, passed);
    else if (passed === null || !wheel.hold(line, timers.now() + delay, passed)) counts.dropped++;
  };

  const filterBatch = (batch: FrameBatch): void => {
    const passed = pipeline.passBatch(batch);
    counts.dropped += batch.count - passed.count;
    if (passed.count === 0) return;
    const delay = pipeline.delay();
    if (delay <= 0) forward(passed);
    else if (!wheel.hold(line, timers.now() + delay, passed)) counts.dropped += passed.count;
  };

  return direction;
}
