import type { DelayLine, DelayWheel } from './delay-wheel.ts';
import { createPipeline, type FilterCounts, NO_COUNTS, type Pipeline } from '../filters/pipeline.ts';
import type { FrameBatch, FrameSink } from './frame-batch.ts';
import type { CableFilters, CableSpec } from '../protocol.ts';
import type { Destination, RunQueue } from './run-queue.ts';
import type { Timers } from './timers.ts';

export interface DirectionStatistics {
  /** Delivered frames, and their octets. */
  frames: number;
  bytes: number;
  /** Dropped by a filter, by suspension, or because too much waited. */
  dropped: number;
  /** Waiting for their delay to pass. */
  delayed: number;
}

/** Frames by what happened to them: filters drop, corrupt, duplicate and delay; `suspended` and `queue_full` drop. */
export type Reasons = FilterCounts & {
  delay: number;
  suspended: number;
  /** Too many frames waited for their delay. */
  queue_full: number;
};

/** Shared by all cables of a fabric. */
export interface Medium {
  queue: RunQueue;
  timers: Timers;
  wheel: DelayWheel;
}

export interface BatchDestination extends Destination {
  /** False: the destination takes frames one at a time, and has taken none of these. */
  takeBatch(batch: FrameBatch): boolean;
}

/** One direction of a cable: takes the frames sent into it. */
export class Direction implements FrameSink {
  readonly #medium: Medium;
  readonly #index: 0 | 1;
  readonly #far: FarEnd;
  #seed: number;
  #pipeline: Pipeline;
  #idle: boolean;
  /** Counts of earlier pipelines. */
  #before: Readonly<FilterCounts> | null = null;
  #full = 0;
  #delayed = 0;

  constructor(medium: Medium, spec: CableSpec, index: 0 | 1, to: BatchDestination) {
    this.#medium = medium;
    this.#index = index;
    this.#far = new FarEnd(medium.queue, to, spec.suspend);
    this.#seed = spec.seed;
    this.#pipeline = createPipeline(spec.seed, index, filtersOf(spec, index));
    this.#idle = this.#pipeline.idle;
  }

  /** Destination of its frames; replaced when the end of the cable changes. */
  get to(): BatchDestination {
    return this.#far.to;
  }

  set to(to: BatchDestination) {
    this.#far.to = to;
  }

  /** Called for each delivered frame with its number, from 1. */
  set see(observer: ((frame: Uint8Array, number: number) => void) | null) {
    this.#far.observer = observer;
  }

  take(frame: Uint8Array): void {
    const far = this.#far;
    if (far.suspended) far.refuse(1);
    else if (this.#idle) this.#medium.queue.push(far, frame);
    else this.#filter(frame);
  }

  takeBatch(batch: FrameBatch): void {
    const far = this.#far;
    if (far.removed) return;
    if (far.suspended) far.refuse(batch.count);
    else if (this.#idle) far.takeBatch(batch);
    else if (this.#pipeline.alike) this.#filterBatch(batch);
    else for (const frame of batch.frames()) this.#filter(frame);
  }

  #filter(frame: Uint8Array): void {
    const passed = this.#pipeline.pass(frame);
    if (passed === null) this.#far.dropped++;
    else {
      this.#send(passed);
      if (this.#pipeline.isDuplicated()) this.#send(passed);
    }
  }

  #send(frame: Uint8Array): void {
    const { queue, timers, wheel } = this.#medium;
    const far = this.#far;
    const now = timers.now();
    const wait = this.#pipeline.delayFor(now, frame.length);
    if (wait === null) far.dropped++;
    else if (wait <= 0) queue.push(far, frame);
    else this.#countHeld(wheel.hold(far, now + wait, frame), 1);
  }

  #filterBatch(batch: FrameBatch): void {
    const { timers, wheel } = this.#medium;
    const far = this.#far;
    const passed = this.#pipeline.passBatch(batch);
    far.dropped += batch.count - passed.count;
    if (passed.count === 0) return;
    const now = timers.now();
    // Equal for all frames: `alike` excludes filters that depend on the length.
    const delay = this.#pipeline.delayFor(now, 0) ?? 0;
    if (delay <= 0) far.takeBatch(passed);
    else this.#countHeld(wheel.hold(far, now + delay, passed), passed.count);
  }

  #countHeld(isHeld: boolean, count: number): void {
    if (isHeld) this.#delayed += count;
    else {
      this.#far.dropped += count;
      this.#full += count;
    }
  }

  /** The same seed keeps the sequence of decisions going. Frames in flight keep the delay they have. */
  change(spec: CableSpec): void {
    const { seed, suspend } = spec;
    const filters = filtersOf(spec, this.#index);
    if (seed === this.#seed) this.#pipeline.change(filters);
    else {
      this.#before = sumOf(this.#before, this.#pipeline.counts);
      this.#pipeline = createPipeline(seed, this.#index, filters);
    }
    this.#seed = seed;
    this.#idle = this.#pipeline.idle;
    this.#far.suspended = suspend;
  }

  statistics(): DirectionStatistics {
    const { frames, bytes, dropped, waiting } = this.#far;
    return { frames, bytes, dropped, delayed: waiting };
  }

  reasons(): Reasons {
    const filters = sumOf(this.#before, this.#pipeline.counts);
    return { ...filters, delay: this.#delayed, suspended: this.#far.refused, queue_full: this.#full };
  }

  /** Drops frames in flight. */
  remove(): void {
    this.#far.removed = true;
    this.#medium.wheel.clear(this.#far);
  }
}

const filtersOf = ({ filters, one_way }: CableSpec, index: 0 | 1): CableFilters => ({
  ...filters,
  ...one_way?.[index],
});

const sumOf = (before: Readonly<FilterCounts> | null, now: Readonly<FilterCounts>): FilterCounts => {
  const sum = { ...NO_COUNTS, ...before };
  for (const name of Object.keys(NO_COUNTS) as (keyof FilterCounts)[]) sum[name] += now[name];
  return sum;
};

/** The part of a direction behind its filters: delivers what comes out of the run queue and the delay wheel. */
class FarEnd implements Destination, DelayLine {
  to: BatchDestination;
  suspended: boolean;
  removed = false;
  frames = 0;
  bytes = 0;
  dropped = 0;
  /** Dropped while the cable was suspended. */
  refused = 0;
  waiting = 0;
  usual = 0;
  observer: ((frame: Uint8Array, number: number) => void) | null = null;
  readonly #queue: RunQueue;

  constructor(queue: RunQueue, to: BatchDestination, suspended: boolean) {
    this.#queue = queue;
    this.to = to;
    this.suspended = suspended;
  }

  refuse(count: number): void {
    this.dropped += count;
    this.refused += count;
  }

  take(frame: Uint8Array): void {
    if (this.removed) return;
    if (this.suspended) {
      this.refuse(1);
      return;
    }
    this.frames++;
    this.bytes += frame.length;
    if (this.observer !== null) this.observer(frame, this.frames);
    this.to.take(frame);
  }

  /** Passes the batch on at once when the destination takes batches and no earlier frame waits; otherwise queues its frames. */
  takeBatch(batch: FrameBatch): void {
    if (this.observer === null && this.#queue.length === 0 && this.to.takeBatch(batch)) {
      this.frames += batch.count;
      this.bytes += batch.bytes;
    } else for (const frame of batch.frames()) this.#queue.push(this, frame);
  }

  release(content: Uint8Array | FrameBatch): void {
    if (content instanceof Uint8Array) this.#queue.push(this, content);
    else if (this.suspended) this.refuse(content.count);
    else this.takeBatch(content);
  }
}
