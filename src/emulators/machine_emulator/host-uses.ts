import path from 'node:path';
import type { HostUse, Properties } from '../kit/contract.ts';
import { hostPaths } from '../kit/host-uses.ts';
import { withPlainValues } from '../shared/placeholders.ts';
import { splitWords } from '../shared/process/shell-words.ts';
import { IMAGES } from './schema.ts';

/** Settings by which a machine would open files, programs or sockets of the server's machine. */
export const hostUses = (properties: Properties): HostUse[] => [
  ...hostPaths(properties, IMAGES),
  ...ofProgram(text(properties['qemu_path'])),
  ...ofAdapters(text(properties['adapter_type'])),
  ...ofOptions(text(properties['options'])),
];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Programs as clients get them from the list of programs. */
const QEMU = /^((\/usr(\/local)?|\/opt\/homebrew)?\/bin\/)?qemu-system-\w+$/;

/**
 * A path of another machine stands for the program of that name; a local server takes one that is there, and looks for the name otherwise. The others
 * do not look, so that nobody learns what is there.
 */
export const programHere = (given: Properties, local: boolean): Properties => {
  const program = text(given['qemu_path']);
  if (local || program === '' || QEMU.test(program)) return given;
  return { ...given, qemu_path: path.win32.basename(program).replace(/w?\.exe$/i, '') };
};

const ofProgram = (program: string): HostUse[] =>
  program === '' || QEMU.test(program)
    ? []
    : [{ field: 'qemu_path', reason: 'it must be a qemu-system program of the machine' }];

/** Names of devices: behind a comma there could be options. */
export const ADAPTER = /^[\w.-]+$/;

const ofAdapters = (type: string): HostUse[] =>
  type === '' || ADAPTER.test(type) ? [] : [{ field: 'adapter_type', reason: 'it must be the name of a device' }];

const ofOptions = (options: string): HostUse[] => {
  const found = firstRefused(options);
  return found === null ? [] : [{ field: 'options', reason: `${found} is not among those that stay in the machine` }];
};

type Check = (value: string) => boolean;

/** `first,key=value,…` in which only these keys are; a doubled comma, which stands for itself, is in none of them. */
const keyed =
  (...keys: string[]): Check =>
  (value) =>
    value.split(',').every((part, at) => {
      const [, key = '', given] = /^([\w.+-]+)(=[\w.:+-]*)?$/.exec(part) ?? [];
      return keys.includes(key) || (at === 0 && key !== '' && given === undefined);
    });
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value);
const like =
  (pattern: RegExp): Check =>
  (value) =>
    pattern.test(value);

const MACHINE = keyed(
  ...['type', 'accel', 'usb', 'vmport', 'smm', 'hpet', 'acpi', 'sata', 'smbus', 'i8042', 'nvdimm', 'graphics'],
  ...['gic-version', 'virtualization', 'secure', 'highmem', 'its', 'iommu', 'kernel_irqchip', 'kernel-irqchip'],
  ...['dump-guest-core', 'mem-merge', 'hmat', 'max-ram-below-4g', 'pit', 'x-oldscsi'],
);

const PLAIN_DEVICES = [
  'usb-tablet',
  'usb-mouse',
  'usb-kbd',
  'usb-hub',
  'usb-ehci',
  'qemu-xhci',
  'nec-usb-xhci',
  'piix3-usb-uhci',
  'ich9-usb-ehci1',
  'ich9-usb-uhci1',
  'virtio-rng-pci',
  'virtio-balloon-pci',
  'pci-bridge',
  'i6300esb',
  'ib700',
  'VGA',
  'virtio-vga',
  'qxl-vga',
  'cirrus-vga',
  'vmware-svga',
  'intel-iommu',
];

const DEVICE: Check = (value) => {
  const [device = '', ...rest] = value.split(',');
  return PLAIN_DEVICES.includes(device) && rest.every((part) => /^(id|bus|addr|chassis_nr)=[\w.:-]+$/.test(part));
};

/** Switches of QEMU whose values name nothing outside the machine; null: it has no value. Everything else is refused. */
const HARMLESS: Readonly<Record<string, Check | null>> = {
  accel: keyed('thread', 'tb-size', 'kernel-irqchip', 'split-wx', 'one-insn-per-tb'),
  boot: keyed('order', 'once', 'menu', 'strict', 'reboot-timeout', 'splash-time'),
  cpu: (value) => value.split(',').every((part) => /^[+-]?[\w.-]+(=[\w.:+-]*)?$/.test(part)),
  device: DEVICE,
  display: oneOf('none'),
  'enable-kvm': null,
  fw_cfg: like(/^name=opt\/[\w./-]+,string=(?:[^,]|,,)*$/),
  g: like(/^\d+x\d+(x\d+)?$/),
  icount: keyed('shift', 'align', 'sleep'),
  k: like(/^[a-z]{2}(-[a-z]{2})?$/),
  M: MACHINE,
  m: keyed('size', 'slots', 'maxmem'),
  machine: MACHINE,
  monitor: oneOf('none'),
  'no-acpi': null,
  'no-fd-bootchk': null,
  'no-hpet': null,
  'no-reboot': null,
  'no-shutdown': null,
  nodefaults: null,
  nographic: null,
  parallel: oneOf('none'),
  rtc: keyed('base', 'clock', 'driftfix'),
  serial: oneOf('none', 'null'),
  smbios: keyed(
    ...['type', 'manufacturer', 'product', 'version', 'serial', 'uuid', 'sku', 'family', 'asset', 'location'],
    ...['vendor', 'date', 'release', 'uefi'],
  ),
  smp: keyed('cpus', 'cores', 'threads', 'sockets', 'dies', 'clusters', 'maxcpus'),
  usb: null,
  usbdevice: oneOf('tablet', 'mouse', 'keyboard'),
  uuid: like(/^[0-9a-fA-F-]{36}$/),
  vga: oneOf('std', 'cirrus', 'vmware', 'qxl', 'virtio', 'none', 'tcx', 'cg3'),
  watchdog: oneOf('i6300esb', 'ib700'),
  'watchdog-action': oneOf('reset', 'shutdown', 'poweroff', 'pause', 'none'),
};

/** null: all of them are harmless. */
const firstRefused = (options: string): string | null => {
  let words: string[];
  try {
    // Values come later, word by word, and a comma in them stands for itself.
    words = splitWords(options, 'options').map(withPlainValues);
  } catch {
    return 'a quote without its end';
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const name = /^--?(?=[a-zA-Z])/.test(word) ? word.replace(/^--?/, '') : '';
    const check = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : undefined;
    if (check === undefined) return word;
    if (check !== null && !check(words[++at] ?? '')) return `${word} ${words[at] ?? ''}`.trim();
  }
  return null;
};
