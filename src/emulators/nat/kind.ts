import { absentProgram } from '../absent-engine.ts';
import { ALWAYS_ON, defineKind } from '../define-kind.ts';
import { filled } from '../fields.ts';
import { mappedPorts, mappingOf, noDuplicates } from '../mapped-ports.ts';
import { PASST } from './passt-engine.ts';
import { fields } from './schema.ts';

export const nat = defineKind({
  name: 'nat',
  directory: 'builtin',
  capabilities: { ...ALWAYS_ON, duplicate: false, leads_out: true },
  look: { symbol: ':/symbols/cloud.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'NAT{0}' },
  template: { builtin: 'NAT', category: 'guest' },
  fields,
  shown: [],
  hot: ['ports_mapping'],
  nameSchema: filled.optional(),
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
  engines: [
    // Before those that cannot be driven yet, so that a refusal names what helps.
    PASST,
    absentProgram('slirp', ['libslirp-helper'], 'apt-get install libslirp-helper'),
    absentProgram('kernel', ['nft'], 'apt-get install nftables iproute2'),
  ],
});
