import { invalid } from '../../errors.ts';
import { checkCircuits, circuitPorts, mappingsOf } from '../circuit-mappings.ts';
import type { Properties } from '../contract.ts';
import { ALWAYS_ON, defineKind } from '../define-kind.ts';
import { embeddedEngine } from '../embedded-engine.ts';
import { ATM } from '../port-names.ts';
import { fields, within } from './schema.ts';

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
  fields,
  shown: [],
  hot: ['mappings'],
  settle: (properties) => {
    sameShape(properties);
    checkCircuits(properties, within);
  },
  ports: (properties) => circuitPorts(properties, ATM),
  engines: [
    embeddedEngine({ model: 'atm_switch', config: ({ properties }) => ({ mappings: mappingsOf(properties) }) }),
  ],
});

/** A path cannot be switched into a channel. */
const sameShape = (properties: Properties): void => {
  for (const [from, to] of Object.entries(mappingsOf(properties))) {
    if (from.split(':').length !== to.split(':').length)
      throw invalid(`mappings: ${from} and ${to} must both be port:vpi or both port:vpi:vci`, { field: 'mappings' });
  }
};
