import { ethernetSwitch } from '../ethernet_switch/kind.ts';
import type { Addressed, KnownNode } from '../kit/contract.ts';
import { defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { content } from '../kit/fields.ts';
import { textFiles } from '../kit/text-files.ts';
import { ethernetPort } from '../ports/port-names.ts';
import { MTU, readConfig } from './config-text.ts';
import { countOf, fields } from './schema.ts';
import { CONFIG, texts } from './texts.ts';

/** Its text says what it is to be, and the running router what it is. */
const forwarding = ({ texts, tables, ports }: KnownNode): Addressed => {
  const meant = readConfig(texts?.['startup_config'] ?? '');
  const wanted = ports.map(({ adapter_number, port_number }, n) => {
    const { addresses = [], mtu = MTU } = meant.interfaces.get(n) ?? {};
    return { adapter_number, port_number, addresses, wanted: addresses, mac: null, mtu };
  });
  const live = tables?.interfaces?.map((one, n) => ({ ...one, wanted: wanted[n]?.wanted ?? [] }));
  return {
    by: 'addresses',
    interfaces: live ?? wanted,
    routes: live === undefined ? meant.routes : (tables?.routes ?? []),
    forwards: true,
    isKnown: live !== undefined || texts !== null,
  };
};

export const simpleRouter = defineKind({
  name: 'simple_router',
  titles: { de: 'Einfacher Router' },
  directory: 'simple_router',
  capabilities: { console_types: ['telnet', 'none'], suspend: true, start_answers_record: true },
  look: { symbol: ':/symbols/router.svg', name: 'R{0}' },
  template: { builtin: 'Router', category: 'router', texts: { base_script_file: 'startup_config' } },
  fields,
  // Its addresses and routes are console commands; they are kept as the node's file.
  inputs: { startup_config: content.nullable() },
  texts,
  shown: ['console', 'node_directory', 'command_line'],
  hot: [],
  forwarding,
  textsOnRecord: ['startup_config'],
  configFiles: () => [CONFIG],
  ports: (properties) => Array.from({ length: countOf(properties) }, (_, n) => ethernetPort(`Ethernet${n}`, 0, n)),
  files: (given, node) => textFiles(given, node, { startup_config: CONFIG }),
  // Existing tools have no router without an image. A switch has the same ports; each in a VLAN of its own, so that it joins nothing.
  standIn: {
    kind: ethernetSwitch,
    properties: (properties) => ({
      ports_mapping: Array.from({ length: countOf(properties) }, (_, n) => ({
        ...{ name: `Ethernet${n}`, port_number: n, type: 'access', vlan: n + 1 },
      })),
    }),
  },
  engines: [embeddedEngine({ model: 'simple_router', config: () => ({}), suspend: true })],
});
