import { popTag } from '../../fabric/codecs/ethernet.ts';
import { egress, ingress, isTagged, type Passage } from '../../fabric/models/switches/switch-passage.ts';
import { type SwitchPort, switchPorts } from '../../fabric/models/switches/switch-ports.ts';
import type { Arrival, ContainerlabForm, Departure, Passing, Properties } from '../kit/contract.ts';
import { ALWAYS_ON, defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { listedPorts } from '../kit/old-nodes.ts';
import { PORTS, type Texts } from '../kit/texts.ts';
import { mappedPorts, mappingOf, noDuplicates } from '../ports/ports.ts';
import { fields, PORT_TYPES } from './schema.ts';

const texts: Texts = { ports_mapping: { ...PORTS, title: 'Ports and VLANs' } };

/** Forwarding of frames through a switch, by the code of the model that moves them. */
const switching = (ports: readonly SwitchPort[]): Passing => ({
  by: 'frames',
  pass(arrived, linked) {
    const into = ports.find(({ number }) => number === arrived.port_number);
    if (into === undefined) return [];
    const isOut = (port: SwitchPort): boolean =>
      port !== into && linked({ adapter_number: port.adapter, port_number: port.number });
    return ports.filter(isOut).map((out) => through(into, out, arrived));
  },
});

const through = (into: SwitchPort, out: SwitchPort, { frame }: Arrival): Departure => {
  const passage = ingress(into, frame);
  const place = { adapter_number: out.adapter, port_number: out.number };
  if (passage === null)
    return { ...place, frame, kept: `takes no frame of that VLAN at ${into.name}, which is ${portText(into)}` };
  const left = egress(out, passage);
  if (left !== null) return { ...place, frame: left, vlan: passage.vlan };
  const kept = `takes the frames into VLAN ${passage.vlan} at ${into.name}, and ${out.name} is ${portText(out)}`;
  return { ...place, frame: plain(passage), vlan: passage.vlan, kept };
};

/** The frame as it would leave if the port let it out. */
const plain = ({ frame, tagged }: Passage): Uint8Array => (tagged && isTagged(frame) ? popTag(frame) : frame);

const portText = ({ type, vlan }: SwitchPort): string =>
  type === 'access' ? `access in VLAN ${vlan}` : type === 'qinq' ? `a tunnel in VLAN ${vlan}` : `a trunk`;

/** Bridges of a machine, as containerlab has them, become switches of the lab's own. */
const containerlab: ContainerlabForm = {
  kinds: ['bridge', 'ovs-bridge'],
  keys: [],
  managed: false,
  word: 'mgmt-net',
  properties: ({ interfaces }) => ({
    ports_mapping: (interfaces.length === 0 ? ['port0'] : interfaces).map((name, port_number) => ({
      name,
      port_number,
      type: 'access',
      vlan: 1,
    })),
  }),
  node(properties) {
    const odd = mappingOf(properties).find(({ type, vlan }) => type !== 'access' || (vlan ?? 1) !== 1);
    if (odd !== undefined) throw new Error(`port ${String(odd['name'])} has a VLAN, which bridges there have not`);
    return { keys: {}, addresses: {}, files: [] };
  },
};

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
