import { compileBpf } from './compile-bpf.ts';
import { distributionOf } from './random.ts';
import { LARGEST_SEED } from '../../common/forms/seed.ts';
import type { CableFilters } from '../protocol.ts';

export interface FilterParameter {
  name: string;
  type: 'int' | 'text';
  /** Bounds of a number. */
  minimum?: number;
  maximum?: number;
  unit?: string;
}

/** Description for clients. The order of parameters is the order of a filter's values. */
export interface FilterDescription {
  type: string;
  name: string;
  description: string;
  parameters: FilterParameter[];
}

export interface Filter {
  description: FilterDescription;
  /** Indexes of values that must be whole numbers. */
  whole?: readonly number[];
  /** Its first value switches it off, whatever the others are. */
  byFirst?: true;
  /** The filter as a cable takes it. Expects values that are within the bounds and not all off. */
  toCable(values: readonly (number | string)[]): CableFilters | Promise<CableFilters>;
}

const percent: FilterParameter = { name: 'Chance', type: 'int', minimum: 0, maximum: 100, unit: '%' };
const share = (name: string): FilterParameter => ({ ...percent, name });
const milliseconds = { type: 'int', minimum: 0, maximum: 32_767, unit: 'ms' } as const;

/**
 * The filters a link can have; each acts on each direction separately. A new one needs an entry here, its value in `CableFilters`
 * (protocol.ts), and its effect on frames (pipeline.ts).
 */
const FILTERS: readonly Filter[] = [
  {
    description: {
      type: 'frequency_drop',
      name: 'Frequency drop',
      description: 'Drops every nth frame; -1 drops all',
      parameters: [{ name: 'Frequency', type: 'int', minimum: -1, maximum: 32_767, unit: 'th frame' }],
    },
    whole: [0],
    toCable: ([frequency]) => ({ frequency_drop: Number(frequency) }),
  },
  {
    description: {
      type: 'packet_loss',
      name: 'Packet loss',
      description: 'Drops frames at random',
      parameters: [percent],
    },
    toCable: ([chance]) => ({ packet_loss: Number(chance) }),
  },
  {
    description: {
      type: 'delay',
      name: 'Delay',
      description: 'Holds frames back for a time, which varies by the jitter',
      parameters: [
        { name: 'Latency', ...milliseconds },
        { name: 'Jitter (-/+)', ...milliseconds },
      ],
    },
    toCable: ([latency, jitter = 0]) => ({ delay: { latency_ms: Number(latency), jitter_ms: Number(jitter) } }),
  },
  {
    description: {
      type: 'corrupt',
      name: 'Corrupt',
      description: 'Damages frames at random',
      parameters: [percent],
    },
    toCable: ([chance]) => ({ corrupt: Number(chance) }),
  },
  {
    description: {
      type: 'jitter',
      name: 'Jitter',
      description:
        'Varies the time of frames by a distribution: uniform, normal, pareto, paretonormal, or a table of netem',
      parameters: [
        { name: 'Deviation', ...milliseconds },
        { name: 'Distribution', type: 'text' },
      ],
    },
    byFirst: true,
    toCable: ([ms, text = '']) => ({ jitter: { ms: Number(ms), distribution: distributionOf(String(text)) } }),
  },
  {
    description: {
      type: 'reorder',
      name: 'Reorder',
      description: 'Lets frames pass those that are delayed; needs a delay or jitter',
      parameters: [percent, { name: 'Gap', type: 'int', minimum: 0, maximum: 32_767, unit: 'frames' }],
    },
    byFirst: true,
    whole: [1],
    toCable: ([chance, gap = 0]) => ({
      reorder: { chance: Number(chance), gap: Math.max(1, Number(gap)) },
    }),
  },
  {
    description: {
      type: 'duplicate',
      name: 'Duplicate',
      description: 'Delivers frames twice at random',
      parameters: [percent],
    },
    toCable: ([chance]) => ({ duplicate: Number(chance) }),
  },
  {
    description: {
      type: 'burst_loss',
      name: 'Burst loss',
      description: 'Drops frames in bursts, after Gilbert and Elliott',
      parameters: [share('Begin of a burst'), share('End of a burst'), share('Loss within'), share('Loss between')],
    },
    byFirst: true,
    toCable: ([begin, end = 100, within = 100, between = 0]) => ({
      burst_loss: { begin: Number(begin), end: Number(end), within: Number(within), between: Number(between) },
    }),
  },
  {
    description: {
      type: 'rate',
      name: 'Rate',
      description: 'Sends so many bits in a second; frames wait in a queue, and are dropped when it is full',
      parameters: [
        { name: 'Rate', type: 'int', minimum: 0, maximum: 10_000_000, unit: 'kbit/s' },
        { name: 'Longest wait', ...milliseconds },
        { name: 'Queue', type: 'int', minimum: 0, maximum: 1_000_000_000, unit: 'octets' },
      ],
    },
    byFirst: true,
    whole: [2],
    toCable: ([kbit_s, queue_ms = 0, queue_octets = 0]) => ({
      rate: { kbit_s: Number(kbit_s), queue_ms: Number(queue_ms), queue_octets: Number(queue_octets) },
    }),
  },
  {
    description: {
      type: 'seed',
      name: 'Seed',
      description: 'Repeats what happens at random: the same seed and the same frames lose the same ones',
      parameters: [{ name: 'Number', type: 'int', minimum: 0, maximum: LARGEST_SEED }],
    },
    whole: [0],
    toCable: () => ({}),
  },
  {
    description: {
      type: 'bpf',
      name: 'Berkeley Packet Filter (BPF)',
      description: 'Drops the frames that match an expression; one expression per line',
      parameters: [{ name: 'Filters', type: 'text' }],
    },
    toCable: async ([text]) => ({ bpf: await Promise.all(expressionsOf(String(text)).map((e) => compileBpf(e))) }),
  },
];

/** Expressions of the filter `bpf`, one a line. */
export const expressionsOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const FILTER_DESCRIPTIONS: readonly FilterDescription[] = FILTERS.map(({ description }) => description);

export const findFilter = (type: string): Filter | undefined =>
  FILTERS.find(({ description }) => description.type === type);
