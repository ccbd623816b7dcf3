import type { DelayLine, DelayWheel } from './delay-wheel.ts';
import { createPipeline, type Pipeline } from '../filters/pipeline.ts';
import type { FrameBatch, FrameSink } from './frame-batch.ts';
import type { CableFilters, CableSpec } from '../protocol.ts';
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

/** What the cables of a fabric share. */
export interface Medium {
  queue: RunQueue;
  timers: Timers;
  wheel: DelayWheel;
}

export interface BatchDestination extends Destination {
  /** False, and nothing is done: this destination takes frames one at a time. */
  takeBatch(batch: FrameBatch): boolean;
}

/** One direction of a cable: it takes what is sent into the cable. */
export class Direction implements FrameSink {
  readonly #medium: Medium;
  readonly #index: 0 | 1;
  readonly #far: FarEnd;
  #seed: number;
  #pipeline: Pipeline;
  #idle: boolean;

  constructor(medium: Medium, spec: CableSpec, index: 0 | 1, to: BatchDestination) {
    this.#medium = medium;
    this.#index = index;
    this.#far = new FarEnd(medium.queue, to, spec.suspend);
    this.#seed = spec.seed;
    this.#pipeline = createPipeline(spec.seed, index, spec.filters);
    this.#idle = this.#pipeline.idle;
  }

  /** Where it leads; changed when the cable's end is. */
  get to(): BatchDestination {
    return this.#far.to;
  }

  set to(to: BatchDestination) {
    this.#far.to = to;
  }

  take(frame: Uint8Array): void {
    const far = this.#far;
    if (far.suspended) far.dropped++;
    else if (this.#idle) this.#medium.queue.push(far, frame);
    else this.#filter(frame);
  }

  takeBatch(batch: FrameBatch): void {
    const far = this.#far;
    if (far.removed) return;
    if (far.suspended) far.dropped += batch.count;
    else if (this.#idle) far.takeBatch(batch);
    else if (this.#pipeline.alike) this.#filterBatch(batch);
    else for (const frame of batch.frames()) this.#filter(frame);
  }

  #filter(frame: Uint8Array): void {
    const { queue, timers, wheel } = this.#medium;
    const far = this.#far;
    const passed = this.#pipeline.pass(frame);
    const delay = passed === null ? 0 : this.#pipeline.delay();
    if (passed !== null && delay <= 0) queue.push(far, passed);
    else if (passed === null || !wheel.hold(far, timers.now() + delay, passed)) far.dropped++;
  }

  #filterBatch(batch: FrameBatch): void {
    const { timers, wheel } = this.#medium;
    const far = this.#far;
    const passed = this.#pipeline.passBatch(batch);
    far.dropped += batch.count - passed.count;
    if (passed.count === 0) return;
    const delay = this.#pipeline.delay();
    if (delay <= 0) far.takeBatch(passed);
    else if (!wheel.hold(far, timers.now() + delay, passed)) far.dropped += passed.count;
  }

  /** The same seed keeps the sequence of decisions going. Frames in flight keep the delay they have. */
  change(seed: number, filters: CableFilters, suspend: boolean): void {
    if (seed === this.#seed) this.#pipeline.change(filters);
    else this.#pipeline = createPipeline(seed, this.#index, filters);
    this.#seed = seed;
    this.#idle = this.#pipeline.idle;
    this.#far.suspended = suspend;
  }

  statistics(): DirectionStatistics {
    const { frames, bytes, dropped, waiting } = this.#far;
    return { frames, bytes, dropped, delayed: waiting };
  }

  /** Frames in flight are gone. */
  remove(): void {
    this.#far.removed = true;
    this.#medium.wheel.clear(this.#far);
  }
}

/** Behind the filters of a direction: takes what the run queue and the delay wheel let go. */
class FarEnd implements Destination, DelayLine {
  to: BatchDestination;
  suspended: boolean;
  removed = false;
  frames = 0;
  bytes = 0;
  dropped = 0;
  waiting = 0;
  usual = 0;
  readonly #queue: RunQueue;

  constructor(queue: RunQueue, to: BatchDestination, suspended: boolean) {
    this.#queue = queue;
    this.to = to;
    this.suspended = suspended;
  }

  take(frame: Uint8Array): void {
    if (this.removed) return;
    if (this.suspended) {
      this.dropped++;
      return;
    }
    this.frames++;
    this.bytes += frame.length;
    this.to.take(frame);
  }

  /** At once to a socket when nothing waits that came before; otherwise frame by frame behind it. */
  takeBatch(batch: FrameBatch): void {
    if (this.#queue.length === 0 && this.to.takeBatch(batch)) {
      this.frames += batch.count;
      this.bytes += batch.bytes;
    } else for (const frame of batch.frames()) this.#queue.push(this, frame);
  }

  release(content: Uint8Array | FrameBatch): void {
    if (content instanceof Uint8Array) this.#queue.push(this, content);
    else if (this.suspended) this.dropped += content.count;
    else this.takeBatch(content);
  }
}
