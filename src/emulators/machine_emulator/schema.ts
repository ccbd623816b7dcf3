import { z } from 'zod';
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
  ...['aarch64', 'alpha', 'arm', 'cris', 'i386', 'lm32', 'm68k', 'microblaze', 'microblazeel', 'mips', 'mips64'],
  ...['mips64el', 'mipsel', 'moxie', 'or32', 'ppc', 'ppc64', 'ppcemb', 's390x', 'sh4', 'sh4eb', 'sparc', 'sparc64'],
  ...['tricore', 'unicore32', 'x86_64', 'xtensa', 'xtensaeb'],
] as const;

const IMAGES = ['bios', 'cdrom', 'hda_disk', 'hdb_disk', 'hdc_disk', 'hdd_disk', 'kernel'].map((of) => `${of}_image`);
const DISKS = ['hda', 'hdb', 'hdc', 'hdd'];

const each = (names: readonly string[], of: () => Field): Fields =>
  Object.fromEntries(names.map((name) => [name, of()]));

/** The platform that a binary is for: `/usr/bin/qemu-system-arm` is arm. */
const platformOf = (path: unknown): string => {
  const [, found] = /qemu-system-(\w+?)(w?\.exe)?$/.exec(typeof path === 'string' ? path : '') ?? [];
  return PLATFORMS.find((platform) => platform === found) ?? 'x86_64';
};

export const fields: Fields = {
  adapter_type: nullIn(filled, 'e1000'),
  adapters: nullIn(int(0, 275), 1),
  boot_priority: field(z.enum(['c', 'd', 'n', 'cn', 'cd', 'dn', 'dc', 'nc', 'nd']), 'c'),
  cpu_throttling: nullIn(int(0, 800), 0),
  cpus: nullable(int(1, 255), 1),
  create_config_disk: nullIn(z.boolean(), false),
  ...each([...IMAGES, 'initrd'], () => field(text, '')),
  ...each(
    [...IMAGES, 'initrd'].map((image) => `${image}_md5sum`),
    () => nullable(text),
  ),
  ...each(
    DISKS.map((disk) => `${disk}_disk_interface`),
    () => emptyIn(field(filled, 'ide')),
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
  process_priority: nullIn(z.enum(['realtime', 'very high', 'high', 'normal', 'low', 'very low']), 'low'),
  /** Empty: the binary of the platform. */
  qemu_path: nullIn(text, ''),
  /** Megabytes. */
  ram: nullIn(int(0, 1_048_576), 256),
  replicate_network_connection_state: nullIn(z.boolean(), true),
  tpm: nullIn(z.boolean(), false),
  uefi: nullIn(z.boolean(), false),
  usage: field(text, ''),
};
