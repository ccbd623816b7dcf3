import { ALWAYS_ON, defineKind } from '../define-kind.ts';
import { name } from '../fields.ts';
import { mappedPorts, mappingOf, noDuplicates } from '../mapped-ports.ts';
import { KERNEL } from './kernel.ts';
import { PASST } from './passt.ts';
import { fields } from './schema.ts';
import { SLIRP } from './slirp.ts';

export const nat = defineKind({
  name: 'nat',
  directory: 'builtin',
  capabilities: { ...ALWAYS_ON, duplicate: false, leads_out: true },
  look: { symbol: ':/symbols/cloud.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'NAT{0}' },
  template: { builtin: 'NAT', category: 'guest' },
  fields,
  shown: [],
  hot: ['ports_mapping'],
  nameSchema: name.optional(),
  createsFromRecord: true,
  settle(properties) {
    properties['ports_mapping'] = mappingOf(properties).map((port, index) => ({
      interface: 'nat0',
      name: `nat${index}`,
      port_number: index,
      type: 'ethernet',
      ...port,
    }));
    noDuplicates(properties);
  },
  ports: (properties) => mappedPorts(properties, (_, name) => name),
  // Those without privileges first, the smallest of them before all.
  engines: [SLIRP, PASST, KERNEL],
});
