import { ROUTER } from '../../fabric/models/simple-router.ts';
import { ethernetSwitch } from '../ethernet_switch/kind.ts';
import type { Addressed, AddressRoute, KnownNode } from '../kit/contract.ts';
import { defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { content } from '../kit/fields.ts';
import { textFiles } from '../kit/text-files.ts';
import { ethernetPort } from '../ports/ports.ts';
import { countOf, fields } from './schema.ts';
import { CONFIG, texts } from './texts.ts';

const MTU = 1500;

/** Addresses and routes of a router after its start-up text. */
interface StartupConfig {
  /** Interfaces by their numbers. */
  interfaces: Map<number, { addresses: string[]; mtu: number }>;
  routes: AddressRoute[];
}

const EVERYTHING: Readonly<Record<string, string>> = { default: '0.0.0.0/0', default6: '::/0' };

/** The lines that set addresses and routes, as the console takes them. Never throws. */
const readConfig = (text: string): StartupConfig => {
  const meant: StartupConfig = { interfaces: new Map(), routes: [] };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [first, ...words] = line.trim().split(/\s+/);
    if (first === 'interface') takeInterface(meant, words);
    const [to = '', via] = words;
    if (first === 'route' && via !== undefined) meant.routes.push({ to: EVERYTHING[to] ?? to, via });
  }
  return meant;
};

const takeInterface = ({ interfaces }: StartupConfig, [number = '', word, value = '']: readonly string[]): void => {
  const { addresses, mtu } = interfaces.get(Number(number)) ?? { addresses: [], mtu: MTU };
  const isSix = value.includes(':');
  if (word === 'mtu') interfaces.set(Number(number), { addresses, mtu: Number(value) || MTU });
  if (word !== 'ip' || value === '') return;
  // An interface has one IPv4 address, and any number of IPv6.
  const kept = addresses.filter((one) => isSix || one.includes(':'));
  const address = value.includes('/') ? value : `${value}/${isSix ? 64 : 24}`;
  interfaces.set(Number(number), { addresses: [...kept, address], mtu });
};

/** The text has the wanted addresses, the running router the actual ones. */
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
  startUpCommands: ROUTER.commands.map(({ name }) => name),
  textsOnRecord: ['startup_config'],
  configFiles: () => [CONFIG],
  ports: (properties) => Array.from({ length: countOf(properties) }, (_, n) => ethernetPort(`Ethernet${n}`, 0, n)),
  files: (given, node) => textFiles(given, node, { startup_config: CONFIG }),
  // Existing tools have no router without an image. A switch has the same ports; each in a VLAN of its own, so that it joins nothing.
  standIn: {
    kind: ethernetSwitch,
    properties: (properties) => ({
      ports_mapping: Array.from({ length: countOf(properties) }, (_, n) => ({
        name: `Ethernet${n}`,
        port_number: n,
        type: 'access',
        vlan: n + 1,
      })),
    }),
  },
  engines: [embeddedEngine({ model: 'simple_router', config: () => ({}), suspend: true })],
});
