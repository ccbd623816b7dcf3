import { z } from 'zod';
import type { Properties } from '../kit/contract.ts';
import {
  content,
  field,
  type Field,
  type Fields,
  filled,
  hexOf,
  int,
  nullable,
  nullIn,
  numberOf,
  optional,
  required,
  tcpPort,
  text,
} from '../kit/fields.ts';
import { PLATFORMS } from './platforms.ts';

/** Default that only some platforms have; the others leave the key out. */
const byPlatform = (key: string, schema: z.ZodType): Field =>
  optional(schema, ({ platform }) => PLATFORMS[String(platform)]?.defaults[key]);

/** Slots, and those for interface cards. */
export const CARDS = [...[0, 1, 2, 3, 4, 5, 6].map((n) => `slot${n}`), ...[0, 1, 2].map((n) => `wic${n}`)];

const idlepc = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{1,16})?$/, 'must be a hexadecimal number such as 0x60606040, or empty');
const macAddr = z.string().regex(/^([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}$/, 'must be like cc01.1234.0000');

export const fields: Fields = {
  platform: required(z.enum(Object.keys(PLATFORMS))),
  image: required(filled),
  /** Megabytes. */
  ram: nullIn(int(1, 65535), ({ platform }) => PLATFORMS[String(platform)]?.defaults['ram']),
  /** Number of the instance in its project; its MAC address and its files carry it. */
  dynamips_id: { ...field(int(1, 4096), (_, { node_id }) => numberOf(node_id, 4096)), nullIn: true },
  image_md5sum: nullable(text),
  /** Absent: the platform has only one. */
  chassis: optional(text, ({ platform }) => PLATFORMS[String(platform)]?.chassis[0]),
  ...Object.fromEntries(CARDS.map((place) => [place, optional(text)])),
  /** Kilobytes. */
  nvram: byPlatform('nvram', int(0, 65535)),
  /** Per cent of the memory that the interfaces use. */
  iomem: byPlatform('iomem', int(0, 100)),
  clock_divisor: byPlatform('clock_divisor', int(1, 64)),
  npe: byPlatform(
    'npe',
    z.enum(['npe-100', 'npe-150', 'npe-175', 'npe-200', 'npe-225', 'npe-300', 'npe-400', 'npe-g2']),
  ),
  midplane: byPlatform('midplane', z.enum(['std', 'vxr'])),
  /** Degrees Celsius. */
  sensors: byPlatform('sensors', z.array(z.int()).length(4)),
  /** 1: on. */
  power_supplies: byPlatform('power_supplies', z.array(int(0, 1)).length(2)),
  mmap: field(z.boolean(), true),
  sparsemem: field(z.boolean(), true),
  idlepc: nullable(idlepc, ''),
  idlemax: field(z.int().min(0), 500),
  idlesleep: field(z.int().min(0), 30),
  /** Megabytes. */
  exec_area: field(z.int().min(0), 64),
  /** Megabytes. */
  disk0: field(z.int().min(0), 0),
  disk1: field(z.int().min(0), 0),
  auto_delete_disks: field(z.boolean(), false),
  aux: nullable(tcpPort),
  mac_addr: nullable(macAddr, (_, { node_id }) => `cc${hexOf(node_id, 0, 2)}.${hexOf(node_id, 2, 6)}.0000`),
  system_id: field(filled, 'FTX0945W0MY'),
  usage: field(text, ''),
};

/** Texts that become the node's files. */
export const inputs = { startup_config_content: content.nullable(), private_config_content: content.nullable() };

/** Completed properties, typed. */
export interface Settings {
  platform: string;
  /** Number of the instance: its files carry it. */
  id: number;
  image: string;
  /** null: not to be checked. */
  checksum: string | null;
  /** null: the platform has one only. */
  chassis: string | null;
  /** Cards by slot and by place for interface cards; null: empty. */
  slots: (string | null)[];
  wics: (string | null)[];
  /** Megabytes. */
  ram: number;
  /** Kilobytes; null: the platform's default, as with the others that may be null. */
  nvram: number | null;
  /** Per cent. */
  iomem: number | null;
  clockDivisor: number | null;
  npe: string | null;
  midplane: string | null;
  sensors: number[];
  powerSupplies: number[];
  mmap: boolean;
  sparsemem: boolean;
  /** `0x0`: none. */
  idlepc: string;
  idlemax: number;
  idlesleep: number;
  /** Megabytes. */
  execArea: number;
  /** Megabytes. */
  disks: [number, number];
  autoDeleteDisks: boolean;
  aux: number | null;
  mac: string | null;
  systemId: string;
}

export const settingsOf = (properties: Properties): Settings => {
  const text = (key: string): string | null => textIn(properties[key]);
  const number = (key: string): number | null => numberIn(properties[key]);
  const cards = (prefix: string, count: number): (string | null)[] =>
    Array.from({ length: count }, (_, n) => text(`${prefix}${n}`));
  return {
    platform: text('platform') ?? '',
    id: number('dynamips_id') ?? 1,
    image: text('image') ?? '',
    checksum: text('image_md5sum'),
    chassis: text('chassis'),
    slots: cards('slot', 7),
    wics: cards('wic', 3),
    ram: number('ram') ?? 128,
    nvram: number('nvram'),
    iomem: number('iomem'),
    clockDivisor: number('clock_divisor'),
    npe: text('npe'),
    midplane: text('midplane'),
    sensors: numbersIn(properties['sensors']),
    powerSupplies: numbersIn(properties['power_supplies']),
    mmap: properties['mmap'] !== false,
    sparsemem: properties['sparsemem'] !== false,
    idlepc: text('idlepc') ?? '0x0',
    idlemax: number('idlemax') ?? 500,
    idlesleep: number('idlesleep') ?? 30,
    execArea: number('exec_area') ?? 64,
    disks: [number('disk0') ?? 0, number('disk1') ?? 0],
    autoDeleteDisks: properties['auto_delete_disks'] === true,
    aux: number('aux'),
    mac: text('mac_addr'),
    systemId: text('system_id') ?? '',
  };
};

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [];
