import { z } from 'zod';
import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { field, listOf, name } from '../kit/fields.ts';
import { part, PORTS } from '../kit/texts.ts';
import { mappedPorts, noDuplicates } from '../ports/ports.ts';
import { listedPorts } from '../kit/old-nodes.ts';

const portMapping = z.strictObject({
  name: part(name, 'Name', 'What the port is called.'),
  port_number: part(z.int().min(0), 'Number', 'Number of the port, each once.'),
});

const eight = Array.from({ length: 8 }, (_, n) => ({ name: `Ethernet${n}`, port_number: n }));

export const ethernetHub = defineKind({
  name: 'ethernet_hub',
  titles: { de: 'Ethernet-Hub' },
  directory: 'dynamips',
  capabilities: { ...ALWAYS_ON, filters: false, nio_update: false },
  look: { symbol: ':/symbols/hub.svg', name: 'Hub{0}' },
  template: { builtin: 'Ethernet hub', category: 'switch' },
  fields: { ports_mapping: field(listOf(portMapping), eight) },
  texts: { ports_mapping: PORTS },
  shown: [],
  hot: ['ports_mapping'],
  settle: noDuplicates,
  ports: (properties) => mappedPorts(properties, (index) => `e${index}`),
  forwarding: ({ ports }) => ({
    by: 'frames',
    pass: (arrived, linked) =>
      ports
        .filter((port) => port.port_number !== arrived.port_number && linked(port))
        .map(({ adapter_number, port_number }) => ({ adapter_number, port_number, frame: arrived.frame })),
  }),
  old: { types: ['EthernetHub'], convert: (node) => listedPorts(node, () => ({})) },
  engines: [embeddedEngine({ model: 'ethernet_hub', config: () => ({}) })],
});
