import { absentProgram } from '../absent-engine.ts';
import { defineKind } from '../define-kind.ts';
import { numberOf } from '../fields.ts';
import { hostPaths } from '../host-uses.ts';
import { textFiles } from '../text-files.ts';
import { routerPorts, settleCards } from './ports.ts';
import { fields, inputs } from './schema.ts';

export const routerEmulator = defineKind({
  name: 'router_emulator',
  alias: 'dynamips',
  directory: 'dynamips',
  capabilities: { suspend: true, console_types: ['telnet', 'none'] },
  look: { symbol: ':/symbols/router.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'R{0}' },
  fields,
  inputs,
  shown: ['console', 'node_directory'],
  hot: ['idlepc', 'idlemax', 'idlesleep', 'exec_area', 'auto_delete_disks'],
  unique: ['dynamips_id', 'mac_addr', 'aux'],
  settle: settleCards,
  hostUses: (properties) => hostPaths(properties, ['image']),
  ports: routerPorts,
  files: (given, node) => {
    const id = typeof given['dynamips_id'] === 'number' ? given['dynamips_id'] : numberOf(node.node_id, 4096);
    return textFiles(given, node, {
      startup_config_content: `configs/i${id}_startup-config.cfg`,
      private_config_content: `configs/i${id}_private-config.cfg`,
    });
  },
  engines: [
    absentProgram(
      'dynamips',
      ['dynamips'],
      'install Dynamips, with apt-get install dynamips where the distribution has it, or from its source at github.com/GNS3/dynamips',
    ),
  ],
});
