import { compileBpf } from '../bpf/compile.ts';
import type { CableFilters } from '../protocol.ts';

export interface FilterParameter {
  name: string;
  type: 'int' | 'text';
  /** Bounds of a number. */
  minimum?: number;
  maximum?: number;
  unit?: string;
}

/** As clients are told of it: the order of parameters is the order of a filter's values. */
export interface FilterDescription {
  type: string;
  name: string;
  description: string;
  parameters: FilterParameter[];
}

export interface Filter {
  description: FilterDescription;
  /** Its numbers count frames, so they are whole. */
  whole?: true;
  /** What a cable takes, of values that are within the bounds and not all off. */
  toCable(values: readonly (number | string)[]): CableFilters | Promise<CableFilters>;
}

const percent: FilterParameter = { name: 'Chance', type: 'int', minimum: 0, maximum: 100, unit: '%' };
const milliseconds = { type: 'int', minimum: 0, maximum: 32_767, unit: 'ms' } as const;

/**
 * The filters a link can have; each acts on each direction by itself. Another one is an entry here, what a cable takes of it
 * (protocol.ts), and what it does to frames (pipeline.ts).
 */
const FILTERS: readonly Filter[] = [
  {
    description: {
      type: 'frequency_drop',
      name: 'Frequency drop',
      description: 'Drops every nth frame; -1 drops all',
      parameters: [{ name: 'Frequency', type: 'int', minimum: -1, maximum: 32_767, unit: 'th frame' }],
    },
    whole: true,
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
      type: 'bpf',
      name: 'Berkeley Packet Filter (BPF)',
      description: 'Drops the frames that match an expression; one expression per line',
      parameters: [{ name: 'Filters', type: 'text' }],
    },
    toCable: async ([text]) => ({ bpf: await Promise.all(expressions(String(text)).map((e) => compileBpf(e))) }),
  },
];

const expressions = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const FILTER_DESCRIPTIONS: readonly FilterDescription[] = FILTERS.map(({ description }) => description);

export const findFilter = (type: string): Filter | undefined =>
  FILTERS.find(({ description }) => description.type === type);
