import { conflict } from '../../common/errors.ts';
import type { Accelerator } from './machine/accelerator.ts';
import { type DiskFile, disksArguments, ideIndexFor } from './disks/arguments.ts';
import { type Nic, nicArguments } from './nic-arguments.ts';
import type { Settings } from './settings.ts';
import { splitWords } from '../shared/process/shell-words.ts';
import type { Sockets } from './machine/sockets.ts';

export type ConsoleWish =
  | { type: 'serial' }
  | { type: 'vnc'; host: string; port: number }
  | { type: 'spice'; host: string; port: number; agent: boolean }
  | { type: 'none' };

/** All that a command line is made of. Paths are absolute. */
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
  console: ConsoleWish;
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

/** In QEMU's options a comma stands for itself when it is doubled. */
const escaped = (value: string): string => value.replaceAll(',', ',,');

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
export const VNC_BASE = 5900;

/** The channel by which the agent inside the guest shares clipboard and resolution. */
const SPICE_AGENT = [
  ...['-device', 'virtio-serial'],
  ...['-chardev', 'spicevmc,id=vdagent,name=vdagent'],
  ...['-device', 'virtserialport,chardev=vdagent,name=com.redhat.spice.0'],
];

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Would take the machine out of our hands. */
const FORBIDDEN = /^--?(daemonize|incoming)$/;

const extraOptions = ({ options }: Settings): string[] => {
  const words = splitWords(options, 'options');
  const forbidden = words.find((word) => FORBIDDEN.test(word));
  if (forbidden !== undefined)
    throw conflict(`options must not have ${forbidden}: Topolog controls the machine itself`, { field: 'options' });
  return words;
};
