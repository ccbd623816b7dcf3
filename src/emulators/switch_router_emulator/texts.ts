import { MD5, NVRAM, PRIVATE_CONFIG, RAM, STARTUP_CONFIG, type Texts, USAGE } from '../kit/texts.ts';

export const texts: Texts = {
  path: { title: 'Image', help: 'Image that is run.', widget: 'image' },
  ram: RAM,
  nvram: NVRAM,
  use_default_iou_values: {
    title: 'Memory as the image has it',
    help: 'The image’s own amounts of memory rather than RAM and NVRAM.',
  },
  startup_config_content: { ...STARTUP_CONFIG, file: 'startup-config.cfg' },
  private_config_content: { ...PRIVATE_CONFIG, file: 'private-config.cfg' },
  ethernet_adapters: {
    title: 'Ethernet adapters',
    help: 'Each has four ports. 16 adapters at most, with the serial ones.',
    group: 'Network',
  },
  serial_adapters: {
    title: 'Serial adapters',
    help: 'Each has four ports. 16 adapters at most, with the Ethernet ones.',
    group: 'Network',
  },
  l1_keepalives: {
    title: 'Keepalives',
    help: 'Tells the other end whether an interface is up; not every image can.',
    group: 'Network',
  },
  application_id: {
    title: 'Instance',
    help: 'Number of the node; its MAC addresses and its files are named by it.',
    group: 'Advanced',
  },
  md5sum: { ...MD5, title: 'MD5 of the image' },
  usage: USAGE,
};
