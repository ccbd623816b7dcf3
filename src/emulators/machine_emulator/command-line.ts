import { conflict } from '../../common/errors.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { freeConsolePort } from '../shared/fabric-connection.ts';
import { splitWords } from '../shared/process/shell-words.ts';
import { ADAPTER } from './host-uses.ts';
import type { Accelerator } from './machine/accelerator.ts';
import type { Sockets } from './machine/sockets.ts';
import { type Disk, DISKS, type Settings } from './schema.ts';

type ConsoleSpec =
  | { type: 'serial' }
  | { type: 'vnc'; host: string; port: number }
  | { type: 'spice'; host: string; port: number; agent: boolean }
  | { type: 'none' };

/** Contents of a command line. Paths are absolute. */
export interface MachinePlan {
  name: string;
  /** The node's id: the machine's UUID. */
  uuid: string;
  settings: Settings;
  /** null: the options say it. */
  accelerator: Accelerator | null;
  disks: readonly DiskFile[];
  /** Images that are used as they are; null: none. */
  cdrom: { path: string; format: string } | null;
  bios: string | null;
  kernel: string | null;
  initrd: string | null;
  nics: readonly Nic[];
  console: ConsoleSpec;
  /** Unix sockets that QEMU listens at. */
  sockets: Pick<Sockets, 'monitor' | 'serial'>;
  /** File of a saved state, relative to the working directory; null: the machine boots. */
  saved: string | null;
}

/** Arguments of QEMU 7.2 or newer. Everything that runs is halted at first (`-S`) until its NICs and console are attached. */
export const qemuArguments = (plan: MachinePlan): string[] => [
  ...['-name', `guest=${escaped(plan.name)}`, '-uuid', plan.uuid],
  ...['-no-user-config', '-display', 'none', '-monitor', 'none', '-S'],
  ...processorArguments(plan),
  ...bootArguments(plan),
  ...disksArguments(plan.disks),
  ...cdromArguments(plan),
  ...['-qmp', `unix:${escaped(plan.sockets.monitor)},server=on,wait=off`],
  ...consoleArguments(plan),
  ...nicArguments(plan.nics, {
    legacy: plan.settings.legacyNetworking,
    bootRoms: plan.settings.bootPriority.includes('n'),
  }),
  ...(plan.saved === null ? [] : ['-incoming', `exec:cat <${plan.saved}`]),
  ...extraOptions(plan.settings),
];

/** Escapes commas: in QEMU's options a doubled comma stands for one. */
export const escaped = (value: string): string => value.replaceAll(',', ',,');

/** Platforms whose QEMU has no machine of its own choice. */
const NEED_MACHINE = new Set(['aarch64', 'arm']);

const processorArguments = ({ settings, accelerator }: MachinePlan): string[] => {
  const { platform, ram, cpus, options } = settings;
  const named = /(^|\s)--?(M|machine)(\s|$)/.test(options);
  return [
    ...(NEED_MACHINE.has(platform) && !named ? ['-machine', 'virt'] : []),
    ...(accelerator === null ? [] : ['-accel', accelerator]),
    ...(ram === 0 ? [] : ['-m', `${ram}M`]),
    ...['-smp', `cpus=${cpus}`],
  ];
};

const bootArguments = ({ settings, bios, kernel, initrd }: MachinePlan): string[] => [
  ...['-boot', `order=${settings.bootPriority}`],
  ...(bios === null ? [] : ['-bios', bios]),
  ...(kernel === null ? [] : ['-kernel', kernel]),
  ...(initrd === null ? [] : ['-initrd', initrd]),
  // QEMU takes a command line only for a kernel that it loads itself.
  ...(kernel === null || settings.kernelCommandLine === '' ? [] : ['-append', settings.kernelCommandLine]),
];

const cdromArguments = ({ cdrom, disks }: MachinePlan): string[] => {
  if (cdrom === null) return [];
  const index = ideIndexFor(disks);
  if (index === null)
    throw conflict('cdrom_image has no place: four disks take all of the IDE bus; give one of them another interface', {
      field: 'cdrom_image',
    });
  return ['-drive', `file=${escaped(cdrom.path)},format=${cdrom.format},if=ide,index=${index},media=cdrom,id=cdrom`];
};

const consoleArguments = ({ console, sockets }: MachinePlan): string[] => {
  switch (console.type) {
    case 'serial':
      return [
        ...['-chardev', `socket,id=serial0,path=${escaped(sockets.serial)},server=on,wait=off`],
        ...['-serial', 'chardev:serial0'],
      ];
    case 'vnc':
      return ['-vnc', `${bracketed(console.host)}:${console.port - VNC_BASE}`];
    case 'spice':
      return [
        ...['-spice', `addr=${console.host},port=${console.port},disable-ticketing=on`],
        ...['-vga', 'qxl'],
        ...(console.agent ? SPICE_AGENT : []),
      ];
    case 'none':
      return [];
  }
};

/** RFC 6143: display n is TCP port 5900 + n. */
const VNC_BASE = 5900;

/** The channel by which the agent inside the guest shares clipboard and resolution. */
const SPICE_AGENT = [
  ...['-device', 'virtio-serial'],
  ...['-chardev', 'spicevmc,id=vdagent,name=vdagent'],
  ...['-device', 'virtserialport,chardev=vdagent,name=com.redhat.spice.0'],
];

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Options by which the server would lose control of the machine. */
const FORBIDDEN = /^--?(daemonize|incoming)$/;

const extraOptions = ({ options }: Settings): string[] => {
  const words = splitWords(options, 'options');
  const forbidden = words.find((word) => FORBIDDEN.test(word));
  if (forbidden !== undefined)
    throw conflict(`options must not have ${forbidden}: Topolog controls the machine itself`, { field: 'options' });
  return words;
};

/** A disk as QEMU is to open it. */
export interface DiskFile {
  disk: Disk;
  /** A key of `INTERFACES`. */
  interface: string;
  /** Absolute. */
  path: string;
  format: string;
}

const indexOf = (disk: Disk): number => DISKS.indexOf(disk);

/** A drive that the machine's own bus takes. */
const onBoard =
  (bus: string) =>
  ({ disk, path, format }: DiskFile, index: number): string[] => [
    '-drive',
    `file=${escaped(path)},format=${format},if=${bus},index=${index},media=disk,id=${disk}`,
  ];

/** A drive for a device of ours. */
const drive = ({ disk, path, format }: DiskFile): string[] => [
  '-drive',
  `file=${escaped(path)},format=${format},if=none,media=disk,id=${disk}`,
];

/** Interfaces: where QEMU's machines have no such bus by themselves, with a controller for each disk. */
const INTERFACES: Readonly<Record<string, (file: DiskFile, index: number) => string[]>> = {
  ide: onBoard('ide'),
  sd: onBoard('sd'),
  mtd: onBoard('mtd'),
  floppy: onBoard('floppy'),
  pflash: onBoard('pflash'),
  virtio: onBoard('virtio'),
  scsi: (file) => [
    ...drive(file),
    ...['-device', `virtio-scsi-pci,id=scsi-${file.disk}`],
    ...['-device', `scsi-hd,bus=scsi-${file.disk}.0,drive=${file.disk}`],
  ],
  sata: (file) => [
    ...drive(file),
    ...['-device', `ahci,id=ahci-${file.disk}`],
    ...['-device', `ide-hd,bus=ahci-${file.disk}.0,drive=${file.disk}`],
  ],
  nvme: (file) => [...drive(file), ...['-device', `nvme,drive=${file.disk},serial=${file.disk}`]],
  usb: (file) => [
    ...drive(file),
    ...['-device', `qemu-xhci,id=usb-${file.disk}`],
    ...['-device', `usb-storage,bus=usb-${file.disk}.0,drive=${file.disk}`],
  ],
  /** The user attaches it by a `-device` among the options. */
  none: drive,
};

/** Throws a conflict that lists the interfaces there are. */
const disksArguments = (files: readonly DiskFile[]): string[] =>
  files.flatMap((file, at) => {
    const make = INTERFACES[file.interface];
    if (make === undefined) throw unknown(file);
    // On the IDE bus each disk has its place by its letter; elsewhere they follow one another.
    const before = files.slice(0, at).filter((other) => other.interface === file.interface).length;
    return make(file, file.interface === 'ide' ? indexOf(file.disk) : before);
  });

const unknown = (file: DiskFile): Error => {
  const field = `${file.disk}_disk_interface`;
  const possible = Object.keys(INTERFACES).join(', ');
  return conflict(`${field} ${file.interface} is not known; possible: ${possible}`, { field });
};

/** Free place of a CD-ROM on the IDE bus, its usual one first; null when four disks are there. */
const ideIndexFor = (disks: readonly DiskFile[]): number | null => {
  const taken = new Set(disks.filter((disk) => disk.interface === 'ide').map(({ disk }) => indexOf(disk)));
  return [2, 3, 1, 0].find((index) => !taken.has(index)) ?? null;
};

/** A network adapter. */
export interface Nic {
  adapter: number;
  /** QEMU's device, e.g. `e1000`. */
  type: string;
  mac: string;
  /** Unix socket that QEMU listens at: each frame behind its length (`-netdev stream`). */
  socket: string;
}

interface NicOptions {
  /** `-net nic` instead of `-device`. */
  legacy: boolean;
  /** The first adapters can boot from the network. */
  bootRoms: boolean;
}

const nicName = (adapter: number): string => `nic${adapter}`;

/** Names by which `set_link` knows adapters. In the legacy syntax they have no name of their own: QEMU counts each model. */
export const linkNames = (nics: readonly Pick<Nic, 'adapter' | 'type'>[], legacy: boolean): Map<number, string> => {
  const counts = new Map<string, number>();
  return new Map(
    nics.map(({ adapter, type }) => {
      const count = counts.get(type) ?? 0;
      counts.set(type, count + 1);
      return [adapter, legacy ? `${type}.${count}` : nicName(adapter)];
    }),
  );
};

const netdevName = (adapter: number): string => `net${adapter}`;

/** QEMU listens and the fabric connects: a fabric that replaces another one can reconnect by itself, which QEMU 7.2 never does. */
const nicArguments = (nics: readonly Nic[], options: NicOptions): string[] => {
  const wrong = nics.find(({ type }) => !ADAPTER.test(type));
  if (wrong !== undefined)
    throw conflict(`adapter_type ${wrong.type} of adapter ${wrong.adapter} must be the name of a device`, {
      field: 'adapter_type',
    });
  if (nics.length === 0) return ['-nic', 'none'];
  return [
    ...(options.legacy ? [] : bridges(nics)),
    ...nics.flatMap((nic, index) => [
      '-netdev',
      `stream,id=${netdevName(nic.adapter)},server=on,addr.type=unix,addr.path=${escaped(nic.socket)}`,
      ...(options.legacy ? legacyNic(nic) : device(nic, index, options)),
    ]),
  ];
};

const legacyNic = ({ adapter, type, mac }: Nic): string[] => [
  '-net',
  `nic,netdev=${netdevName(adapter)},model=${type},macaddr=${mac}`,
];

const device = ({ adapter, type, mac }: Nic, index: number, { bootRoms }: NicOptions): string[] => {
  const place = PCI.test(type) ? `${slot(index)}${bootRoms && index < WITH_ROM ? '' : ',romfile='}` : '';
  return ['-device', `${type},id=${nicName(adapter)},netdev=${netdevName(adapter)},mac=${mac}${place}`];
};

/** Devices of the PCI bus; only they have a boot ROM, which not every installation of QEMU has. */
const PCI = /^(e1000.*|i82\w+|igb|ne2k_pci|pcnet|rocker|rtl8139|sungem|sunhme|tulip|vmxnet3|virtio-net-pci.*)$/;

/** Boot ROMs share 128 KB of the guest's memory, enough for this many. */
const WITH_ROM = 4;

/** The root bus has 32 slots, some of them taken by the machine, its disks and the bridges. */
const ON_ROOT = 12;
/** Slots 1 to 31 of a bridge, without the last. */
const ON_BRIDGE = 30;

const bridgeOf = (index: number): number => Math.floor((index - ON_ROOT) / ON_BRIDGE);

const bridges = (nics: readonly Nic[]): string[] => {
  const count =
    nics.filter(({ type }, index) => index >= ON_ROOT && PCI.test(type)).length === 0
      ? 0
      : bridgeOf(nics.length - 1) + 1;
  return Array.from({ length: count }, (_, n) => ['-device', `pci-bridge,id=bridge${n},chassis_nr=${n + 1}`]).flat();
};

const slot = (index: number): string => {
  if (index < ON_ROOT) return '';
  const address = ((index - ON_ROOT) % ON_BRIDGE) + 1;
  return `,bus=bridge${bridgeOf(index)},addr=0x${address.toString(16)}`;
};

/** The console that a start gives the machine. The fabric serves telnet; screens are served by QEMU itself. */
export const consoleFor = async (node: KindNode, context: EngineContext): Promise<ConsoleSpec> => {
  const { host } = context.consoles;
  switch (node.console_type) {
    case 'telnet':
      return { type: 'serial' };
    case 'vnc':
      return { type: 'vnc', host, port: await freeConsolePort(node, context, VNC_BASE) };
    case 'spice':
    case 'spice+agent':
      return { type: 'spice', host, port: await freeConsolePort(node, context), agent: node.console_type !== 'spice' };
    default:
      return { type: 'none' };
  }
};

/** The TCP port that a running machine serves its screen at, by its arguments; null when it has none. */
export const screenPort = (argv: readonly string[]): number | null => {
  const vnc = /:(\d+)$/.exec(after(argv, '-vnc'))?.[1];
  if (vnc !== undefined) return VNC_BASE + Number(vnc);
  const spice = /(?:^|,)port=(\d+)/.exec(after(argv, '-spice'))?.[1];
  return spice === undefined ? null : Number(spice);
};

/** The first, which is ours: options of the user come last. */
const after = (argv: readonly string[], option: string): string => {
  const at = argv.indexOf(option);
  return at < 0 ? '' : (argv[at + 1] ?? '');
};
