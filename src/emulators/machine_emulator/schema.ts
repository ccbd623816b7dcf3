import { z } from 'zod';
import type { Properties } from '../kit/contract.ts';
import {
  emptyIn,
  field,
  type Fields,
  filled,
  type Field,
  hexOf,
  int,
  macAddress,
  nullable,
  nullIn,
  text,
} from '../kit/fields.ts';

const PLATFORMS = [
  'aarch64',
  'alpha',
  'arm',
  'cris',
  'i386',
  'lm32',
  'm68k',
  'microblaze',
  'microblazeel',
  'mips',
  'mips64',
  'mips64el',
  'mipsel',
  'moxie',
  'or32',
  'ppc',
  'ppc64',
  'ppcemb',
  's390x',
  'sh4',
  'sh4eb',
  'sparc',
  'sparc64',
  'tricore',
  'unicore32',
  'x86_64',
  'xtensa',
  'xtensaeb',
] as const;

export const DISKS = ['hda', 'hdb', 'hdc', 'hdd'] as const;
export type Disk = (typeof DISKS)[number];

/** Properties that name images of a machine, in the order in which they are looked for. */
export const IMAGES = [
  'hda_disk_image',
  'hdb_disk_image',
  'hdc_disk_image',
  'hdd_disk_image',
  'cdrom_image',
  'bios_image',
  'kernel_image',
  'initrd',
] as const;
export type ImageField = (typeof IMAGES)[number];

/** The same images in the order that records have: by name, and the initrd last. */
const IMAGES_OF_RECORD = [...IMAGES.slice(0, -1).toSorted(), 'initrd'];

/** Values of properties that a node is not given; a start without a node has them as well. */
const DEFAULTS = { platform: 'x86_64', ram: 256, cpus: 1, boot: 'c', diskInterface: 'ide', priority: 'low' } as const;

const each = (names: readonly string[], of: () => Field): Fields =>
  Object.fromEntries(names.map((name) => [name, of()]));

/** The platform that a binary is for: `/usr/bin/qemu-system-arm` is arm. */
const platformOf = (path: unknown): string => {
  const [, found] = /qemu-system-(\w+?)(w?\.exe)?$/.exec(typeof path === 'string' ? path : '') ?? [];
  return PLATFORMS.find((platform) => platform === found) ?? DEFAULTS.platform;
};

export const fields: Fields = {
  adapter_type: nullIn(filled, 'e1000'),
  adapters: nullIn(int(0, 275), 1),
  boot_priority: field(z.enum(['c', 'd', 'n', 'cn', 'cd', 'dn', 'dc', 'nc', 'nd']), DEFAULTS.boot),
  cpu_throttling: nullIn(int(0, 800), 0),
  cpus: nullable(int(1, 255), DEFAULTS.cpus),
  create_config_disk: nullIn(z.boolean(), false),
  ...each(IMAGES_OF_RECORD, () => field(text, '')),
  ...each(
    IMAGES_OF_RECORD.map((image) => `${image}_md5sum`),
    () => nullable(text),
  ),
  ...each(
    DISKS.map((disk) => `${disk}_disk_interface`),
    () => emptyIn(field(filled, DEFAULTS.diskInterface)),
  ),
  kernel_command_line: nullIn(text, ''),
  legacy_networking: nullIn(z.boolean(), false),
  linked_clone: field(z.boolean(), true),
  mac_address: nullIn(macAddress, (_, { node_id }) => {
    const [a, b, c] = [hexOf(node_id, 2, 4), hexOf(node_id, 4, 6), hexOf(node_id, 6, 8)];
    return `0c:${a}:${b}:${c}:00:00`;
  }),
  on_close: nullIn(z.enum(['power_off', 'shutdown_signal', 'save_vm_state']), 'power_off'),
  options: nullIn(text, ''),
  platform: emptyIn(nullIn(z.enum(PLATFORMS), ({ qemu_path }) => platformOf(qemu_path))),
  process_priority: nullIn(z.enum(['realtime', 'very high', 'high', 'normal', 'low', 'very low']), DEFAULTS.priority),
  /** Empty: the binary of the platform. */
  qemu_path: nullIn(text, ''),
  /** Megabytes. */
  ram: nullIn(int(0, 1_048_576), DEFAULTS.ram),
  replicate_network_connection_state: nullIn(z.boolean(), true),
  tpm: nullIn(z.boolean(), false),
  uefi: nullIn(z.boolean(), false),
  usage: field(text, ''),
};

export type OnClose = 'power_off' | 'shutdown_signal' | 'save_vm_state';

/** Completed properties, typed. */
export interface Settings {
  platform: string;
  qemuPath: string;
  /** Megabytes; 0: QEMU's default. */
  ram: number;
  cpus: number;
  bootPriority: string;
  /** Empty: none. */
  images: Record<ImageField, string>;
  /** null: not to be checked. */
  checksums: Record<ImageField, string | null>;
  interfaces: Record<Disk, string>;
  kernelCommandLine: string;
  linkedClone: boolean;
  legacyNetworking: boolean;
  replicateLinkState: boolean;
  options: string;
  processPriority: string;
  /** Percent of one processor; 0: all it can get. */
  cpuThrottling: number;
  onClose: OnClose;
  uefi: boolean;
  /** Requested properties that are not possible here. */
  refused: string[];
}

export const settingsOf = (properties: Properties): Settings => {
  const text = (key: string): string => stringOf(properties[key]);
  const all = <K extends string, V>(keys: readonly K[], of: (key: K) => V): Record<K, V> =>
    Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>;
  const onClose = text('on_close');
  return {
    platform: text('platform') || DEFAULTS.platform,
    qemuPath: text('qemu_path'),
    ram: numberOf(properties['ram'], DEFAULTS.ram),
    cpus: numberOf(properties['cpus'], DEFAULTS.cpus),
    bootPriority: text('boot_priority') || DEFAULTS.boot,
    images: all(IMAGES, text),
    checksums: all(IMAGES, (key) => text(`${key}_md5sum`) || null),
    interfaces: all(DISKS, (disk) => text(`${disk}_disk_interface`) || DEFAULTS.diskInterface),
    kernelCommandLine: text('kernel_command_line'),
    linkedClone: properties['linked_clone'] !== false,
    legacyNetworking: properties['legacy_networking'] === true,
    replicateLinkState: properties['replicate_network_connection_state'] !== false,
    options: text('options'),
    processPriority: text('process_priority') || DEFAULTS.priority,
    cpuThrottling: numberOf(properties['cpu_throttling'], 0),
    onClose: onClose === 'shutdown_signal' || onClose === 'save_vm_state' ? onClose : 'power_off',
    uefi: properties['uefi'] === true,
    refused: ['tpm', 'create_config_disk'].filter((key) => properties[key] === true),
  };
};

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
