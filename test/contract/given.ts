import type { EngineCase } from './engine-contract.ts';

/** Given so that every kind has ports, and a start something to do. */
export const GIVEN: Readonly<Record<string, NonNullable<EngineCase['given']>>> = {
  frame_relay_switch: { mappings: { '1:101': '2:201' } },
  atm_switch: { mappings: { '1:10': '2:20', '1:11:100': '2:21:200' } },
  cloud: {
    ports_mapping: [
      { name: 'out', port_number: 0, type: 'udp', lport: 24_000 + (process.pid % 3000), rhost: '127.0.0.1', rport: 9 },
    ],
  },
  trace_tool: { default_destination: '10.0.0.1', ip_address: '10.0.0.5/24' },
};
