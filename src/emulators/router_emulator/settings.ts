import type { Properties } from '../kit/contract.ts';

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
  const text = (key: string): string | null => textOf(properties[key]);
  const number = (key: string): number | null => numberOf(properties[key]);
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
    sensors: numbersOf(properties['sensors']),
    powerSupplies: numbersOf(properties['power_supplies']),
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

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const numbersOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [];
