/** What `available_filters` answers: the order of parameters is the order of a filter's values. */
export const FILTERS = [
  {
    type: 'frequency_drop',
    name: 'Frequency drop',
    description: 'Drops every nth frame; -1 drops all',
    parameters: [{ name: 'Frequency', type: 'int', minimum: -1, maximum: 32767, unit: 'th frame' }],
  },
  {
    type: 'packet_loss',
    name: 'Packet loss',
    description: 'Drops frames at random',
    parameters: [{ name: 'Chance', type: 'int', minimum: 0, maximum: 100, unit: '%' }],
  },
  {
    type: 'delay',
    name: 'Delay',
    description: 'Holds frames back for a time, which varies by the jitter',
    parameters: [
      { name: 'Latency', type: 'int', minimum: 0, maximum: 32767, unit: 'ms' },
      { name: 'Jitter (-/+)', type: 'int', minimum: 0, maximum: 32767, unit: 'ms' },
    ],
  },
  {
    type: 'corrupt',
    name: 'Corrupt',
    description: 'Damages frames at random',
    parameters: [{ name: 'Chance', type: 'int', minimum: 0, maximum: 100, unit: '%' }],
  },
  {
    type: 'bpf',
    name: 'Berkeley Packet Filter (BPF)',
    description: 'Drops the frames that match an expression; one expression per line',
    parameters: [{ name: 'Filters', type: 'text' }],
  },
] as const;
