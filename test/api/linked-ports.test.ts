import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { zipOf } from '../support/zip.ts';
import { freePorts } from '../support/free-port.ts';
import { type Api, type Bag, id, startApi } from './api.ts';

const NODES = 'POST /v2/projects/{project_id}/nodes';
const NODE = '/v2/projects/{project_id}/nodes/{node_id}';
const LINKS = '/v2/projects/{project_id}/links';

/** An interface that no machine has: the name is longer than one can be. */
const elsewhere = (port_number: number, type = 'ethernet'): Bag => ({
  ...{ name: `of its author ${port_number}`, port_number, type, interface: 'not-of-this-one0' },
});

describe('a cloud with ports at interfaces of another machine', () => {
  let api: Api;
  before(async () => (api = await startApi([])));
  after(() => api.close());

  /** A cloud with a UDP port 0 beside those, and a PC. */
  const lab = async (): Promise<{ project_id: string; cloud: string; pc: string }> => {
    const project_id = await api.project();
    const [lport = 0, rport = 0] = await freePorts(2);
    const udp = { name: 'udp', port_number: 0, type: 'udp', lport, rhost: '127.0.0.1', rport };
    const mapping = [udp, elsewhere(1), elsewhere(2, 'tap')];
    const make = async (name: string, node_type: string, more: Bag = {}): Promise<string> =>
      id(await api.get(201, NODES, { project_id }, { compute_id: 'local', name, node_type, ...more }));
    const cloud = await make('C', 'cloud', { properties: { ports_mapping: mapping } });
    return { project_id, cloud, pc: await make('PC1', 'vpcs') };
  };
  const statusOf = async (project_id: string, node_id: string): Promise<unknown> =>
    (await api.get(200, `GET ${NODE}`, { project_id, node_id }))['status'];
  const ends = (cloud: string, pc: string, port_number: number): Bag => ({
    nodes: [
      { node_id: cloud, adapter_number: 0, port_number },
      { node_id: pc, adapter_number: 0, port_number: 0 },
    ],
  });

  it('is started once it is made, and keeps no lab from starting, closing and opening', async () => {
    const { project_id, cloud, pc } = await lab();
    assert.equal(await statusOf(project_id, cloud), 'started');
    await api.get(204, 'POST /v2/projects/{project_id}/nodes/start', { project_id });
    assert.deepEqual([await statusOf(project_id, cloud), await statusOf(project_id, pc)], ['started', 'started']);
    await api.get(204, 'POST /v2/projects/{project_id}/nodes/stop', { project_id });
    await api.get(200, `POST ${NODE}/start`, { project_id, node_id: cloud });
    await api.get(204, 'POST /v2/projects/{project_id}/close', { project_id });
    await api.get(201, 'POST /v2/projects/{project_id}/open', { project_id });
    assert.equal(await statusOf(project_id, cloud), 'started');
  });

  it('takes links at the ports that it has, one at a time', async () => {
    const { project_id, cloud, pc } = await lab();
    const link = await api.get(201, `POST ${LINKS}`, { project_id }, ends(cloud, pc, 0));
    assert.equal(await statusOf(project_id, cloud), 'started');
    await api.get(204, `DELETE ${LINKS}/{link_id}`, { project_id, link_id: String(link['link_id']) });
    await api.get(201, `POST ${LINKS}`, { project_id }, ends(cloud, pc, 0));
    assert.equal(await statusOf(project_id, cloud), 'started');
  });

  for (const port of [1, 2])
    it(`refuses a link at port ${port} while it runs, says what is missing, and goes on`, async () => {
      const { project_id, cloud, pc } = await lab();
      const refused = await api.get(409, `POST ${LINKS}`, { project_id }, ends(cloud, pc, port));
      assert.match(String(refused['message']), /not-of-this-one0/);
      assert.deepEqual(await api.list(project_id, 'links'), []);
      assert.equal(await statusOf(project_id, cloud), 'started');
      const at = { project_id, node_id: cloud };
      await api.get(200, `PUT ${NODE}`, at, { properties: { ports_mapping: [elsewhere(0), elsewhere(1)] } });
      assert.equal(await statusOf(project_id, cloud), 'started');
    });

  it('takes such a link while it is stopped, and does not start then', async () => {
    const { project_id, cloud, pc } = await lab();
    await api.get(200, `POST ${NODE}/stop`, { project_id, node_id: cloud });
    await api.get(201, `POST ${LINKS}`, { project_id }, ends(cloud, pc, 1));
    const refused = await api.get(409, `POST ${NODE}/start`, { project_id, node_id: cloud });
    assert.match(String(refused['message']), /not-of-this-one0/);
    assert.equal(await statusOf(project_id, cloud), 'stopped');
  });

  it('refuses a NIO at such a port in the compute group, and has none then', async () => {
    const { project_id, cloud } = await lab();
    const at = { project_id, node_id: cloud, adapter_number: '0', port_number: '1' };
    const [lport = 0, rport = 0] = await freePorts(2);
    const nio = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport };
    const NIO =
      '/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio';
    await api.get(409, `POST ${NIO}`, at, nio);
    await api.get(201, `POST ${NIO}`, { ...at, port_number: '0' }, nio);
    await api.get(404, `DELETE ${NIO}`, at);
    assert.equal(await statusOf(project_id, cloud), 'started');
  });

  it('does not keep a lab of a file from starting where nothing is linked there', async () => {
    const common = { compute_id: 'local', x: 0, y: 0 };
    const cloud = { node_type: 'cloud', name: 'C', node_id: crypto.randomUUID(), properties: {} };
    const node = { ...common, ...cloud, properties: { ports_mapping: [elsewhere(0)] } };
    const topology = { nodes: [node], links: [], drawings: [], computes: [] };
    const text = { project_id: crypto.randomUUID(), name: 'lab', revision: 9, type: 'topology', version: '2.2.54' };
    const project_id = crypto.randomUUID();
    const body = zipOf([{ name: 'project.gns3', data: JSON.stringify({ ...text, topology }) }]);
    const answer = await fetch(`${api.url}/v2/projects/${project_id}/import`, { method: 'POST', body });
    assert.equal(answer.status, 201, await answer.text());
    await api.get(201, 'POST /v2/projects/{project_id}/open', { project_id });
    await api.get(204, 'POST /v2/projects/{project_id}/nodes/start', { project_id });
    const [found] = await api.list(project_id, 'nodes');
    assert.equal(found?.['status'], 'started');
  });
});

describe('a server that is not local', () => {
  it('starts a cloud whose port at an interface of the machine has no link, and refuses that link', async () => {
    const api = await startApi(['--no-local']);
    try {
      const node_id = crypto.randomUUID();
      const node = { compute_id: 'local', node_type: 'cloud', name: 'C', node_id };
      const nodes = [
        { ...node, properties: { ports_mapping: [{ name: 'lo', port_number: 0, type: 'ethernet', interface: 'lo' }] } },
        { ...node, node_type: 'vpcs', name: 'PC1', node_id: crypto.randomUUID(), properties: {} },
      ];
      const topology = { nodes, links: [], drawings: [], computes: [] };
      const text = { project_id: crypto.randomUUID(), name: 'lab', revision: 9, type: 'topology', version: '2.2.54' };
      const project_id = crypto.randomUUID();
      const body = zipOf([{ name: 'project.gns3', data: JSON.stringify({ ...text, topology }) }]);
      await fetch(`${api.url}/v2/projects/${project_id}/import`, { method: 'POST', body });
      await api.get(201, 'POST /v2/projects/{project_id}/open', { project_id });
      await api.get(204, 'POST /v2/projects/{project_id}/nodes/start', { project_id });
      const found = await api.list(project_id, 'nodes');
      const link = {
        nodes: found.map((one) => ({ node_id: String(one['node_id']), adapter_number: 0, port_number: 0 })),
      };
      const refused = await api.get(403, `POST ${LINKS}`, { project_id }, link);
      assert.match(String(refused['message']), /--allow-interface lo/);
      assert.deepEqual(await api.list(project_id, 'links'), []);
    } finally {
      await api.close();
    }
  });
});
