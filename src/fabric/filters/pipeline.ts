import { loadProgram, matches, type Program } from './bpf.ts';
import type { FrameBatch } from '../frames/frame-batch.ts';
import type { CableFilters } from '../protocol.ts';
import { createRandom, draw, type Random } from './random.ts';

type TimingFilters = Pick<CableFilters, 'rate' | 'delay' | 'jitter' | 'reorder'>;

/** Sequences of one direction. */
interface TimingRandom {
  delay: Random;
  jitter: Random;
  reorder: Random;
}

/** Evenly spread over latency ± jitter, never below 0. */
export const jittered = ({ latency_ms, jitter_ms }: { latency_ms: number; jitter_ms: number }, random: Random) =>
  jitter_ms === 0 ? latency_ms : Math.max(0, latency_ms + (random() * 2 - 1) * jitter_ms);

/** When the frames of one direction leave it: behind one another at its rate, then after its delay. */
class Timing {
  readonly #random: TimingRandom;
  /** A frame passes others. */
  readonly #onPass: () => void;
  /** When the frames that were taken have been sent, on the clock of `wait`. */
  #sent = 0;
  /** Frames since the last one that passed the others. */
  #since = 0;

  constructor(random: TimingRandom, onPass: () => void) {
    [this.#random, this.#onPass] = [random, onPass];
  }

  /** Milliseconds that a frame waits; null: it finds the queue full. `octets`: of the frame. */
  delayFor(filters: TimingFilters, now: number, octets: number): number | null {
    const { rate, reorder } = filters;
    const sending = rate === undefined || rate.kbit_s === 0 ? 0 : this.#send(rate, now, octets);
    if (sending === null) return null;
    if (reorder === undefined || !this.#passes(reorder)) return sending + this.#delay(filters);
    this.#onPass();
    return sending;
  }

  #send(
    { kbit_s, queue_ms, queue_octets }: NonNullable<TimingFilters['rate']>,
    now: number,
    octets: number,
  ): number | null {
    const begin = Math.max(now, this.#sent);
    const waits = begin - now;
    // A kbit/s is a bit in a millisecond.
    const isFull = waits > 0 && queue_octets > 0 && (waits * kbit_s) / 8 + octets > queue_octets;
    if (isFull || (queue_ms > 0 && waits > queue_ms)) return null;
    this.#sent = begin + (octets * 8) / kbit_s;
    return this.#sent - now;
  }

  /** As netem(8) does: each `gap`th frame may. */
  #passes({ chance, gap }: NonNullable<TimingFilters['reorder']>): boolean {
    const happens = this.#random.reorder() * 100 < chance;
    if (chance === 0 || this.#since < gap - 1 || !happens) {
      this.#since++;
      return false;
    }
    this.#since = 0;
    return true;
  }

  #delay({ delay, jitter }: TimingFilters): number {
    const fixed = delay === undefined ? 0 : jittered(delay, this.#random.delay);
    if (jitter === undefined || jitter.ms === 0) return fixed;
    return Math.max(0, fixed + jitter.ms * draw(jitter.distribution, this.#random.jitter));
  }
}

/** What filters did to frames: `rate` found the queue full; those of `corrupt`, `duplicate` and `reorder` went on. */
export type FilterCounts = {
  bpf: number;
  frequency_drop: number;
  packet_loss: number;
  burst_loss: number;
  corrupt: number;
  duplicate: number;
  rate: number;
  reorder: number;
};

export const NO_COUNTS: Readonly<FilterCounts> = {
  ...{ bpf: 0, frequency_drop: 0, packet_loss: 0, burst_loss: 0, corrupt: 0, duplicate: 0, rate: 0, reorder: 0 },
};

/**
 * The filters of one direction of a cable. A frame meets them in this order: bpf, frequency_drop, packet_loss, burst_loss, corrupt,
 * duplicate, rate, reorder, delay and jitter; one that is dropped is not seen by those behind.
 */
export interface Pipeline {
  /** The frame that goes on (a changed copy when it was corrupted), null when it is dropped. */
  pass(frame: Uint8Array): Uint8Array | null;
  /** Those of a batch that go on, each by `pass`; none was changed if the filters treat frames alike. */
  passBatch(batch: FrameBatch): FrameBatch;
  /** The frame that just passed goes on twice. */
  isDuplicated(): boolean;
  /** Milliseconds that a frame waits which goes on; null: it is dropped, as the queue of the rate is full. */
  delayFor(now: number, octets: number): number | null;
  /** Nothing happens to any frame. */
  readonly idle: boolean;
  /** No frame is changed, and all that pass wait equally long. */
  readonly alike: boolean;
  /** Since the pipeline was made. */
  readonly counts: Readonly<FilterCounts>;
  /** Sequences and counters go on where they are. */
  change(filters: CableFilters): void;
}

const STREAMS = { packet_loss: 0, corrupt: 1, delay: 2, duplicate: 3, reorder: 4, burst: 5, burst_loss: 6, jitter: 7 };
const STREAMS_PER_DIRECTION = 8;

/** `direction` 0 is from the cable's first end to its second. */
export function createPipeline(seed: number, direction: 0 | 1, initial: CableFilters): Pipeline {
  const random = (name: keyof typeof STREAMS): Random =>
    createRandom(seed, direction * STREAMS_PER_DIRECTION + STREAMS[name]);
  const [losses, corruptions, doublings] = [random('packet_loss'), random('corrupt'), random('duplicate')];
  const bursts = new Bursts(random('burst'), random('burst_loss'));
  let filters = initial;
  let alike = isAlike(initial);
  let programs = load(initial);
  let count = 0;
  const counts: FilterCounts = { ...NO_COUNTS };
  const sequences = { delay: random('delay'), jitter: random('jitter'), reorder: random('reorder') };
  const timing = new Timing(sequences, () => counts.reorder++);
  const drop = (filter: keyof FilterCounts): null => {
    counts[filter]++;
    return null;
  };
  const spoil = (frame: Uint8Array): Uint8Array => {
    counts.corrupt++;
    return corrupted(frame, corruptions);
  };

  const pipeline: Pipeline = {
    pass(frame) {
      if (programs.some((program) => matches(program, frame))) return drop('bpf');
      if (everyNth(filters.frequency_drop ?? 0, () => ++count)) return drop('frequency_drop');
      if (happens(filters.packet_loss ?? 0, losses)) return drop('packet_loss');
      if (filters.burst_loss !== undefined && bursts.drops(filters.burst_loss)) return drop('burst_loss');
      return happens(filters.corrupt ?? 0, corruptions) ? spoil(frame) : frame;
    },
    passBatch(batch) {
      const { delay: _delay, ...others } = filters;
      return isIdle(others) ? batch : batch.filter((frame) => pipeline.pass(frame) !== null);
    },
    isDuplicated() {
      if (!happens(filters.duplicate ?? 0, doublings)) return false;
      counts.duplicate++;
      return true;
    },
    delayFor: (now, octets) => timing.delayFor(filters, now, octets) ?? drop('rate'),
    get counts() {
      return counts;
    },
    get idle() {
      return isIdle(filters);
    },
    get alike() {
      return alike;
    },
    change(next) {
      programs = load(next);
      filters = next;
      alike = isAlike(next);
    },
  };
  return pipeline;
}

/** Losses in bursts: two states, each with a loss of its own; a frame may change the state before it is lost or not. */
class Bursts {
  readonly #states: Random;
  readonly #losses: Random;
  #isBurst = false;

  constructor(states: Random, losses: Random) {
    [this.#states, this.#losses] = [states, losses];
  }

  drops({ begin, end, within, between }: NonNullable<CableFilters['burst_loss']>): boolean {
    // Each frame takes one number of each sequence.
    const [state, loss] = [this.#states() * 100, this.#losses() * 100];
    if (state < (this.#isBurst ? end : begin)) this.#isBurst = !this.#isBurst;
    return loss < (this.#isBurst ? within : between);
  }
}

/** 0 % never, 100 % always: `random` is below 1 and the comparison is strict. */
const happens = (percent: number, random: Random): boolean => percent > 0 && random() * 100 < percent;

const everyNth = (n: number, count: () => number): boolean => (n < 0 ? true : n > 0 && count() % n === 0);

/** Octets of an Ethernet header: left whole, so that the frame still arrives where its checksum will find the damage. */
const HEADER = 14;

/** A copy with one bit turned over. */
export function corrupted(frame: Uint8Array, random: Random): Uint8Array {
  const copy = frame.slice();
  const from = copy.length > HEADER ? HEADER : 0;
  const bit = Math.floor(random() * (copy.length - from) * 8);
  const index = from + (bit >> 3);
  copy[index] = (copy[index] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const load = (filters: CableFilters): Program[] => (filters.bpf ?? []).map(loadProgram);

/** What drops frames leaves the others as they are, and a delay without jitter is the same for all. */
const isAlike = (filters: CableFilters): boolean => {
  const { delay, bpf: _bpf, frequency_drop: _drop, packet_loss: _loss, burst_loss: _bursts, ...others } = filters;
  return isIdle(others) && (delay?.jitter_ms ?? 0) === 0;
};

const isIdle = (filters: CableFilters): boolean => Object.values(filters).every(isOff);

/** 0, no program, a delay of no time; `begin`, `chance`, `ms` and `kbit_s` of 0 are nothing whatever is beside them. */
const isOff = (value: CableFilters[keyof CableFilters]): boolean => {
  if (typeof value !== 'object') return (value ?? 0) === 0;
  const first = ['begin', 'chance', 'ms', 'kbit_s'].find((key) => key in value);
  return first === undefined
    ? Object.values(value).every((part) => part === 0)
    : (value as Record<string, unknown>)[first] === 0;
};
