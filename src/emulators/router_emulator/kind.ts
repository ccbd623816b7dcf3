import { absentProgram } from '../absent-engine.ts';
import { defineKind } from '../define-kind.ts';
import { numberOf } from '../fields.ts';
import { textFiles } from '../text-files.ts';
import type { Properties } from '../contract.ts';
import { BIG_ENDIAN_ELF, startsWith } from '../image-files.ts';
import { idlePc } from './idle-pc.ts';
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
  images: { folder: 'IOS', fields: ['image'], isImage: (head) => startsWith(head, BIG_ENDIAN_ELF) },
  nodeOperations: idlePc,
  settle: settleCards,
  ports: routerPorts,
  // Clients ask by the node's id, which is all that they know.
  fileName: (name, { node_id, properties }) =>
    name.replace(`configs/i${node_id}_`, `configs/i${instanceOf(properties, node_id)}_`),
  files: (given, node) => {
    const id = instanceOf(given, node.node_id);
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

function instanceOf({ dynamips_id }: Properties, nodeId: string): number {
  return typeof dynamips_id === 'number' ? dynamips_id : numberOf(nodeId, 4096);
}
