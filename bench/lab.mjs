// A lab to measure with: PCs on one switch, written as a project file.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Address of a PC by its number from 0: 10.0.x.y. */
export const addressOf = (n) => `10.0.${Math.floor(n / 250)}.${(n % 250) + 1}`;

/** Writes the project into `directory` and resolves with its file and ids. */
export const writeLab = async (directory, pcs) => {
  const project_id = randomUUID();
  const root = path.join(directory, project_id);
  const nodes = Array.from({ length: pcs }, (_, i) => ({
    node_id: randomUUID(),
    compute_id: 'local',
    node_type: 'vpcs',
    name: `PC${i + 1}`,
    console: null,
    console_type: 'telnet',
    properties: {},
    x: (i % 20) * 80,
    y: Math.floor(i / 20) * 80,
  }));
  const hub = {
    node_id: randomUUID(),
    compute_id: 'local',
    node_type: 'ethernet_switch',
    name: 'Switch1',
    console: null,
    console_type: 'none',
    properties: {
      ports_mapping: nodes.map((_, i) => ({ name: `Ethernet${i}`, port_number: i, type: 'access', vlan: 1 })),
    },
    x: 0,
    y: -100,
  };
  const links = nodes.map(({ node_id }, i) => ({
    link_id: randomUUID(),
    nodes: [
      { node_id, adapter_number: 0, port_number: 0 },
      { node_id: hub.node_id, adapter_number: 0, port_number: i },
    ],
  }));
  const project = {
    project_id,
    name: `bench-${project_id.slice(0, 8)}`,
    type: 'topology',
    revision: 9,
    version: '2.2.0',
    topology: { computes: [], nodes: [...nodes, hub], links, drawings: [] },
  };
  for (const [i, { node_id }] of nodes.entries()) {
    const place = path.join(root, 'project-files', 'vpcs', node_id);
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'startup.vpc'), `ip ${addressOf(i)}/16\n`);
  }
  const file = path.join(root, 'bench.gns3');
  await mkdir(root, { recursive: true });
  await writeFile(file, JSON.stringify(project));
  return { project_id, file, node_ids: nodes.map((n) => n.node_id), nodes: pcs + 1 };
};

const ACCESS_PORTS = 20;
const SWITCHES_IN_A_RING = 50;

/**
 * A lab as large ones are: 20 PCs on each switch in a VLAN of their own, rings of up to 50 switches, whose last link is suspended.
 * 1,000 PCs: 50 switches, 1,050 links. `at`: the compute of a switch by its number from 0, and of its PCs. `ring`: more switches than that
 * make several rings; VLANs are used again after 50.
 */
export const writeSwitchedLab = async (
  directory,
  pcs,
  { at = () => 'local', ring: size = SWITCHES_IN_A_RING } = {},
) => {
  const project_id = randomUUID();
  const root = path.join(directory, project_id);
  const place = (k) => ({ compute_id: at(k), console: null, x: 0, y: 0 });
  const nodes = Array.from({ length: pcs }, (_, i) => ({
    ...place(Math.floor(i / ACCESS_PORTS)),
    ...{ node_id: randomUUID(), node_type: 'vpcs', name: `PC${i + 1}`, console_type: 'telnet', properties: {} },
  }));
  const port = (vlan) => (_, p) => ({
    ...{ name: `Ethernet${p}`, port_number: p },
    ...(p < ACCESS_PORTS ? { type: 'access', vlan } : { type: 'dot1q', vlan: 1 }),
  });
  const switches = Array.from({ length: Math.ceil(pcs / ACCESS_PORTS) }, (_, k) => ({
    ...place(k),
    ...{ node_id: randomUUID(), node_type: 'ethernet_switch', name: `Switch${k + 1}`, console_type: 'none' },
    properties: { ports_mapping: Array.from({ length: ACCESS_PORTS + 2 }, port((k % SWITCHES_IN_A_RING) + 2)) },
  }));
  const end = ({ node_id }, port_number = 0) => ({ node_id, adapter_number: 0, port_number });
  const links = nodes.map((pc, i) => ({
    link_id: randomUUID(),
    nodes: [end(pc), end(switches[Math.floor(i / ACCESS_PORTS)], i % ACCESS_PORTS)],
  }));
  for (let first = 0; first < switches.length; first += size) {
    const ring = switches.slice(first, first + size);
    ring.forEach((of, k) => {
      const suspend = k === ring.length - 1;
      const next = ring[suspend ? 0 : k + 1];
      links.push({ link_id: randomUUID(), suspend, nodes: [end(of, ACCESS_PORTS), end(next, ACCESS_PORTS + 1)] });
    });
  }
  for (const [i, { node_id }] of nodes.entries()) {
    const files = path.join(root, 'project-files', 'vpcs', node_id);
    await mkdir(files, { recursive: true });
    await writeFile(path.join(files, 'startup.vpc'), `ip ${addressOf(i)}/8\n`);
  }
  const project = {
    ...{ project_id, name: `bench-${project_id.slice(0, 8)}`, type: 'topology', revision: 9, version: '2.2.0' },
    topology: { computes: [], nodes: [...nodes, ...switches], links, drawings: [] },
  };
  const file = path.join(root, 'bench.gns3');
  await writeFile(file, JSON.stringify(project));
  const node_ids = nodes.map((n) => n.node_id);
  return { project_id, file, node_ids, switch_ids: switches.map((n) => n.node_id), links };
};

const MESH_NODES = 1_000;
const MESH_SWITCHES = 50;
const LINKS_BETWEEN = 11;

/**
 * A lab to look at: 950 PCs around 50 switches, each of which has a link to the 11 behind it: 1,000 nodes and 1,500 links, in clusters, with a
 * frame around each. It is not to be started: so many circles would carry a frame endlessly.
 */
export const writeMeshedLab = async (
  directory,
  {
    nodes: size = MESH_NODES,
    switches: count = MESH_SWITCHES,
    between = LINKS_BETWEEN,
    name = 'a thousand nodes',
  } = {},
) => {
  const project_id = randomUUID();
  const root = path.join(directory, project_id);
  const around = size / count - 1;
  const node = (node_type, called, x, y, properties = {}) => {
    const console_type = node_type === 'vpcs' ? 'telnet' : 'none';
    return {
      node_id: randomUUID(),
      compute_id: 'local',
      console: null,
      console_type,
      node_type,
      name: called,
      x,
      y,
      properties,
    };
  };
  const port = (_, p) => ({ name: `Ethernet${p}`, port_number: p, type: 'access', vlan: 1 });
  const ports_mapping = Array.from({ length: around + 2 * between }, port);
  const centre = (k) => [(k % 10) * 600, Math.floor(k / 10) * 600];
  const switches = Array.from({ length: count }, (_, k) =>
    node('ethernet_switch', `Switch${k + 1}`, ...centre(k), { ports_mapping }),
  );
  const pcs = switches.flatMap(({ x, y }, k) =>
    Array.from({ length: around }, (_, i) => {
      const angle = (2 * Math.PI * i) / around;
      const at = [x + Math.round(230 * Math.cos(angle)), y + Math.round(230 * Math.sin(angle))];
      return node('vpcs', `PC${k * around + i + 1}`, ...at);
    }),
  );
  const end = ({ node_id }, port_number = 0) => ({ node_id, adapter_number: 0, port_number });
  const link = (a, b) => ({ link_id: randomUUID(), nodes: [a, b] });
  const links = [
    ...pcs.map((pc, i) => link(end(pc), end(switches[Math.floor(i / around)], i % around))),
    ...switches.flatMap((from, k) =>
      Array.from({ length: between }, (_, i) => {
        const to = switches[(k + i + 1) % count];
        return link(end(from, around + i), end(to, around + between + i));
      }),
    ),
  ];
  const drawings = switches.map(({ x, y }) => ({
    ...{ drawing_id: randomUUID(), x: x - 290, y: y - 290, z: 0, rotation: 0, locked: true },
    svg: '<svg width="580" height="580"><rect width="580" height="580" fill="none" stroke="#888"/></svg>',
  }));
  const project = {
    ...{ project_id, name, type: 'topology', revision: 9, version: '2.2.0' },
    topology: { computes: [], nodes: [...switches, ...pcs], links, drawings },
  };
  const file = path.join(root, 'mesh.gns3');
  await mkdir(root, { recursive: true });
  await writeFile(file, JSON.stringify(project));
  return { project_id, file, nodes: switches.length + pcs.length, links: links.length };
};
