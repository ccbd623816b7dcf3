import { loadProgram, matches, type Program } from './bpf.ts';
import type { FrameBatch } from '../frames/frame-batch.ts';
import type { CableFilters } from '../protocol.ts';
import { createRandom, draw, type Random } from './random.ts';

/** Frames by the filter that dropped or changed them. `rate`: dropped at a full queue; `corrupt`, `duplicate`, `reorder`: passed on. */
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
  bpf: 0,
  frequency_drop: 0,
  packet_loss: 0,
  burst_loss: 0,
  corrupt: 0,
  duplicate: 0,
  rate: 0,
  reorder: 0,
};

/**
 * The filters of one direction of a cable. A frame meets them in this order: bpf, frequency_drop, packet_loss, burst_loss, corrupt,
 * duplicate, rate, reorder, delay and jitter; a dropped frame does not reach the later ones.
 */
export interface Pipeline {
  /** The frame, or a corrupted copy of it; null when it is dropped. */
  pass(frame: Uint8Array): Uint8Array | null;
  /** The frames of a batch that `pass`; only for filters that are `alike`, which change no frame. */
  passBatch(batch: FrameBatch): FrameBatch;
  /** Whether the frame that just passed is sent twice. */
  isDuplicated(): boolean;
  /** Milliseconds that a passed frame waits; null: it is dropped, as the queue of the rate is full. */
  delayFor(now: number, octets: number): number | null;
  /** No filter is on. */
  readonly idle: boolean;
  /** No frame is changed, and all that pass wait equally long. */
  readonly alike: boolean;
  readonly counts: Readonly<FilterCounts>;
  /** Random sequences and counters continue. */
  change(filters: CableFilters): void;
}

/** Number of the random sequence of each filter: a new filter takes the next number, so that the others keep theirs. */
const STREAMS = { packet_loss: 0, corrupt: 1, delay: 2, duplicate: 3, reorder: 4, burst: 5, burst_loss: 6, jitter: 7 };
const STREAMS_PER_DIRECTION = 8;

/** `direction` 0 is from the cable's first end to its second. */
export function createPipeline(seed: number, direction: 0 | 1, initial: CableFilters): Pipeline {
  const random = (name: keyof typeof STREAMS): Random =>
    createRandom(seed, direction * STREAMS_PER_DIRECTION + STREAMS[name]);
  const [losses, corruptions, duplications] = [random('packet_loss'), random('corrupt'), random('duplicate')];
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
  const corrupt = (frame: Uint8Array): Uint8Array => {
    counts.corrupt++;
    return corrupted(frame, corruptions);
  };

  const pipeline: Pipeline = {
    pass(frame) {
      if (programs.some((program) => matches(program, frame))) return drop('bpf');
      if (everyNth(filters.frequency_drop ?? 0, () => ++count)) return drop('frequency_drop');
      if (happens(filters.packet_loss ?? 0, losses)) return drop('packet_loss');
      if (filters.burst_loss !== undefined && bursts.drops(filters.burst_loss)) return drop('burst_loss');
      return happens(filters.corrupt ?? 0, corruptions) ? corrupt(frame) : frame;
    },
    passBatch(batch) {
      const { delay: _delay, ...others } = filters;
      return isIdle(others) ? batch : batch.filter((frame) => pipeline.pass(frame) !== null);
    },
    isDuplicated() {
      if (!happens(filters.duplicate ?? 0, duplications)) return false;
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

/** Burst losses by a model of two states with a loss rate each; a frame may change the state before it is judged. */
class Bursts {
  readonly #states: Random;
  readonly #losses: Random;
  #isBurst = false;

  constructor(states: Random, losses: Random) {
    [this.#states, this.#losses] = [states, losses];
  }

  drops({ begin, end, within, between }: NonNullable<CableFilters['burst_loss']>): boolean {
    // Each frame takes one number of each sequence, whatever the state.
    const [state, loss] = [this.#states() * 100, this.#losses() * 100];
    if (state < (this.#isBurst ? end : begin)) this.#isBurst = !this.#isBurst;
    return loss < (this.#isBurst ? within : between);
  }
}

/** 0 % never, 100 % always: `random` is below 1 and the comparison is strict. */
const happens = (percent: number, random: Random): boolean => percent > 0 && random() * 100 < percent;

const everyNth = (n: number, count: () => number): boolean => (n < 0 ? true : n > 0 && count() % n === 0);

/** Octets of an Ethernet header. It is not corrupted, so that the frame still arrives where a checksum finds the damage. */
const HEADER = 14;

/** A copy with one bit flipped. */
export function corrupted(frame: Uint8Array, random: Random): Uint8Array {
  const copy = frame.slice();
  const from = copy.length > HEADER ? HEADER : 0;
  const bit = Math.floor(random() * (copy.length - from) * 8);
  const index = from + (bit >> 3);
  copy[index] = (copy[index] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const load = (filters: CableFilters): Program[] => (filters.bpf ?? []).map(loadProgram);

/** Filters that only drop frames change no other, and a delay without jitter is the same for all. */
const isAlike = (filters: CableFilters): boolean => {
  const { delay, bpf: _bpf, frequency_drop: _drop, packet_loss: _loss, burst_loss: _bursts, ...others } = filters;
  return isIdle(others) && (delay?.jitter_ms ?? 0) === 0;
};

const isIdle = (filters: CableFilters): boolean => Object.values(filters).every(isOff);

/** Whether a filter has no effect: all 0 or empty, or its `begin`, `chance`, `ms` or `kbit_s` is 0. */
const isOff = (value: CableFilters[keyof CableFilters]): boolean => {
  if (typeof value !== 'object') return (value ?? 0) === 0;
  const first = ['begin', 'chance', 'ms', 'kbit_s'].find((key) => key in value);
  return first === undefined
    ? Object.values(value).every((part) => part === 0)
    : (value as Record<string, unknown>)[first] === 0;
};

type TimingFilters = Pick<CableFilters, 'rate' | 'delay' | 'jitter' | 'reorder'>;

/** Random sequences of one direction. */
interface TimingRandom {
  delay: Random;
  jitter: Random;
  reorder: Random;
}

/** Evenly spread over latency ± jitter, never below 0. */
export const jittered = ({ latency_ms, jitter_ms }: { latency_ms: number; jitter_ms: number }, random: Random) =>
  jitter_ms === 0 ? latency_ms : Math.max(0, latency_ms + (random() * 2 - 1) * jitter_ms);

/** Delays of the frames of one direction: one after another at its rate, then by its delay. */
class Timing {
  readonly #random: TimingRandom;
  /** Called when a frame overtakes others. */
  readonly #onPass: () => void;
  /** Time at which all frames so far have been sent at the rate. */
  #sent = 0;
  /** Frames since the last one that overtook others. */
  #since = 0;

  constructor(random: TimingRandom, onPass: () => void) {
    [this.#random, this.#onPass] = [random, onPass];
  }

  /** Milliseconds that a frame of so many octets waits; null: the queue is full. */
  delayFor(filters: TimingFilters, now: number, octets: number): number | null {
    const { rate, reorder } = filters;
    const sending = rate === undefined || rate.kbit_s === 0 ? 0 : this.#send(rate, now, octets);
    if (sending === null) return null;
    if (reorder === undefined || !this.#overtakes(reorder)) return sending + this.#delay(filters);
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
    // 1 kbit/s is one bit a millisecond.
    const isFull = waits > 0 && queue_octets > 0 && (waits * kbit_s) / 8 + octets > queue_octets;
    if (isFull || (queue_ms > 0 && waits > queue_ms)) return null;
    this.#sent = begin + (octets * 8) / kbit_s;
    return this.#sent - now;
  }

  /** As in netem(8): each `gap`th frame may overtake others. */
  #overtakes({ chance, gap }: NonNullable<TimingFilters['reorder']>): boolean {
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
