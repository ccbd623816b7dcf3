/** A lab of embedded nodes, as the runner makes it. */
export interface LabSpec {
  name: string;
  pcs: readonly PcSpec[];
  switches: readonly SwitchSpec[];
  /** Ends: `PC1` or `SW1:3`. */
  links: readonly (readonly [string, string])[];
  /** PCs that reach each other. */
  pairs: readonly (readonly [string, string])[];
}

export interface PcSpec {
  name: string;
  address: string;
}

export interface SwitchSpec {
  name: string;
  /** Absent: a hub. One for each port, `10` for an access port, `trunk` or `tunnel 20`. */
  ports?: readonly string[];
}

const pcs = (count: number, network = 0, first = 1): PcSpec[] =>
  Array.from({ length: count }, (_, n) => ({ name: `PC${first + n}`, address: `10.0.${network}.${first + n}` }));

const access = (count: number, vlan = 1): string[] => Array.from({ length: count }, () => String(vlan));

/** Ten labs, each with something that the others have not. */
export const LABS: readonly LabSpec[] = [
  { name: 'cable', pcs: pcs(2), switches: [], links: [['PC1', 'PC2']], pairs: [['PC1', 'PC2']] },
  {
    name: 'hub',
    pcs: pcs(3),
    switches: [{ name: 'HUB1' }],
    links: [
      ['PC1', 'HUB1:0'],
      ['PC2', 'HUB1:1'],
      ['PC3', 'HUB1:2'],
    ],
    pairs: [
      ['PC1', 'PC2'],
      ['PC2', 'PC3'],
    ],
  },
  {
    name: 'switch',
    pcs: pcs(4),
    switches: [{ name: 'SW1', ports: access(8) }],
    links: [
      ['PC1', 'SW1:0'],
      ['PC2', 'SW1:1'],
      ['PC3', 'SW1:2'],
      ['PC4', 'SW1:5'],
    ],
    pairs: [
      ['PC1', 'PC2'],
      ['PC3', 'PC4'],
      ['PC4', 'PC1'],
    ],
  },
  {
    name: 'vlans',
    pcs: [...pcs(2, 10), ...pcs(2, 20, 3)],
    switches: [
      { name: 'SW1', ports: ['trunk', '10', '20', '1'] },
      { name: 'SW2', ports: ['trunk', '10', '20', '1'] },
    ],
    links: [
      ['SW1:0', 'SW2:0'],
      ['PC1', 'SW1:1'],
      ['PC2', 'SW2:1'],
      ['PC3', 'SW1:2'],
      ['PC4', 'SW2:2'],
    ],
    pairs: [
      ['PC1', 'PC2'],
      ['PC3', 'PC4'],
    ],
  },
  {
    name: 'three switches',
    pcs: [...pcs(3, 10), ...pcs(2, 20, 4)],
    switches: [
      { name: 'SW1', ports: ['trunk', '10', '20', '1'] },
      { name: 'SW2', ports: ['trunk', 'trunk', '10', '1'] },
      { name: 'SW3', ports: ['trunk', '10', '20', '1'] },
    ],
    links: [
      ['SW1:0', 'SW2:0'],
      ['SW2:1', 'SW3:0'],
      ['PC1', 'SW1:1'],
      ['PC2', 'SW2:2'],
      ['PC3', 'SW3:1'],
      ['PC4', 'SW1:2'],
      ['PC5', 'SW3:2'],
    ],
    pairs: [
      ['PC1', 'PC3'],
      ['PC2', 'PC3'],
      ['PC4', 'PC5'],
    ],
  },
  {
    name: 'tunnel',
    pcs: pcs(4, 30),
    switches: [
      { name: 'CE1', ports: ['trunk', '30', '30', '1'] },
      { name: 'PE1', ports: ['tunnel 200', 'trunk', '1'] },
      { name: 'PE2', ports: ['tunnel 200', 'trunk', '1'] },
      { name: 'CE2', ports: ['trunk', '30', '30', '1'] },
    ],
    links: [
      ['CE1:0', 'PE1:0'],
      ['PE1:1', 'PE2:1'],
      ['PE2:0', 'CE2:0'],
      ['PC1', 'CE1:1'],
      ['PC2', 'CE2:1'],
      ['PC3', 'CE1:2'],
      ['PC4', 'CE2:2'],
    ],
    pairs: [
      ['PC1', 'PC2'],
      ['PC3', 'PC4'],
      ['PC4', 'PC1'],
    ],
  },
  {
    name: 'hub and switch',
    pcs: pcs(4),
    switches: [{ name: 'HUB1' }, { name: 'SW1', ports: access(4) }],
    links: [
      ['PC1', 'HUB1:0'],
      ['PC2', 'HUB1:1'],
      ['HUB1:7', 'SW1:0'],
      ['PC3', 'SW1:1'],
      ['PC4', 'SW1:2'],
    ],
    pairs: [
      ['PC1', 'PC3'],
      ['PC2', 'PC4'],
    ],
  },
  {
    name: 'tree',
    pcs: pcs(6),
    switches: [
      { name: 'CORE', ports: access(4) },
      { name: 'SW1', ports: access(4) },
      { name: 'SW2', ports: access(4) },
      { name: 'SW3', ports: access(4) },
    ],
    links: [
      ['CORE:0', 'SW1:0'],
      ['CORE:1', 'SW2:0'],
      ['CORE:2', 'SW3:0'],
      ['PC1', 'SW1:1'],
      ['PC2', 'SW1:2'],
      ['PC3', 'SW2:1'],
      ['PC4', 'SW2:2'],
      ['PC5', 'SW3:1'],
      ['PC6', 'SW3:2'],
    ],
    pairs: [
      ['PC1', 'PC3'],
      ['PC2', 'PC5'],
      ['PC4', 'PC6'],
    ],
  },
  {
    name: 'chain',
    pcs: pcs(3),
    switches: Array.from({ length: 6 }, (_, n) => ({ name: `SW${n + 1}`, ports: access(4) })),
    links: [
      ['PC1', 'SW1:2'],
      ['PC2', 'SW6:2'],
      ['PC3', 'SW3:2'],
      ...Array.from({ length: 5 }, (_, n) => [`SW${n + 1}:1`, `SW${n + 2}:0`] as const),
    ],
    pairs: [
      ['PC1', 'PC2'],
      ['PC3', 'PC2'],
    ],
  },
  {
    name: 'two networks',
    pcs: [...pcs(3), ...pcs(3, 9, 4)],
    switches: [
      { name: 'SW1', ports: access(6, 7) },
      { name: 'SW2', ports: [...access(3, 8), 'trunk', '1', '1'] },
      { name: 'SW3', ports: [...access(3, 8), 'trunk', '1', '1'] },
    ],
    links: [
      ['PC1', 'SW1:0'],
      ['PC2', 'SW1:1'],
      ['PC3', 'SW1:2'],
      ['PC4', 'SW2:0'],
      ['PC5', 'SW3:0'],
      ['PC6', 'SW3:1'],
      ['SW2:3', 'SW3:3'],
    ],
    pairs: [
      ['PC1', 'PC2'],
      ['PC4', 'PC5'],
      ['PC6', 'PC4'],
    ],
  },
];
