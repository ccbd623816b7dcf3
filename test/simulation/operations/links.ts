import { portsOf } from '../../../src/emulators/recorded-node.ts';
import type { NodeRecord, ProjectRecord } from '../../../src/projections/records.ts';
import type { Choice, Operation } from './operations.ts';
import { simulatedKinds } from '../processes.ts';
import type { World } from '../world.ts';

/** What clients do to links and at ports. */

export type Chooser = (choice: Choice, project: ProjectRecord) => Operation | null;

export const nodeOf = ({ records, world }: Choice, { project_id }: ProjectRecord): NodeRecord | undefined =>
  world.random.pick(records.ofProject('node', project_id));

export const pick = <T>(world: World, items: readonly T[]): T => items[world.random.below(items.length)] as T;

interface FreePort {
  node_id: string;
  adapter_number: number;
  port_number: number;
}

const KINDS = simulatedKinds();

const freePorts = ({ records }: Choice, { project_id }: ProjectRecord): FreePort[] =>
  records.ofProject('node', project_id).flatMap((node) => {
    const used = records.linksOf(node.node_id).flatMap(({ nodes }) => nodes);
    return portsOf(KINDS, node)
      .map(({ adapter_number, port_number }) => ({ node_id: node.node_id, adapter_number, port_number }))
      .filter((port) => !used.some((end) => end.node_id === port.node_id && end.port_number === port.port_number))
      .slice(0, 3);
  });

export const createLink: Chooser = (choice, project) => {
  const ports = freePorts(choice, project);
  const [a, b] = [pick(choice.world, ports), pick(choice.world, ports)];
  if (ports.length === 0 || a.node_id === b.node_id) return null;
  const nodes = [a, b];
  const { project_id } = project;
  return { what: 'create link', run: (c, by) => c.createLink(by, project_id, { nodes }), events: ['link.created'] };
};

export const updateLink: Chooser = ({ world, records }, { project_id }) => {
  const link = world.random.pick(records.ofProject('link', project_id));
  if (link === undefined) return null;
  const changes = pick(world, [
    { suspend: world.chance(0.5) },
    { filters: { frequency_drop: [1 + world.random.below(9)] } },
    { filters: { delay: [world.random.below(100), 0] } },
    { filters: {} },
  ]);
  const { link_id } = link;
  return {
    what: `update link ${JSON.stringify(changes)}`,
    run: (c, by) => c.updateLink(by, { project_id, link_id }, changes),
  };
};

export const deleteLink: Chooser = ({ world, records }, { project_id }) => {
  const link = world.random.pick(records.ofProject('link', project_id));
  if (link === undefined) return null;
  const { link_id } = link;
  return {
    what: `delete link ${link_id.slice(0, 8)}`,
    run: (c, by) => c.deleteLink(by, { project_id, link_id }),
    events: ['link.deleted'],
  };
};

export const linkCapture: Chooser = ({ world, records, name }, { project_id }) => {
  const link = world.random.pick(records.ofProject('link', project_id));
  if (link === undefined) return null;
  const { link_id, state } = link;
  if (state === 'capturing' && world.chance(0.5))
    return { what: 'stop capture', run: (c, by) => c.stopLinkCapture(by, { project_id, link_id }) };
  const given = { capture_file_name: `${name()}.pcap` };
  return { what: 'start capture', run: (c, by) => c.startLinkCapture(by, { project_id, link_id }, given) };
};

export const nodeCapture: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const { project_id, node_id } = node;
  const port = { adapter_number: 0, port_number: 0 };
  if (Object.keys(node.captures).length > 0)
    return { what: 'stop port capture', run: (c, by) => c.stopNodeCapture(by, { project_id, node_id, ...port }) };
  const given = { capture_file_name: `${choice.name()}.pcap` };
  return {
    what: 'start port capture',
    run: (c, by) => c.startNodeCapture(by, { project_id, node_id, ...port }, given),
  };
};

export const nio: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  const port = choice.world.random.pick(freePorts(choice, project).filter(({ node_id }) => node_id === node?.node_id));
  if (node === undefined) return null;
  const { project_id, node_id } = node;
  const [key] = Object.keys(node.nios);
  if (key !== undefined) {
    const [adapter_number = 0, port_number = 0] = key.split('/').map(Number);
    const at = { adapter_number, port_number };
    return {
      what: 'remove nio',
      run: (c, by) => c.removeNio(by, { project_id, node_id, ...at }),
      events: ['node.nio_removed'],
    };
  }
  if (port === undefined) return null;
  const lport = 20_000 + choice.world.random.below(9_000);
  const given = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport: lport + 1 };
  return {
    what: 'add nio',
    run: (c, by) => c.addNio(by, { project_id, ...port }, given),
    events: ['node.nio_added'],
  };
};
