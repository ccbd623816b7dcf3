import { invalid } from '../../common/errors.ts';
import { defineKind } from '../kit/define-kind.ts';
import { hostPaths } from '../kit/host-uses.ts';
import { leaving, placesOf, textOf, withImageNames } from '../kit/old-nodes.ts';
import { textFiles } from '../kit/text-files.ts';
import { LITTLE_ENDIAN_ELFS, startsWith } from '../shared/images/image-files.ts';
import { IOS_PING } from '../shared/ios-ping.ts';
import { IOU } from './iou-engine.ts';
import { LICENSE } from './license.ts';
import { adaptersOf, fields, inputs, PORTS_PER_ADAPTER, startBody, switchRouterPorts } from './schema.ts';
import { texts } from './texts.ts';

const CONFIGS = {
  startup_config_content: 'startup-config.cfg',
  private_config_content: 'private-config.cfg',
};
/** Names of files, in project files before revision 8. */
const OLD_TEXTS = ['startup_config', 'private_config', 'initial_config'];

export const switchRouterEmulator = defineKind({
  name: 'switch_router_emulator',
  titles: { de: 'Emulierter Switch-Router' },
  alias: 'iou',
  directory: 'iou',
  capabilities: { console_types: ['telnet', 'none'], start_answers_record: true },
  look: {
    symbol: ':/symbols/multilayer_switch.svg',
    port_name_format: 'Ethernet{segment0}/{port0}',
    port_segment_size: PORTS_PER_ADAPTER,
    name: 'SR{0}',
  },
  template: {
    category: 'router',
    nameFormat: 'IOU{0}',
    texts: { startup_config: 'startup_config_content', private_config: 'private_config_content' },
  },
  fields,
  texts,
  file: { needs: ['application_id'] },
  inputs,
  shown: ['console', 'node_directory', 'command_line'],
  hot: [],
  asExisting: { defaults: () => ({ ram: 1024, nvram: 256, use_default_iou_values: false }) },
  unique: ['application_id'],
  images: {
    folder: 'IOU',
    fields: ['path'],
    sum: 'md5sum',
    isImage: (head) => LITTLE_ENDIAN_ELFS.some((elf) => startsWith(head, elf)),
  },
  appliance: {
    slots: { image: 'path' },
    // Amounts of memory count only where the image's own do not.
    settings: (section) =>
      'ram' in section || 'nvram' in section ? { use_default_iou_values: false, ...section } : section,
  },
  startBody,
  setting: LICENSE,
  settle(properties) {
    const { ethernet, serial } = adaptersOf(properties);
    if (ethernet + serial > 16)
      throw invalid(
        `ethernet_adapters and serial_adapters are ${ethernet} and ${serial}; together they can be 16 at most`,
      );
  },
  hostUses: (properties) => hostPaths(properties, ['path']),
  ports: switchRouterPorts,
  files: (given, node) => textFiles(given, node, CONFIGS),
  nameLine: /^(hostname ).+$/gm,
  configFiles: () => Object.values(CONFIGS),
  old: {
    types: ['IOUDevice'],
    convert: ({ node_id, properties }) => {
      const startup = textOf(properties['startup_config']) ?? textOf(properties['initial_config']);
      const own = textOf(properties['private_config']);
      return {
        properties: withImageNames(leaving(properties, OLD_TEXTS), ['path']),
        symbol: /l2/i.test(String(properties['path'])) ? ':/symbols/multilayer_switch.svg' : ':/symbols/router.svg',
        files: [
          { name: CONFIGS.startup_config_content, places: placesOf(startup, 'iou', node_id), named: startup },
          { name: CONFIGS.private_config_content, places: placesOf(own, 'iou', node_id), named: own },
        ],
      };
    },
  },
  ping: IOS_PING,
  engines: [IOU],
});
