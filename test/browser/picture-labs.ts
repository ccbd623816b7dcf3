import { randomUUID } from 'node:crypto';

/** Labs that have what labs of other people have, as project files. */

const BOLD = 'font-family: TypeWriter;font-size: 10.0;font-weight: bold;fill: #000000;fill-opacity: 1.0;';
const ROUTER = { symbol: ':/symbols/router.svg', width: 66, height: 45 };
const SWITCH = { symbol: ':/symbols/ethernet_switch.svg', width: 72, height: 32 };
const PC = { symbol: ':/symbols/vpcs_guest.svg', width: 65, height: 59 };
const LARGE = { symbol: ':/symbols/cloud.svg', width: 159, height: 71 };

interface Look {
  symbol: string;
  width: number;
  height: number;
}
interface Made {
  name: string;
  x: number;
  y: number;
  look?: Look;
  z?: number;
  label?: object;
}
interface Joined {
  ends: readonly [number, number];
  /** Places of the names of the ports. */
  at?: readonly [readonly [number, number], readonly [number, number]];
  style?: object;
}
interface Drawn {
  svg: string;
  x: number;
  y: number;
  z?: number;
  rotation?: number;
}
interface Lab {
  name: string;
  nodes: readonly Made[];
  links?: readonly Joined[];
  drawings?: readonly Drawn[];
  withPorts?: boolean;
}

/** Every node is a hub or switch with many ports, so that each can have every link. */
const fileOf = ({ name, nodes, links = [], drawings = [], withPorts = false }: Lab): string => {
  const ids = nodes.map(() => randomUUID());
  const used = nodes.map(() => 0);
  const endOf = (index: number, place: readonly [number, number] | undefined): object => {
    const port_number = used[index] ?? 0;
    used[index] = port_number + 1;
    const at = place === undefined ? {} : { x: place[0], y: place[1], rotation: 0 };
    return {
      node_id: ids[index],
      adapter_number: 0,
      port_number,
      label: { text: `e${port_number}`, style: BOLD, ...at },
    };
  };
  const topology = {
    computes: [],
    nodes: nodes.map(({ look = SWITCH, label, ...node }, index) => ({
      ...{ node_id: ids[index], compute_id: 'local', node_type: 'ethernet_switch', console: null, z: 1 },
      ...{ console_type: 'none', properties: { ports_mapping: PORTS } },
      ...look,
      ...node,
      label: { text: node.name, style: BOLD, x: 5, y: -25, rotation: 0, ...label },
    })),
    links: links.map(({ ends, at, style = {} }) => ({
      link_id: randomUUID(),
      nodes: ends.map((index, side) => endOf(index, at?.[side])),
      link_style: style,
    })),
    drawings: drawings.map((drawing) => ({ drawing_id: randomUUID(), z: 2, rotation: 0, locked: false, ...drawing })),
  };
  return JSON.stringify({
    ...{ project_id: randomUUID(), name, type: 'topology', revision: 9, version: '2.2.54' },
    ...{ show_interface_labels: withPorts, topology },
  });
};

const PORTS = Array.from({ length: 16 }, (_, i) => ({
  name: `Ethernet${i}`,
  port_number: i,
  type: 'access',
  vlan: 1,
}));

const text = (content: string, more = '', width = 126, height = 25): string =>
  `<svg width="${width}" height="${height}"><text font-family="TypeWriter" font-size="10.0" font-weight="bold" fill="#000000" fill-opacity="1.0"${more}>${content}</text></svg>`;
const rect = (width: number, height: number, paint: string): string =>
  `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" ${paint}/></svg>`;
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8Dwn4GBgYGJgYGBAQASEwH/RHdXbwAAAABJRU5ErkJggg==';

const ring = (count: number, radius: number, look: Look): Made[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `n${i + 1}`,
    x: Math.round(radius * Math.cos((2 * Math.PI * i) / count)),
    y: Math.round(radius * Math.sin((2 * Math.PI * i) / count)),
    look,
  }));
const around = (count: number): Joined[] =>
  Array.from({ length: count }, (_, i) => ({ ends: [i, (i + 1) % count] as const }));

/** Name, and the text of the file. */
export const pictureLabs = (): (readonly [string, string])[] => LABS.map((lab) => [lab.name, fileOf(lab)] as const);

const LABS: readonly Lab[] = [
  {
    name: 'campus',
    nodes: [...ring(12, 300, ROUTER), { name: 'internet', x: 0, y: 0, look: LARGE, label: { x: null, y: -25 } }],
    links: [...around(12), { ends: [0, 12] }, { ends: [6, 12] }],
    drawings: [0, 1, 2, 3, 4].map((i) => ({ svg: text(`192.168.10.${4 * i}/30`), x: -280 + 130 * i, y: 110 - 40 * i })),
  },
  {
    name: 'ports at their places',
    withPorts: true,
    nodes: [
      { name: 'R1', x: -452, y: -193, look: ROUTER, label: { x: 17 } },
      { name: 'R2', x: -194, y: -193, look: ROUTER, label: { x: 17 } },
      { name: 'SW', x: -320, y: -20, look: SWITCH, label: { x: 20, y: 35 } },
    ],
    links: [
      {
        ends: [0, 1],
        at: [
          [73, 22],
          [-30, 22],
        ],
      },
      {
        ends: [0, 2],
        at: [
          [69, 50],
          [6, -20],
        ],
      },
      {
        ends: [1, 2],
        at: [
          [-10, 50],
          [69, -20],
        ],
      },
    ],
  },
  {
    name: 'ports without places',
    withPorts: true,
    nodes: [
      { name: 'SW1', x: 0, y: 0, label: { style: null, x: null, y: -26 } },
      { name: 'SW2', x: 300, y: 0, label: { style: null, x: null, y: -26 } },
      { name: 'PC1', x: 0, y: 150, look: PC, label: { style: null, x: null, y: -40 } },
      { name: 'PC2', x: 160, y: 150, look: PC, label: { style: null, x: null, y: -40 } },
    ],
    links: [{ ends: [0, 1] }, { ends: [0, 1] }, { ends: [0, 2] }, { ends: [0, 3] }],
    drawings: [{ svg: rect(100, 50, 'fill="#ffffff"'), x: 120, y: -120, z: 1 }],
  },
  {
    name: 'texts of several lines',
    nodes: [
      { name: 'SW1', x: -780, y: -330, label: { x: 11 } },
      { name: 'SW2', x: -405, y: -330, label: { x: 11 } },
    ],
    links: [{ ends: [0, 1] }],
    drawings: [
      {
        svg: text('Vlan 10 PC1, PC3 | 192.168.1.0/24 \nVlan 20 PC2, PC3\nG0/3 trunk port', '', 235, 56),
        x: -667,
        y: -428,
      },
      { svg: text('168.1.1', '', 56, 24), x: -853, y: -137 },
    ],
  },
  {
    name: 'links with styles',
    nodes: ring(6, 220, PC),
    links: [1, 2, 3, 4, 5].map((type) => ({
      ends: [type - 1, type] as const,
      style: { color: ['#ff0000', '#00aa00', '#0000ff', '#aa00aa', '#000000'][type - 1], width: type + 1, type },
    })),
  },
  {
    name: 'turned and layered',
    nodes: [
      { name: 'above', x: 0, y: 0, look: PC, z: 3, label: { x: 70, y: 10, rotation: 45 } },
      { name: 'below', x: 200, y: 0, look: PC, z: 1, label: { rotation: -30, x: 0, y: 90 } },
    ],
    links: [{ ends: [0, 1] }],
    drawings: [
      { svg: rect(120, 60, 'fill="#ffd54f" stroke="#e65100" stroke-width="3"'), x: 20, y: 20, z: 2, rotation: 20 },
      { svg: rect(320, 160, 'fill="#e3f2fd" stroke="#1565c0" stroke-dasharray="8 4"'), x: -30, y: -60, z: 0 },
      { svg: text('turned', '', 60, 25), x: 150, y: 150, rotation: -90 },
      { svg: rect(90, 90, 'fill="#c62828" fill-opacity="0.4"'), x: 190, y: -10, z: 4 },
    ],
  },
  {
    name: 'shapes and a picture',
    nodes: [
      {
        name: 'one',
        x: 0,
        y: 0,
        look: LARGE,
        label: { style: 'font-family: Courier New;font-size: 18;fill: #1b5e20', x: 0, y: 80 },
      },
    ],
    drawings: [
      {
        svg: '<svg width="200" height="100"><ellipse cx="100" cy="50" rx="99" ry="49" fill="#fff3e0" stroke="#bf360c" stroke-width="2"/></svg>',
        ...{ x: -60, y: -140, z: 0 },
      },
      {
        svg: '<svg width="200" height="50"><line x1="0" y1="0" x2="200" y2="50" stroke="#000000" stroke-width="4"/></svg>',
        x: 180,
        y: -100,
      },
      {
        svg: `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><image width="96" height="96" xlink:href="${PNG}"/></svg>`,
        ...{ x: 220, y: 0, z: 1 },
      },
      {
        svg: '<svg width="80" height="80"><defs><linearGradient id="g"><stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient></defs><rect width="80" height="80" fill="url(#g)"/></svg>',
        x: 360,
        y: 0,
      },
    ],
  },
  {
    name: 'sizes',
    nodes: [
      { name: 'small', x: 0, y: 0, look: { ...PC, width: 30, height: 30 }, label: { x: null, y: 32 } },
      { name: 'wide', x: 100, y: 0, look: { ...PC, width: 200, height: 40 }, label: { x: null } },
      { name: 'high', x: 350, y: -60, look: { ...PC, width: 40, height: 160 }, label: { x: null } },
      { name: 'huge', x: 450, y: -80, look: { ...PC, width: 220, height: 220 }, label: { x: null, y: 230 } },
    ],
    links: [{ ends: [0, 1] }, { ends: [1, 2] }, { ends: [2, 3] }],
  },
];
