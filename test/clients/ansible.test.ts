import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Bag } from '../api/api.ts';
import { bag, bags, named, reads, startClient, text } from './client.ts';
import { asLink, asNode, asProject } from './gns3fy-fields.ts';

/** The modules of Ansible's collection, as their roles and playbooks run them; each begins afresh, knows a project by its name, and is run twice. */
const client = await startClient({ accept: 'application/json' });
after(() => client.close());

const LAB = 'test_ansible';
interface Lab {
  path: string;
  project: Bag;
  nodes: Bag[];
  links: Bag[];
}

/** Every module reads the whole project first. null: there is none of that name. */
const readLab = async (): Promise<Lab | null> => {
  const projects = await client.list(200, 'GET /v2/projects');
  const found = projects.find(({ name }) => name === LAB);
  if (found === undefined) return null;
  const path = `/v2/projects/${text(found, 'project_id')}`;
  const project = asProject(await client.get(200, `GET ${path}`));
  const stats = await client.get(200, `GET ${path}/stats`);
  if (Number(stats['snapshots']) > 0) await client.list(200, `GET ${path}/snapshots`);
  const nodes = (await client.list(200, `GET ${path}/nodes`)).map(asNode);
  const links = (await client.list(200, `GET ${path}/links`)).map(asLink);
  return { path, project, nodes, links };
};
const lab = async (): Promise<Lab> => (await readLab()) ?? assert.fail(`there is no ${LAB}`);
const nodeAt = ({ path, nodes }: Lab, name: string): string => `${path}/nodes/${text(named(nodes, name), 'node_id')}`;

const NODES = [
  { name: 'pc-1', template: 'VPCS' },
  { name: 'pc-2', template: 'VPCS' },
  { name: 'sw-1', template: 'Ethernet switch' },
  { name: 'alpine-1', template: 'alpine' },
];
const LINKS = [
  ['pc-1', 'Ethernet0', 'sw-1', 'Ethernet0'],
  ['pc-2', 'Ethernet0', 'sw-1', 'Ethernet1'],
  ['alpine-1', 'eth0', 'sw-1', 'Ethernet2'],
] as const;

const createNode = async ({ path }: Lab, name: string, template: string): Promise<void> => {
  const { template_id } = named(await client.list(200, 'GET /v2/templates'), template);
  const place = { x: 0, y: 0, compute_id: 'local' };
  const { node_id } = asNode(await client.get(201, `POST ${path}/templates/${String(template_id)}`, place));
  asNode(await client.get(200, `PUT ${path}/nodes/${String(node_id)}`, { name, compute_id: 'local' }));
};

/** False where a port is used already, which the library sees in the links that it has read. */
const createLink = async (of: Lab, [a, portA, b, portB]: (typeof LINKS)[number]): Promise<boolean> => {
  const ends = [
    [a, portA],
    [b, portB],
  ].map(([name = '', port = '']) => {
    const node = named(of.nodes, name);
    const { adapter_number, port_number } = named(bags(node['ports']), port);
    return { node_id: node['node_id'], adapter_number, port_number, label: { text: port } };
  });
  const isUsed = (end: Bag): boolean =>
    of.links
      .flatMap(({ nodes }) => bags(nodes))
      .some((n) => ['node_id', 'adapter_number', 'port_number'].every((key) => n[key] === end[key]));
  if (ends.some(isUsed)) return false;
  await client.get(201, `POST ${of.path}/links`, { project_id: of.project['project_id'], nodes: ends });
  return true;
};

/** gns3_project with `state: present`. Answers whether it changed anything. */
const present = async (): Promise<boolean> => {
  const known = await readLab();
  if (known === null) asProject(await client.get(201, 'POST /v2/projects', { name: LAB }));
  let changed = known === null;
  for (const { name, template } of NODES) {
    if (known?.nodes.some((node) => node['name'] === name) === true) continue;
    await createNode(await lab(), name, template);
    changed = true;
  }
  for (const link of LINKS) {
    const { path } = await lab();
    if (known !== null) await client.send(201, `POST ${path}/open`);
    if (await createLink(await lab(), link)) changed = true;
  }
  return changed;
};

/** gns3_node_file and gns3_project_file: `missing` is what they look for in the message of a file that is not there. */
const putFile = async (where: string, data: string, missing: string): Promise<boolean> => {
  const answer = await fetch(`${client.url}${where}`);
  const found = await answer.text();
  if (answer.status !== 200) {
    const { message, status } = JSON.parse(found) as { message: string; status: number };
    assert.ok(`${status}: ${message}`.includes(missing), message);
  }
  if (answer.status === 200 && found === data) return false;
  await client.send(201, `POST ${where}`, data);
  return true;
};

describe('the collection of Ansible', () => {
  it('gathers facts: version, computes, images of every kind, ports', async () => {
    reads(await client.get(200, 'GET /v2/version'), { version: 'string', local: 'boolean' });
    for (const compute of await client.list(200, 'GET /v2/computes')) {
      const path = `/v2/computes/${text(compute, 'compute_id')}`;
      for (const kind of (compute['capabilities'] as { node_types: string[] }).node_types) {
        const answer = await fetch(`${client.url}${path}/${kind}/images`);
        const body: unknown = await answer.json();
        // Kinds without images, or whose service does not run, are left out.
        if (answer.status === 200) bags(body);
        else reads(bag(body), { status: 'integer', message: 'string' });
      }
      reads(await client.get(200, `GET ${path}/ports`), { console_ports: 'array', udp_ports: 'array' });
    }
  });

  it('makes a lab, and finds nothing to do the second time', async () => {
    const docker = { name: 'alpine', template_type: 'docker', compute_id: 'local', image: 'alpine:latest' };
    await client.get(201, 'POST /v2/templates', docker);
    assert.deepEqual([await present(), await present()], [true, false]);
    const { nodes, links } = await lab();
    assert.deepEqual(
      nodes.map((node) => node['name']),
      NODES.map(({ name }) => name),
    );
    assert.equal(links.length, LINKS.length);
  });

  it('starts all nodes, or one by one, and tells their consoles', async () => {
    const of = await lab();
    await client.send(204, `POST ${of.path}/nodes/stop`);
    await client.send(204, `POST ${of.path}/nodes/start`);
    await client.send(204, `POST ${of.path}/nodes/stop`);
    for (const node of (await lab()).nodes) {
      if (node['status'] === 'started') continue;
      const started = await client.get(200, `POST ${of.path}/nodes/${text(node, 'node_id')}/start`);
      assert.equal(asNode(started)['status'], 'started');
    }
    const inventory = (await lab()).nodes;
    assert.ok(inventory.every((node) => node['status'] === 'started'));
    const pcs = inventory.filter(({ node_type }) => node_type === 'vpcs');
    reads(pcs, { console: 'integer', console_type: 'string', name: 'string' });
  });

  it('stops, starts, suspends and reloads a node', async () => {
    const pc = nodeAt(await lab(), 'pc-1');
    for (const [action, status] of [
      ['stop', 'stopped'],
      ['start', 'started'],
      ['suspend', 'suspended'],
      ['reload', 'started'],
    ] as const) {
      await client.send(200, `POST ${pc}/${action}`);
      assert.equal(asNode(await client.get(200, `GET ${pc}`))['status'], status, action);
    }
  });

  it('writes files that are not there yet, leaves those that are, and empties them', async () => {
    const of = await lab();
    const inNode = `${nodeAt(of, 'alpine-1')}/files//etc/network/dummy_file`;
    const inProject = `${of.path}/files/README.txt`;
    for (const [where, missing] of [
      [inNode, 'not found'],
      [inProject, 'Not Found'],
    ] as const) {
      const data = '# Größe\nauto eth0\n';
      assert.deepEqual([await putFile(where, data, missing), await putFile(where, data, missing)], [true, false]);
      assert.equal((await client.send(200, `GET ${where}`)).text, data);
      assert.equal(await putFile(where, '', missing), true);
      assert.equal((await client.send(200, `GET ${where}`)).text, '');
    }
  });

  it('makes, restores and deletes a snapshot', async () => {
    const { path } = await lab();
    await client.send(204, `POST ${path}/nodes/stop`);
    const snapshots = (): Promise<Bag[]> => client.list(200, `GET ${path}/snapshots`);
    assert.deepEqual(await snapshots(), []);
    await client.get(201, `POST ${path}/snapshots`, { name: 'snap' });
    const one = `${path}/snapshots/${text(named(await snapshots(), 'snap'), 'snapshot_id')}`;
    await client.send(204, `DELETE ${nodeAt(await lab(), 'pc-2')}`);
    await client.send(201, `POST ${one}/restore`);
    const { nodes, links } = await lab();
    assert.deepEqual([nodes.length, links.length], [NODES.length, LINKS.length]);
    await client.send(204, `DELETE ${one}`);
    assert.deepEqual(await snapshots(), []);
  });

  it('closes, opens and deletes the lab', async () => {
    const { path } = await lab();
    await client.send(204, `POST ${path}/close`);
    const closed = await lab();
    assert.equal(closed.project['status'], 'closed');
    assert.equal(closed.nodes.length, NODES.length);
    await client.send(201, `POST ${path}/open`);
    await client.send(204, `POST ${path}/nodes/stop`);
    await client.send(204, `DELETE ${path}`);
    assert.equal(await readLab(), null);
  });
});
