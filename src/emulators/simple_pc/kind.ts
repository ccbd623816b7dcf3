import { defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { content } from '../kit/fields.ts';
import { leaving, placesOf, textOf } from '../kit/old-nodes.ts';
import { textFiles } from '../kit/text-files.ts';
import { ethernetPort } from '../ports/port-names.ts';
import { VPCS } from './vpcs-engine.ts';

const SCRIPT = 'startup.vpc';

export const simplePc = defineKind({
  name: 'simple_pc',
  alias: 'vpcs',
  directory: 'vpcs',
  capabilities: { suspend: true, console_types: ['telnet', 'none'], start_answers_record: true },
  look: { symbol: ':/symbols/vpcs_guest.svg', name: 'PC{0}' },
  template: { builtin: 'VPCS', category: 'guest', texts: { base_script_file: 'startup_script' } },
  // Its addresses are typed at its console and saved there.
  fields: {},
  // Console commands that run at every start; kept as the node's file `startup.vpc`. One of them gives it an address.
  inputs: { startup_script: content.nullable().meta({ 'x-address-line': 'ip {address}/{prefix}' }) },
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
