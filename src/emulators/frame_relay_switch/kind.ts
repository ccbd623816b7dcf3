import { parseFrameRelayMappings } from '../../fabric/models/switches/mappings.ts';
import { checkMappings, circuitPorts, oldCircuitSwitch } from '../ports/circuit-mappings.ts';
import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { FRAME_RELAY } from '../ports/port-names.ts';
import { fields } from './schema.ts';

export const frameRelaySwitch = defineKind({
  name: 'frame_relay_switch',
  directory: 'dynamips',
  capabilities: { ...ALWAYS_ON, filters: false, nio_update: false },
  look: {
    symbol: ':/symbols/frame_relay_switch.svg',
    port_name_format: 'Ethernet{0}',
    port_segment_size: 0,
    name: 'FRSW{0}',
  },
  template: { builtin: 'Frame Relay switch', category: 'switch' },
  fields,
  shown: [],
  hot: ['mappings'],
  settle: (properties) => checkMappings(properties, parseFrameRelayMappings),
  ports: (properties) => circuitPorts(properties, parseFrameRelayMappings, FRAME_RELAY),
  old: oldCircuitSwitch('FrameRelaySwitch'),
  engines: [
    embeddedEngine({
      model: 'frame_relay_switch',
      config: ({ properties: { mappings } }) => ({ mappings }),
    }),
  ],
});
