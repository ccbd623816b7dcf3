import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { mappedPorts, mappingOf, noDuplicates } from '../ports/mapped-ports.ts';
import { listedPorts } from '../kit/old-nodes.ts';
import type { Properties } from '../kit/contract.ts';
import { switchPorts } from '../../fabric/models/switches/switch-ports.ts';
import { switching } from './switching.ts';
import { containerlab } from './containerlab.ts';
import { fields, PORT_TYPES } from './schema.ts';
import { texts } from './texts.ts';

/** Links know a port by its place in the list, so the fabric is told that number. */
const modelConfig = (properties: Properties): { ports_mapping: unknown[] } => ({
  ports_mapping: mappingOf(properties).map((port, port_number) => ({ ...port, port_number })),
});

export const ethernetSwitch = defineKind({
  name: 'ethernet_switch',
  titles: { de: 'Ethernet-Switch' },
  directory: 'dynamips',
  capabilities: { ...ALWAYS_ON, filters: false, nio_update: false, console_types: ['none', 'telnet'] },
  look: { symbol: ':/symbols/ethernet_switch.svg', name: 'Switch{0}' },
  template: { builtin: 'Ethernet switch', category: 'switch' },
  fields,
  texts,
  shown: ['console'],
  hot: ['ports_mapping'],
  settle(properties) {
    // Existing tools cannot do without it.
    properties['ports_mapping'] = mappingOf(properties).map((port) => ({ vlan: 1, ...port }));
    noDuplicates(properties);
  },
  ports: (properties) => mappedPorts(properties, (index) => `e${index}`),
  forwarding: ({ properties }) => switching(switchPorts(modelConfig(properties), [])),
  old: {
    types: ['EthernetSwitch'],
    convert: (node) =>
      listedPorts(node, ({ fields: { type, vlan } }) => ({
        type: PORT_TYPES.find((one) => one === type) ?? 'access',
        vlan: typeof vlan === 'number' && Number.isInteger(vlan) && vlan >= 1 && vlan <= 4094 ? vlan : 1,
      })),
  },
  containerlab,
  engines: [
    embeddedEngine({
      model: 'ethernet_switch',
      config: ({ properties }) => modelConfig(properties),
    }),
  ],
});
