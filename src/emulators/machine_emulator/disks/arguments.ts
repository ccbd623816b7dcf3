import { conflict } from '../../../common/errors.ts';
import { DISKS, type Disk } from '../settings.ts';

/** A disk as QEMU is to open it. */
export interface DiskFile {
  disk: Disk;
  /** Of `INTERFACES`. */
  interface: string;
  /** Absolute. */
  path: string;
  format: string;
}

const quote = (value: string): string => value.replaceAll(',', ',,');
const indexOf = (disk: Disk): number => DISKS.indexOf(disk);

/** A drive that the machine's own bus takes. */
const onBoard =
  (bus: string) =>
  ({ disk, path, format }: DiskFile, index: number): string[] => [
    '-drive',
    `file=${quote(path)},format=${format},if=${bus},index=${index},media=disk,id=${disk}`,
  ];

/** A drive for a device of ours. */
const drive = ({ disk, path, format }: DiskFile): string[] => [
  '-drive',
  `file=${quote(path)},format=${format},if=none,media=disk,id=${disk}`,
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
  /** For a `-device` among the options. */
  none: drive,
};

/** Throws a conflict that lists the interfaces there are. */
export const disksArguments = (files: readonly DiskFile[]): string[] =>
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

/** Where on the IDE bus a CD-ROM finds room, its usual place first; null when four disks are there. */
export const ideIndexFor = (disks: readonly DiskFile[]): number | null => {
  const taken = new Set(disks.filter((disk) => disk.interface === 'ide').map(({ disk }) => indexOf(disk)));
  return [2, 3, 1, 0].find((index) => !taken.has(index)) ?? null;
};
