import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { mappedPorts, noDuplicates } from '../ports/mapped-ports.ts';
import { listedPorts } from '../kit/old-nodes.ts';
import { fields } from './schema.ts';

export const ethernetHub = defineKind({
  name: 'ethernet_hub',
  directory: 'dynamips',
  capabilities: { ...ALWAYS_ON, filters: false, nio_update: false },
  look: { symbol: ':/symbols/hub.svg', name: 'Hub{0}' },
  template: { builtin: 'Ethernet hub', category: 'switch' },
  fields,
  shown: [],
  hot: ['ports_mapping'],
  settle: noDuplicates,
  ports: (properties) => mappedPorts(properties, (index) => `e${index}`),
  old: { types: ['EthernetHub'], convert: (node) => listedPorts(node, () => ({})) },
  engines: [embeddedEngine({ model: 'ethernet_hub', config: () => ({}) })],
});
