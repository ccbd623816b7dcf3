export interface FilterParameter {
  name: string;
  type: 'int' | 'text';
  /** Bounds of a number. */
  minimum?: number;
  maximum?: number;
  unit?: string;
}

export interface FilterDescription {
  type: string;
  name: string;
  description: string;
  parameters: FilterParameter[];
}

const percent = (name: string): FilterParameter => ({ name, type: 'int', minimum: 0, maximum: 100, unit: '%' });
const milliseconds = (name: string): FilterParameter => ({
  name,
  type: 'int',
  minimum: 0,
  maximum: 32_767,
  unit: 'ms',
});

/** The filters a link can have and the bounds of their values; each acts on each direction by itself. */
export const FILTER_DESCRIPTIONS: readonly FilterDescription[] = [
  {
    type: 'frequency_drop',
    name: 'Frequency drop',
    description: 'Drops every nth frame; -1 drops all of them',
    parameters: [{ name: 'Frequency', type: 'int', minimum: -1, maximum: 32_767, unit: 'th frame' }],
  },
  {
    type: 'packet_loss',
    name: 'Packet loss',
    description: 'Drops frames at random, with this probability',
    parameters: [percent('Chance')],
  },
  {
    type: 'delay',
    name: 'Delay',
    description: 'Holds each frame back for the latency, give or take up to the jitter',
    parameters: [milliseconds('Latency'), milliseconds('Jitter')],
  },
  {
    type: 'corrupt',
    name: 'Corrupt',
    description: 'Turns over one bit of a frame at random, with this probability',
    parameters: [percent('Chance')],
  },
  {
    type: 'bpf',
    name: 'Berkeley Packet Filter (BPF)',
    description: 'Drops the frames that match one of the expressions',
    parameters: [{ name: 'Expressions, one a line', type: 'text' }],
  },
];
