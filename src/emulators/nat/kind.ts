import { z } from 'zod';
import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { field, listOf, name, optional, own, word } from '../kit/fields.ts';
import { mappedPorts, mappingOf, noDuplicates } from '../ports/ports.ts';
import { part, PORTS } from '../kit/texts.ts';
import type { OldNode } from '../kit/old-nodes.ts';
import { KERNEL } from './kernel.ts';
import { PASST } from './passt.ts';
import { SLIRP } from './slirp.ts';

/** A port towards the outside; what is left out is filled in. */
const portMapping = z.strictObject({
  name: part(word.optional(), 'Name', 'What the port is called.'),
  port_number: part(z.int().min(0).optional(), 'Number', 'Number of the port, each once.'),
  type: part(word.optional(), 'Type', 'Kept for other programs.'),
  interface: part(word.optional(), 'Interface', 'Kept for other programs.'),
});

export const nat = defineKind({
  name: 'nat',
  titles: { de: 'NAT' },
  directory: 'builtin',
  capabilities: { ...ALWAYS_ON, duplicate: false, leads_out: true },
  look: { symbol: ':/symbols/cloud.svg', name: 'NAT{0}' },
  template: { builtin: 'NAT', category: 'guest' },
  fields: {
    ports_mapping: field(listOf(portMapping), [{}]),
    network: own(
      optional(word.regex(/^(?:\d{1,3}\.){3}0\/24$/, 'must be a network with 24 bits, such as 172.20.20.0/24')),
    ),
  },
  texts: {
    ports_mapping: PORTS,
    network: {
      title: 'Network',
      help: 'Behind it; the gateway has its first address. Empty: one that is free.',
      group: 'Network',
    },
  },
  shown: [],
  hot: ['ports_mapping'],
  nameSchema: name.optional(),
  createsFromRecord: true,
  writes: {
    name: 'nat',
    what: 'messages of its programs, and leases',
    at: ['nat/*.log', 'nat/*.log.1', 'nat/*.leases'],
    changed: 'idle',
  },
  settle(properties) {
    properties['ports_mapping'] = mappingOf(properties).map((port, index) => ({
      interface: 'nat0',
      name: `nat${index}`,
      port_number: index,
      type: 'ethernet',
      ...port,
    }));
    noDuplicates(properties);
    if (properties['network'] !== undefined && properties['engine'] !== 'simulated') properties['engine'] = KERNEL.name;
  },
  ports: (properties) => mappedPorts(properties, (_, name) => name),
  hostUses: ({ network }) =>
    network === undefined ? [] : [{ field: 'network', reason: 'it is a network of the server’s machine' }],
  gateway: (network) => ({ network }),
  old: {
    types: ['QemuVM', 'nio_nat', 'Cloud'],
    only: (node) => node.type === 'nio_nat' || isInternet(node) || isTranslated(node),
    convert({ ports }) {
      // Only the machine of before had ports that nothing was ever on.
      const linked = ports.flatMap((port, index) => (port.linked ? [index] : []));
      return {
        properties: linked.length < 2 ? {} : { ports_mapping: linked.map(() => ({})) },
        ends: ports.map((_, index) => ({ adapter_number: 0, port_number: Math.max(0, linked.indexOf(index)) })),
      };
    },
  },
  // Engines that need no privileges come first, the smallest before all.
  engines: [SLIRP, PASST, KERNEL],
});

/** MD5 sum of the disk of the "internet" appliance, a machine that did what this kind does. */
const INTERNET = '8ebc5a6ec53a1c05b7aa101b5ceefe31';

function isInternet({ type, properties }: OldNode): boolean {
  return type === 'QemuVM' && properties['hda_disk_image_md5sum'] === INTERNET;
}

/** A cloud of nothing but translated ports. */
function isTranslated({ type, ports }: OldNode): boolean {
  return type === 'Cloud' && ports.length > 0 && ports.every(({ name }) => name.startsWith('nio_nat:'));
}
