import type { ContainerlabForm, HostUse, Properties } from '../kit/contract.ts';
import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import type { FromOld, OldForm, OldNode, PortNumber } from '../kit/old-nodes.ts';
import { mappedPorts, mappingOf, noDuplicates } from '../ports/ports.ts';
import { ETHERNET, TAP, UDP } from './cloud-engine.ts';
import { machineInterfaces, machinePorts } from './requirements.ts';
import { fields } from './schema.ts';
import { texts } from './texts.ts';

/** Clouds before revision 5: what a port leads to was its name. A host was a cloud of all interfaces of its author's machine. */
const oldCloud: OldForm = {
  types: ['Cloud', 'Host'],
  convert(node) {
    const names = namesOf(node);
    const mapping: Properties[] = [];
    const ends: (PortNumber | null)[] = [];
    const apart: { port: number; type: string }[] = [];
    const warnings: string[] = [];
    for (const [port, name] of names.entries()) {
      const entry = entryOf(name, mapping.length);
      const translated = name.startsWith('nio_nat:');
      ends.push(entry === null ? null : { adapter_number: 0, port_number: mapping.length });
      if (entry !== null) mapping.push(entry);
      else if (translated) apart.push({ port, type: 'nio_nat' });
      else
        warnings.push(
          `its port ${JSON.stringify(name.slice(0, 80))} leads where no port can lead any more; it was left out`,
        );
    }
    return {
      properties: { ports_mapping: mapping },
      symbol: node.type === 'Host' ? ':/symbols/computer.svg' : ':/symbols/cloud.svg',
      ends,
      apart,
      warnings,
    } satisfies FromOld;
  },
};

/** Names of its ports; the list `nios` where the file has no ports. */
const namesOf = ({ ports, properties: { nios } }: OldNode): string[] => {
  if (ports.length > 0) return ports.map(({ name }) => name);
  return Array.isArray(nios) ? nios.filter((one) => typeof one === 'string') : [];
};

const TYPES: Readonly<Record<string, string>> = { nio_gen_eth: 'ethernet', nio_gen_linux: 'ethernet', nio_tap: 'tap' };

/** null: no port of today can be it. */
const entryOf = (text: string, port_number: number): Properties | null => {
  const [, nio = '', rest = ''] = /^(\w+):(.+)$/.exec(text) ?? [];
  const type = TYPES[nio];
  if (type !== undefined) return { type, interface: rest, name: rest, port_number };
  // The host may be an IPv6 address.
  const [, lport, rhost, rport] = (nio === 'nio_udp' && /^(\d{1,5}):(.+):(\d{1,5})$/.exec(rest)) || [];
  if (!isPort(lport) || rhost === undefined || !isPort(rport)) return null;
  return {
    type: 'udp',
    name: `UDP tunnel ${port_number + 1}`,
    lport: Number(lport),
    rhost: rhost.replace(/^\[(.*)\]$/, '$1'),
    rport: Number(rport),
    port_number,
  };
};

const isPort = (text: string | undefined): boolean => Number(text) >= 1 && Number(text) <= 65535;

/** The machine itself, as containerlab has it: each interface of it that a link names is one that is made for the link. */
const containerlab: ContainerlabForm = {
  kinds: ['host'],
  keys: [],
  managed: false,
  word: 'host',
  properties: ({ interfaces }) => ({
    ports_mapping: interfaces.map((name, port_number) => ({ name, port_number, type: 'tap', interface: name })),
  }),
  node(properties) {
    const odd = mappingOf(properties).find(({ type }) => type !== 'tap');
    if (odd !== undefined) throw new Error(`port ${String(odd['name'])} is no interface that is made for a link`);
    return { keys: {}, addresses: {}, files: [] };
  },
};

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
  writes: { name: 'cloud', what: 'messages of its programs', at: ['cloud/*.log', 'cloud/*.log.1'], changed: 'idle' },
  containerlab,
  // Each engine takes the ports of those before it too; the one that needs least comes first.
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
