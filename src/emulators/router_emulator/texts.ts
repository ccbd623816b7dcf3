import {
  AUX,
  MD5,
  NVRAM,
  PRIVATE_CONFIG,
  type PropertyText,
  RAM,
  STARTUP_CONFIG,
  type Texts,
  USAGE,
} from '../kit/texts.ts';
import { CARDS } from './schema.ts';

const disk = (title: string): PropertyText => ({
  title,
  help: 'Size of the flash disk. 0: there is none.',
  unit: 'MB',
  group: 'Storage',
});
const card = (place: string): PropertyText => ({
  title: place.startsWith('wic') ? `WIC ${place.slice(-1)}` : `Slot ${place.slice(-1)}`,
  help: 'Card in this place. Empty: none.',
  group: 'Network',
});
const idle = (title: string, help: string, unit?: string): PropertyText => ({
  title,
  help,
  group: 'Advanced',
  ...(unit === undefined ? {} : { unit }),
});

export const texts: Texts = {
  platform: { title: 'Platform', help: 'Series of the router.' },
  chassis: { title: 'Chassis', help: 'Model of the series, where there are several.' },
  image: { title: 'Image', help: 'Operating system that it runs.', widget: 'image' },
  ram: RAM,
  startup_config_content: { ...STARTUP_CONFIG, file: 'configs/i{node_id}_startup-config.cfg' },
  private_config_content: { ...PRIVATE_CONFIG, file: 'configs/i{node_id}_private-config.cfg' },
  ...Object.fromEntries(CARDS.map((place) => [place, card(place)])),
  mac_addr: {
    title: 'Base MAC address',
    help: 'Of the chassis, such as cc01.1234.0000; its interfaces count up from it.',
    group: 'Network',
  },
  nvram: NVRAM,
  disk0: disk('Disk 0'),
  disk1: disk('Disk 1'),
  auto_delete_disks: {
    title: 'Delete disks when it stops',
    help: 'NVRAM and flash disks start empty each time.',
    group: 'Storage',
  },
  aux: AUX,
  usage: USAGE,
  idlepc: idle('Idle-PC', 'Where the image waits, such as 0x60606040; it keeps a host processor from being busy.'),
  idlemax: idle('Idle maximum', 'How often it may pass there before it sleeps.'),
  idlesleep: idle('Idle sleep', 'How long it sleeps then.', 'ms'),
  exec_area: idle('Execution area', 'Memory for translated code.', 'MB'),
  mmap: idle('Memory in a file', 'The router’s memory is a file that the host can put aside.'),
  sparsemem: idle('Sparse memory', 'Memory is taken from the host only where it is used.'),
  iomem: idle('I/O memory', 'Part of the RAM that the interfaces use.', '%'),
  clock_divisor: idle('Clock divisor', 'Slows the router’s clock down.'),
  npe: idle('Network processing engine', 'Processor board of the chassis.'),
  midplane: idle('Midplane', 'Backplane of the chassis.'),
  sensors: idle('Temperatures', 'What its four sensors report, one a line.', '°C'),
  power_supplies: idle('Power supplies', 'Of both, one a line: 1 on, 0 off.'),
  system_id: idle('Serial number', 'What the chassis reports as its own.'),
  dynamips_id: idle('Instance', 'Number of the router in its project; its files are named by it.'),
  image_md5sum: { ...MD5, title: 'MD5 of the image' },
};
