/** Parts of an emulated platform: slots, the cards that fit in them, and its defaults. */
export interface Platform {
  /** Variants; empty when there is only one. The first is the default. */
  chassis: readonly string[];
  /** Cards that fit in a slot, by slot; a `board` is there even when none is given. */
  slots(chassis: string): readonly Slot[];
  wics: { count: number; cards: readonly string[] };
  /** Chassis whose ports are named without a slot: `FastEthernet0`. */
  flatNames?: readonly string[];
  /** Settings that only this platform has, or has other defaults for. */
  defaults: Readonly<Record<string, unknown>>;
  /** Memory that routers have at the existing server where a controller says nothing of it. */
  existing: Memory;
}

/** Megabytes, but for NVRAM, which has kilobytes. */
interface Memory {
  ram: number;
  nvram: number;
  disk0: number;
}

interface Slot {
  cards: readonly string[];
  board?: string;
}

const slots = (count: number, cards: readonly string[]): Slot[] => Array.from({ length: count }, () => ({ cards }));
const board = (card: string, others: readonly string[] = []): Slot => ({ cards: [card, ...others], board: card });

const SERIAL_WICS = ['WIC-1T', 'WIC-2T'];
const NM_C2600 = ['NM-1E', 'NM-4E', 'NM-1FE-TX', 'NM-16ESW'];
const NM_C3600 = ['NM-1E', 'NM-4E', 'NM-1FE-TX', 'NM-16ESW', 'NM-4T'];
const NM_C3700 = ['NM-1FE-TX', 'NM-4T', 'NM-16ESW'];
const IO_C7200 = ['C7200-IO-FE', 'C7200-IO-2FE', 'C7200-IO-GE-E'];
const PA_C7200 = ['PA-FE-TX', 'PA-2FE-TX', 'PA-4E', 'PA-8E', 'PA-GE', 'PA-4T+', 'PA-8T', 'PA-A1', 'PA-POS-OC3'];

const BOARD_C2600: Readonly<Record<string, string>> = {
  '2610': 'C2600-MB-1E',
  '2611': 'C2600-MB-2E',
  '2620': 'C2600-MB-1FE',
  '2621': 'C2600-MB-2FE',
  '2610XM': 'C2600-MB-1FE',
  '2611XM': 'C2600-MB-2FE',
  '2620XM': 'C2600-MB-1FE',
  '2621XM': 'C2600-MB-2FE',
  '2650XM': 'C2600-MB-1FE',
  '2651XM': 'C2600-MB-2FE',
};
const BOARDS_C2600 = [...new Set(Object.values(BOARD_C2600))];

/** The 2691 and its like: two Fast Ethernet ports on the board, network modules, three interface cards. */
const c3700 = (modules: number, ram: number, existing: Memory): Platform => ({
  chassis: [],
  slots: () => [board('GT96100-FE'), ...slots(modules, NM_C3700)],
  wics: { count: 3, cards: SERIAL_WICS },
  defaults: { ram, nvram: 256, iomem: 5, clock_divisor: 8 },
  existing,
});

export const PLATFORMS: Readonly<Record<string, Platform>> = {
  c1700: {
    chassis: ['1720', '1721', '1750', '1751', '1760'],
    slots: (chassis) => [
      board('C1700-MB-1FE'),
      ...(chassis === '1751' || chassis === '1760' ? [board('C1700-MB-WIC1')] : []),
    ],
    wics: { count: 2, cards: [...SERIAL_WICS, 'WIC-1ENET'] },
    flatNames: ['1720', '1721', '1750'],
    defaults: { ram: 160, nvram: 128, iomem: 15, clock_divisor: 8 },
    existing: { ram: 64, nvram: 32, disk0: 0 },
  },
  c2600: {
    chassis: Object.keys(BOARD_C2600).sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    slots: (chassis) => [board(BOARD_C2600[chassis] ?? 'C2600-MB-1E', BOARDS_C2600), ...slots(1, NM_C2600)],
    wics: { count: 3, cards: SERIAL_WICS },
    defaults: { ram: 160, nvram: 128, iomem: 15, clock_divisor: 8 },
    existing: { ram: 64, nvram: 128, disk0: 0 },
  },
  c2691: c3700(1, 192, { ram: 128, nvram: 112, disk0: 16 }),
  c3600: {
    chassis: ['3640', '3620', '3660'],
    slots: (chassis) => {
      if (chassis === '3660') return [board('Leopard-2FE'), ...slots(6, NM_C3600)];
      return slots(chassis === '3620' ? 2 : 4, NM_C3600);
    },
    wics: { count: 0, cards: [] },
    defaults: { ram: 192, nvram: 128, iomem: 5, clock_divisor: 4 },
    existing: { ram: 128, nvram: 128, disk0: 0 },
  },
  c3725: c3700(2, 128, { ram: 128, nvram: 112, disk0: 16 }),
  c3745: c3700(4, 256, { ram: 128, nvram: 304, disk0: 16 }),
  c7200: {
    chassis: [],
    slots: () => [board('C7200-IO-FE', IO_C7200), ...slots(6, PA_C7200)],
    wics: { count: 0, cards: [] },
    defaults: {
      ram: 512,
      nvram: 512,
      clock_divisor: 4,
      npe: 'npe-400',
      midplane: 'vxr',
      sensors: [22, 22, 22, 22],
      power_supplies: [1, 1],
    },
    existing: { ram: 256, nvram: 128, disk0: 64 },
  },
};

/** Cards of the emulated routers: what their ports are called, and how many they have. */
export interface Card {
  type: 'Ethernet' | 'FastEthernet' | 'GigabitEthernet' | 'Serial' | 'ATM' | 'POS';
  ports: number;
}

const card = (type: Card['type'], ports: number): Card => ({ type, ports });

/** Cards of the slots. */
export const ADAPTERS: Readonly<Record<string, Card>> = {
  'C1700-MB-1FE': card('FastEthernet', 1),
  'C1700-MB-WIC1': card('Ethernet', 0),
  'C2600-MB-1E': card('Ethernet', 1),
  'C2600-MB-2E': card('Ethernet', 2),
  'C2600-MB-1FE': card('FastEthernet', 1),
  'C2600-MB-2FE': card('FastEthernet', 2),
  'GT96100-FE': card('FastEthernet', 2),
  'Leopard-2FE': card('FastEthernet', 2),
  'NM-1E': card('Ethernet', 1),
  'NM-4E': card('Ethernet', 4),
  'NM-1FE-TX': card('FastEthernet', 1),
  'NM-16ESW': card('FastEthernet', 16),
  'NM-4T': card('Serial', 4),
  'C7200-IO-FE': card('FastEthernet', 1),
  'C7200-IO-2FE': card('FastEthernet', 2),
  'C7200-IO-GE-E': card('GigabitEthernet', 1),
  'PA-FE-TX': card('FastEthernet', 1),
  'PA-2FE-TX': card('FastEthernet', 2),
  'PA-4E': card('Ethernet', 4),
  'PA-8E': card('Ethernet', 8),
  'PA-GE': card('GigabitEthernet', 1),
  'PA-4T+': card('Serial', 4),
  'PA-8T': card('Serial', 8),
  'PA-A1': card('ATM', 1),
  'PA-POS-OC3': card('POS', 1),
};

/** Interface cards, which sit in the main board. */
export const WICS: Readonly<Record<string, Card>> = {
  'WIC-1T': card('Serial', 1),
  'WIC-2T': card('Serial', 2),
  'WIC-1ENET': card('Ethernet', 1),
};
