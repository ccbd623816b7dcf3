import { loadProgram, matches, type Program } from '../bpf/interpret.ts';
import type { FrameBatch } from '../frames/frame-batch.ts';
import type { CableFilters } from '../protocol.ts';
import { createRandom, type Random } from './prng.ts';

/** What filters did to frames: dropped them, or spoiled those that went on. */
export type FilterCounts = {
  bpf: number;
  frequency_drop: number;
  packet_loss: number;
  corrupt: number;
};

/**
 * The filters of one direction of a cable. A frame meets them in this order: bpf, frequency_drop, packet_loss, corrupt, delay; one
 * that is dropped is not seen by those behind.
 */
export interface Pipeline {
  /** The frame that goes on (a changed copy when it was corrupted), null when it is dropped. */
  pass(frame: Uint8Array): Uint8Array | null;
  /** Those of a batch that go on, each by `pass`; none was changed if the filters treat frames alike. */
  passBatch(batch: FrameBatch): FrameBatch;
  /** Milliseconds the frame that just passed waits. */
  delay(): number;
  /** Nothing happens to any frame. */
  readonly idle: boolean;
  /** No frame is changed, and all that pass wait equally long. */
  readonly alike: boolean;
  /** Since the pipeline was made. */
  readonly counts: Readonly<FilterCounts>;
  /** Sequences and counters go on where they are. */
  change(filters: CableFilters): void;
}

const STREAMS = { packet_loss: 0, corrupt: 1, jitter: 2 };
const STREAMS_PER_DIRECTION = 8;

/** `direction` 0 is from the cable's first end to its second. */
export function createPipeline(seed: number, direction: 0 | 1, initial: CableFilters): Pipeline {
  const random = (name: keyof typeof STREAMS): Random =>
    createRandom(seed, direction * STREAMS_PER_DIRECTION + STREAMS[name]);
  const [losses, corruptions, jitters] = [random('packet_loss'), random('corrupt'), random('jitter')];
  let filters = initial;
  let programs = load(initial);
  let count = 0;
  const counts: FilterCounts = { bpf: 0, frequency_drop: 0, packet_loss: 0, corrupt: 0 };
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
      return happens(filters.corrupt ?? 0, corruptions) ? spoil(frame) : frame;
    },
    passBatch(batch) {
      const { delay: _delay, ...others } = filters;
      return isIdle(others) ? batch : batch.filter((frame) => pipeline.pass(frame) !== null);
    },
    delay: () => (filters.delay === undefined ? 0 : jittered(filters.delay, jitters)),
    get counts() {
      return counts;
    },
    get idle() {
      return isIdle(filters);
    },
    get alike() {
      return (filters.corrupt ?? 0) === 0 && (filters.delay?.jitter_ms ?? 0) === 0;
    },
    change(next) {
      programs = load(next);
      filters = next;
    },
  };
  return pipeline;
}

/** 0 % never, 100 % always: `random` is below 1 and the comparison is strict. */
const happens = (percent: number, random: Random): boolean => percent > 0 && random() * 100 < percent;

const everyNth = (n: number, count: () => number): boolean => (n < 0 ? true : n > 0 && count() % n === 0);

/** Evenly spread over latency ± jitter, never below 0. */
export const jittered = ({ latency_ms, jitter_ms }: { latency_ms: number; jitter_ms: number }, random: Random) =>
  jitter_ms === 0 ? latency_ms : Math.max(0, latency_ms + (random() * 2 - 1) * jitter_ms);

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

const isIdle = (filters: CableFilters): boolean => Object.values(filters).every(isOff);

/** 0, no program, a delay of no time. */
const isOff = (value: CableFilters[keyof CableFilters]): boolean =>
  typeof value === 'object' ? Object.values(value).every((part) => part === 0) : (value ?? 0) === 0;
