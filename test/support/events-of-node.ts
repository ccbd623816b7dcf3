import { SYSTEM } from '../../src/events/event.ts';
import type { AnyEvent, DataOf, EventType } from '../../src/events/schemas.ts';
import { PROJECT } from './events.ts';

export const NODE = '00000000-0000-4000-8000-00000000000a';
export const LINK = '00000000-0000-4000-8000-00000000000b';

export const nodeData = (change: Partial<DataOf<'node.created'>> = {}): DataOf<'node.created'> => ({
  node_id: NODE,
  project_id: PROJECT,
  compute_id: 'local',
  kind: 'simple_pc',
  name: 'PC1',
  template_id: null,
  console: 11_000,
  console_type: 'telnet',
  console_auto_start: false,
  properties: {},
  label: { text: 'PC1' },
  symbol: null,
  width: 65,
  height: 65,
  x: 0,
  y: 0,
  z: 1,
  locked: false,
  port_name_format: 'Ethernet{0}',
  port_segment_size: 0,
  first_port_name: null,
  custom_adapters: [],
  ports: [],
  node_directory: null,
  extra: {},
  failure: null,
  ...change,
});

export const linkData = (): DataOf<'link.created'> => ({
  link_id: LINK,
  project_id: PROJECT,
  link_type: 'ethernet',
  nodes: [NODE, '00000000-0000-4000-8000-0000000000aa'].map((node_id) => ({
    node_id,
    adapter_number: 0,
    port_number: 0,
    label: { text: '0/0' },
  })),
  suspend: false,
  filters: {},
  link_style: {},
  extra: {},
});

export const failure = { code: 'engine_failed', message: 'it broke' };

export const startedData = (): DataOf<'node.started'> => ({
  node_id: NODE,
  project_id: PROJECT,
  engine: 'embedded',
  pid: 77,
  console: 11_001,
  command_line: 'run it',
});

/** An event as the log would have made it, but for its hashes. */
export const eventOf = <T extends EventType>(type: T, data: DataOf<T>, position = 1): AnyEvent =>
  ({
    position,
    version: position,
    project_id: PROJECT,
    type,
    v: 1,
    at: '2024-06-01T12:00:00.000Z',
    by: SYSTEM,
    request_id: null,
    cause: null,
    data,
    prev: '',
    hash: '',
  }) as unknown as AnyEvent;
