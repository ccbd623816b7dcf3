import { absentProgram } from '../absent-engine.ts';
import { ALWAYS_ON, defineKind } from '../define-kind.ts';
import { mappedPorts, noDuplicates } from '../mapped-ports.ts';
import { hostUses } from './host-uses.ts';
import { fields } from './schema.ts';
import { UDP } from './udp-engine.ts';

export const cloud = defineKind({
  name: 'cloud',
  directory: 'builtin',
  capabilities: { ...ALWAYS_ON, duplicate: false, leads_out: true },
  look: { symbol: ':/symbols/cloud.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'Cloud{0}' },
  fields,
  shown: ['node_directory'],
  hot: ['ports_mapping', 'interfaces'],
  settle: noDuplicates,
  hostUses,
  ports: (properties) => mappedPorts(properties, (_, name) => name),
  engines: [
    UDP,
    absentProgram('tap', ['ip'], 'apt-get install iproute2'),
    absentProgram('ethernet', ['ip'], 'apt-get install iproute2'),
  ],
});
