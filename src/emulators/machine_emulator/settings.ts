import type { Properties } from '../kit/contract.ts';

/** Images of a machine, as properties name them. `<name>_image` but for the initrd. */
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

export const DISKS = ['hda', 'hdb', 'hdc', 'hdd'] as const;
export type Disk = (typeof DISKS)[number];

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
  /** Asked for, and not possible here. */
  refused: string[];
}

export const settingsOf = (properties: Properties): Settings => {
  const text = (key: string): string => stringOf(properties[key]);
  const all = <K extends string, V>(keys: readonly K[], of: (key: K) => V): Record<K, V> =>
    Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>;
  const onClose = text('on_close');
  return {
    platform: text('platform') || 'x86_64',
    qemuPath: text('qemu_path'),
    ram: numberOf(properties['ram'], 256),
    cpus: numberOf(properties['cpus'], 1),
    bootPriority: text('boot_priority') || 'c',
    images: all(IMAGES, text),
    checksums: all(IMAGES, (key) => text(`${key}_md5sum`) || null),
    interfaces: all(DISKS, (disk) => text(`${disk}_disk_interface`) || 'ide'),
    kernelCommandLine: text('kernel_command_line'),
    linkedClone: properties['linked_clone'] !== false,
    legacyNetworking: properties['legacy_networking'] === true,
    replicateLinkState: properties['replicate_network_connection_state'] !== false,
    options: text('options'),
    processPriority: text('process_priority') || 'low',
    cpuThrottling: numberOf(properties['cpu_throttling'], 0),
    onClose: onClose === 'shutdown_signal' || onClose === 'save_vm_state' ? onClose : 'power_off',
    uefi: properties['uefi'] === true,
    refused: ['tpm', 'create_config_disk'].filter((key) => properties[key] === true),
  };
};

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
