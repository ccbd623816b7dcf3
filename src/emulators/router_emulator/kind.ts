import { defineKind } from '../define-kind.ts';
import { numberOf } from '../fields.ts';
import { hostPaths } from '../host-uses.ts';
import { textFiles } from '../text-files.ts';
import { DYNAMIPS } from './dynamips-engine.ts';
import { configFile } from './files.ts';
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
  hot: ['idlepc', 'idlemax', 'idlesleep', 'exec_area', 'auto_delete_disks', 'sensors', 'power_supplies'],
  unique: ['dynamips_id', 'mac_addr', 'aux'],
  settle: settleCards,
  hostUses: (properties) => hostPaths(properties, ['image']),
  ports: routerPorts,
  files: (given, node) => {
    const id = typeof given['dynamips_id'] === 'number' ? given['dynamips_id'] : numberOf(node.node_id, 4096);
    return textFiles(given, node, {
      startup_config_content: configFile(id, 'startup'),
      private_config_content: configFile(id, 'private'),
    });
  },
  engines: [DYNAMIPS],
});
