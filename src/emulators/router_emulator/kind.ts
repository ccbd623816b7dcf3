import { defineKind } from '../kit/define-kind.ts';
import { numberOf } from '../kit/fields.ts';
import { hostPaths } from '../kit/host-uses.ts';
import { textFiles } from '../kit/text-files.ts';
import type { Properties } from '../kit/contract.ts';
import { BIG_ENDIAN_ELF, startsWith } from '../shared/images/image-files.ts';
import { IOS_PING } from '../shared/ios-ping.ts';
import { DYNAMIPS } from './dynamips-engine.ts';
import { configFile } from './files.ts';
import { idlePc } from './idle-pc.ts';
import { isSharedFile, oldRouter } from './old-routers.ts';
import { PLATFORMS } from './platforms.ts';
import { routerPorts, settleCards } from './ports.ts';
import { CARDS, fields, inputs } from './schema.ts';
import { texts } from './texts.ts';

export const routerEmulator = defineKind({
  name: 'router_emulator',
  titles: { de: 'Emulierter Router' },
  alias: 'dynamips',
  directory: 'dynamips',
  capabilities: { suspend: true, console_types: ['telnet', 'none'] },
  look: { symbol: ':/symbols/router.svg', name: 'R{0}' },
  template: {
    category: 'router',
    shared: ['mac_addr'],
    texts: { startup_config: 'startup_config_content', private_config: 'private_config_content' },
  },
  fields,
  texts,
  inputs,
  shown: ['console', 'node_directory'],
  hot: ['idlepc', 'idlemax', 'idlesleep', 'exec_area', 'auto_delete_disks', 'sensors', 'power_supplies'],
  unique: ['dynamips_id', 'mac_addr', 'aux'],
  file: {
    filled: ['chassis', 'image_md5sum', 'mac_addr', 'system_id'],
    nulls: ['dynamips_id', 'image_md5sum', 'aux', 'mac_addr', ...CARDS],
  },
  asExisting: { defaults: memoryOf, inFile: memoryOf },
  images: { folder: 'IOS', fields: ['image'], isImage: (head) => startsWith(head, BIG_ENDIAN_ELF) },
  appliance: { slots: { image: 'image' }, settings: (section, { idlepc }) => ({ ...section, idlepc }) },
  nodeOperations: idlePc,
  settle: settleCards,
  hostUses: (properties) => hostPaths(properties, ['image']),
  ports: routerPorts,
  // Clients ask by the node's id, which is all that they know.
  fileName: (name, { node_id, properties }) =>
    name.replace(`configs/i${node_id}_`, `configs/i${instanceOf(properties, node_id)}_`),
  files: (given, node) => {
    const id = instanceOf(given, node.node_id);
    return textFiles(given, node, {
      startup_config_content: configFile(id, 'startup'),
      private_config_content: configFile(id, 'private'),
    });
  },
  nameLine: /^(hostname ).+$/gm,
  configFiles: ({ node_id, properties }) => {
    const id = instanceOf(properties, node_id);
    return [configFile(id, 'startup'), configFile(id, 'private')];
  },
  old: oldRouter,
  sharedFile: isSharedFile,
  ping: IOS_PING,
  engines: [DYNAMIPS],
});

function memoryOf({ platform }: Properties): Properties {
  return { ...PLATFORMS[String(platform)]?.existing };
}

function instanceOf({ dynamips_id }: Properties, nodeId: string): number {
  return typeof dynamips_id === 'number' ? dynamips_id : numberOf(nodeId, 4096);
}
