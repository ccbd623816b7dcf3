import type { HostUse, Properties } from '../kit/contract.ts';
import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { mappedPorts, mappingOf, noDuplicates } from '../ports/mapped-ports.ts';
import { ETHERNET, TAP, UDP } from './cloud-engine.ts';
import { machineInterfaces, machinePorts } from './lacks.ts';
import { oldCloud } from './old-cloud.ts';
import { containerlab } from './containerlab.ts';
import { fields } from './schema.ts';
import { texts } from './texts.ts';

export const cloud = defineKind({
  name: 'cloud',
  titles: { de: 'Cloud' },
  directory: 'builtin',
  capabilities: { ...ALWAYS_ON, duplicate: false, leads_out: true, serves_linked: true },
  look: { symbol: ':/symbols/cloud.svg', name: 'Cloud{0}' },
  template: { builtin: 'Cloud', category: 'guest' },
  fields,
  texts,
  shown: ['node_directory'],
  hot: Object.keys(fields),
  ofMachine: { ports_mapping: machinePorts, interfaces: machineInterfaces },
  // A controller sends those of the machine that the node was on.
  asExisting: { here: ({ interfaces: _elsewhere, ...given }) => given },
  settle: noDuplicates,
  hostUses,
  ports: (properties) => mappedPorts(properties, (_, name) => name),
  old: oldCloud,
  // What needs least first: each takes the ports of those before it too.
  writes: { name: 'cloud', what: 'messages of its programs', at: ['cloud/*.log', 'cloud/*.log.1'], changed: 'idle' },
  containerlab,
  engines: [UDP, TAP, ETHERNET],
});

/** Ports at interfaces of the server's machine; those of UDP send to where a client could send itself. */
function hostUses(properties: Properties): HostUse[] {
  return [...mappingOf(properties).entries()]
    .filter(([, { type }]) => type !== 'udp')
    .map(([port_number, port]) => ({
      field: 'ports_mapping',
      reason: `port ${String(port['name'])} is at an interface of the server’s machine`,
      interface: String(port['interface']),
      port_number,
    }));
}
