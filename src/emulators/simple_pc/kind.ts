import { PC } from '../../fabric/models/host/shell/pc.ts';
import type { Addressed, ConsolePing, KnownNode } from '../kit/contract.ts';
import { defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { content } from '../kit/fields.ts';
import { leaving, placesOf, textOf } from '../kit/old-nodes.ts';
import { textFiles } from '../kit/text-files.ts';
import { ethernetPort } from '../ports/ports.ts';
import { readStartText } from './start-text.ts';
import { VPCS } from './vpcs-engine.ts';

/** A line behind `*` is an ICMP error; VPCS before 0.8 does not say how many bytes came. */
const ANSWER = /^(?:\d+ bytes from )?[\da-fA-F.:]+ icmp6?_seq=\d+ ttl=/gm;

/** Ping of VPCS and the embedded PC: a line for each request, and no summary. */
const PC_PING: ConsolePing = {
  prompt: /^\S+> $/,
  line: (to, { count, size, interval_ms }) =>
    [
      `ping ${to} -c ${count}`,
      ...(interval_ms === undefined ? [] : [`-i ${interval_ms}`]),
      ...(size === undefined ? [] : [`-l ${size}`]),
    ].join(' '),
  over: (count) => String.raw`icmp6?_seq=${count} |^No gateway found|^host \(.+\) not reachable`,
  answered: (text) => text.match(ANSWER)?.length ?? 0,
};

const SCRIPT = 'startup.vpc';

/** The text has the wanted addresses, the running PC the actual ones: it does not take an address that another node has. */
const forwarding = ({ texts, tables }: KnownNode): Addressed => {
  const { addresses, routes, mtu, leased } = readStartText(texts?.['startup_script'] ?? '');
  const live = tables?.interfaces?.map((one) => ({ ...one, wanted: addresses }));
  const meant = { adapter_number: 0, port_number: 0, addresses, wanted: addresses, mac: null, mtu };
  return {
    by: 'addresses',
    interfaces: live ?? [meant],
    routes: live === undefined ? routes : (tables?.routes ?? []),
    forwards: false,
    isKnown: live !== undefined || (texts !== null && !leased),
  };
};

export const simplePc = defineKind({
  name: 'simple_pc',
  titles: { de: 'Einfacher PC' },
  alias: 'vpcs',
  directory: 'vpcs',
  capabilities: { suspend: true, console_types: ['telnet', 'none'], start_answers_record: true },
  look: { symbol: ':/symbols/vpcs_guest.svg', name: 'PC{0}' },
  template: { builtin: 'VPCS', category: 'guest', texts: { base_script_file: 'startup_script' } },
  // Its addresses are typed at its console and saved there.
  fields: {},
  // Console commands that run at every start; kept as the node's file `startup.vpc`. One of them gives it an address.
  inputs: {
    startup_script: content.nullable().meta({ 'x-address-line': 'ip {address}/{prefix}', 'x-gateway': ' {gateway}' }),
  },
  texts: {
    startup_script: {
      title: 'Startup script',
      help: 'Console commands that run at every start, one a line.',
      widget: 'code',
      file: SCRIPT,
    },
  },
  shown: ['console', 'node_directory', 'command_line'],
  hot: [],
  asExisting: { ignoresSuspend: true },
  ports: () => [ethernetPort('Ethernet0', 0, 0)],
  startUpCommands: PC.commands.map(({ name }) => name),
  nameLine: /^(set pcname ).+$/gm,
  textsOnRecord: ['startup_script'],
  forwarding,
  ping: PC_PING,
  files: (given, node) => textFiles(given, node, { startup_script: SCRIPT }),
  configFiles: () => [SCRIPT],
  old: {
    types: ['VPCSDevice'],
    convert: ({ node_id, properties }) => {
      const named = textOf(properties['startup_script_path']) ?? textOf(properties['script_file']);
      const content = textOf(properties['startup_script']);
      return {
        properties: leaving(properties, ['startup_script', 'startup_script_path', 'script_file']),
        files: [
          { name: SCRIPT, places: placesOf(named, 'vpcs', node_id), named, ...(content === null ? {} : { content }) },
        ],
      };
    },
  },
  engines: [embeddedEngine({ model: 'host', config: () => ({}), suspend: true }), VPCS],
});
