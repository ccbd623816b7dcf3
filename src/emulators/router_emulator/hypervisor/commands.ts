import type { Command } from './hypervisor.ts';
import type { Settings } from '../schema.ts';

/** Commands of the hypervisor for a router, by step: cards need their router, interface cards their main board, NIOs their card. */

/** A port of a router, and the two UDP ports of its line to the fabric. */
export interface Nio {
  adapter_number: number;
  port_number: number;
  /** The emulator's. */
  port: number;
  fabricPort: number;
}

/** Creates the router and sets all but its cards. `vm`: its name there; `image`: absolute path. */
export const creation = (vm: string, settings: Settings, image: string): Command[] => [
  ['vm', 'create', vm, settings.id, settings.platform],
  ...hardware(vm, settings),
  ['vm', 'set_ios', vm, image],
  ['vm', 'set_ram', vm, settings.ram],
  ...given(settings.nvram, (nvram) => ['vm', 'set_nvram', vm, nvram]),
  ['vm', 'set_ram_mmap', vm, settings.mmap ? 1 : 0],
  ['vm', 'set_sparse_mem', vm, settings.sparsemem && settings.npe !== WITHOUT_SPARSE_MEMORY ? 1 : 0],
  ...given(settings.clockDivisor, (divisor) => ['vm', 'set_clock_divisor', vm, divisor]),
  ['vm', 'set_disk0', vm, settings.disks[0]],
  ['vm', 'set_disk1', vm, settings.disks[1]],
  ...beforeStart(vm, settings),
];

const given = <T>(value: T | null, command: (value: T) => Command): Command[] =>
  value === null ? [] : [command(value)];

/** The emulator crashes over an engine of this kind with sparse memory. */
const WITHOUT_SPARSE_MEMORY = 'npe-g2';

/** The one platform without a serial number of its chassis. */
const WITHOUT_SYSTEM_ID = 'c2691';

/** The chassis comes first: it brings the main board, and with it what the others set. */
const hardware = (vm: string, settings: Settings): Command[] => {
  const { platform, systemId } = settings;
  const module = (name: string, value: string | number): Command => [platform, name, vm, value];
  return [
    ...given(settings.chassis, (chassis) => module('set_chassis', chassis)),
    ...given(settings.npe, (npe) => module('set_npe', npe)),
    ...given(settings.midplane, (midplane) => module('set_midplane', midplane)),
    ...given(settings.mac, (mac) => module('set_mac_addr', mac)),
    ...(systemId === '' || platform === WITHOUT_SYSTEM_ID ? [] : [module('set_system_id', systemId)]),
    ...given(settings.iomem, (iomem) => module('set_iomem', iomem)),
    ...environment(vm, settings),
  ];
};

/** Sensors and power supplies, which can be changed at any time. */
export const environment = (vm: string, { platform, sensors, powerSupplies }: Settings): Command[] => [
  ...sensors.map((degrees, n): Command => [platform, 'set_temp_sensor', vm, n, degrees]),
  ...powerSupplies.map((on, n): Command => [platform, 'set_power_supply', vm, n, on]),
];

/** Commands for settings that the next start of the router reads. */
export const beforeStart = (vm: string, { execArea, idlepc }: Settings): Command[] => [
  ...(execArea > 0 ? [['vm', 'set_exec_area', vm, execArea] as const] : []),
  ['vm', 'set_idle_pc', vm, idlepc],
];

/** The processor has these only once the router was started. */
export const idling = (vm: string, { idlemax, idlesleep }: Settings): Command[] => [
  ['vm', 'set_idle_max', vm, 0, idlemax],
  ['vm', 'set_idle_sleep_time', vm, 0, idlesleep],
];

export const idlePcNow = (vm: string, { idlepc }: Settings): Command => ['vm', 'set_idle_pc_online', vm, 0, idlepc];

/** Slot to card, of the lines `0/0: GT96100-FE` that `vm slot_bindings` gives. */
export const boundCards = (info: readonly string[]): ReadonlyMap<number, string> =>
  new Map(
    info.flatMap((line) => {
      const [, slot, card] = /^(\d+)\/\d+: (\S+)$/.exec(line) ?? [];
      return slot === undefined || card === undefined ? [] : [[Number(slot), card] as const];
    }),
  );

/** Binds the cards; those that came with the chassis (`bound`) stay. */
export const cards = (vm: string, { slots, wics }: Settings, bound: ReadonlyMap<number, string>): Command[] => [
  ...slots.flatMap((card, slot) => (card === null ? [] : cardInSlot(vm, slot, card, bound.get(slot)))),
  // Interface cards sit in the main board: the place of the first is 16.
  ...wics.flatMap((card, n): Command[] =>
    card === null ? [] : [['vm', 'slot_add_binding', vm, 0, 16 * (n + 1), card]],
  ),
];

const cardInSlot = (vm: string, slot: number, card: string, bound: string | undefined): Command[] => {
  // Boards of the 1700 are never bound by hand; one of the two is no card at all there.
  if (card.startsWith('C1700-')) return [];
  const name = card.replace(/^C2600-MB-/, 'CISCO2600-MB-');
  if (bound === name) return [];
  const add: Command = ['vm', 'slot_add_binding', vm, slot, 0, name];
  return bound === undefined ? [add] : [['vm', 'slot_remove_binding', vm, slot, 0], add];
};

/** Creates the NIOs and binds them. Their names tell their ports, to a later server too. */
export const nios = (vm: string, all: readonly Nio[]): Command[] =>
  all.flatMap((nio): Command[] => [
    ['nio', 'create_udp', nioName(nio), nio.port, '127.0.0.1', nio.fabricPort],
    ['vm', 'slot_add_nio_binding', vm, nio.adapter_number, nio.port_number, nioName(nio)],
  ]);

const nioName = ({ adapter_number, port_number, port, fabricPort }: Nio): string =>
  `udp-${adapter_number}-${port_number}-${port}-${fabricPort}`;

/** NIOs of the names that `nio list` gives; others are not ours. */
export const niosOf = (names: readonly string[]): Nio[] =>
  names.flatMap((name) => {
    const [, adapter, at, port, fabricPort] = /^udp-(\d+)-(\d+)-(\d+)-(\d+)$/.exec(name) ?? [];
    if (adapter === undefined || at === undefined) return [];
    return [
      { adapter_number: Number(adapter), port_number: Number(at), port: Number(port), fabricPort: Number(fabricPort) },
    ];
  });

/** Name of the router in the hypervisor, which its console shows: letters, digits, `.`, `_` and `-` only. */
export const vmName = (name: string): string => name.replace(/[^\w.-]+/g, '_') || 'router';
