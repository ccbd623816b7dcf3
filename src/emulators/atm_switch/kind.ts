import { parseAtmMappings } from '../../fabric/models/switches/mappings.ts';
import { checkMappings, circuitPorts, oldCircuitSwitch } from '../ports/circuit-mappings.ts';
import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { ATM } from '../ports/port-names.ts';
import { fields } from './schema.ts';

export const atmSwitch = defineKind({
  name: 'atm_switch',
  directory: 'dynamips',
  capabilities: { ...ALWAYS_ON, filters: false, nio_update: false },
  look: {
    symbol: ':/symbols/atm_switch.svg',
    port_name_format: 'Ethernet{0}',
    port_segment_size: 0,
    name: 'ATMSW{0}',
  },
  template: { builtin: 'ATM switch', category: 'switch' },
  fields,
  shown: [],
  hot: ['mappings'],
  settle: (properties) => checkMappings(properties, parseAtmMappings),
  ports: (properties) => circuitPorts(properties, parseAtmMappings, ATM),
  old: oldCircuitSwitch('ATMSwitch'),
  engines: [
    embeddedEngine({
      model: 'atm_switch',
      config: ({ properties: { mappings } }) => ({ mappings }),
    }),
  ],
});
