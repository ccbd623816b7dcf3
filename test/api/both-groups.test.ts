import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bag, id, startApi } from './api.ts';

const NODES = '/v2/projects/{project_id}/nodes';
const NODE = `${NODES}/{node_id}`;
const COMPUTE = '/v2/compute/projects/{project_id}';
const START = `POST ${NODES}/start`;
const STOP = `POST ${NODES}/stop`;

/** Names that existing tools use for the kinds that have another one. */
const ALIASES: Readonly<Record<string, string>> = {
  desktop_vm_a: 'virtualbox',
  desktop_vm_b: 'vmware',
  machine_emulator: 'qemu',
  container: 'docker',
  router_emulator: 'dynamips',
  switch_router_emulator: 'iou',
  trace_tool: 'traceng',
  simple_pc: 'vpcs',
};
const api = await startApi();
after(() => api.close());

describe('a node of either group', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });

  it('made through the compute group is a node of the project, and is started and stopped with it', async () => {
    const node = await api.node(project_id, 'machine_emulator', { name: 'from compute', ram: 512 });
    const at = { project_id, node_id: id(node) };
    const [listed] = (await api.list(project_id, 'nodes')).filter((n) => n['node_id'] === node['node_id']);
    assert.equal(listed?.['name'], 'from compute');
    assert.equal((listed['properties'] as Bag)['ram'], 512);
    assert.equal(listed['console'], node['console']);
    await api.get(204, START, { project_id });
    assert.equal((await api.get(200, `GET ${COMPUTE}/machine_emulator/nodes/{node_id}`, at))['status'], 'started');
    assert.equal((await api.get(200, `GET ${NODE}`, at))['status'], 'started');
    await api.get(204, STOP, { project_id });
    assert.equal((await api.get(200, `GET ${COMPUTE}/machine_emulator/nodes/{node_id}`, at))['status'], 'stopped');
  });

  it('made through the controller group is a node of the compute group, and is changed through either', async () => {
    const body = {
      name: 'from controller',
      node_type: 'desktop_vm_a',
      compute_id: 'local',
      properties: { vmname: 'x' },
    };
    const node = await api.get(201, `POST ${NODES}`, { project_id }, body);
    const at = { project_id, node_id: id(node) };
    const read = await api.get(200, `GET ${COMPUTE}/desktop_vm_a/nodes/{node_id}`, at);
    assert.deepEqual([read['name'], read['vmname'], read['console']], ['from controller', 'x', node['console']]);
    await api.get(200, `PUT ${COMPUTE}/desktop_vm_a/nodes/{node_id}`, at, { headless: true, name: 'renamed' });
    const controller = await api.get(200, `GET ${NODE}`, at);
    assert.equal(controller['name'], 'renamed');
    assert.equal((controller['label'] as Bag)['text'], 'renamed');
    assert.equal((controller['properties'] as Bag)['headless'], true);
    await api.get(200, `PUT ${NODE}`, at, { properties: { ram: 2048 } });
    const again = await api.get(200, `GET ${COMPUTE}/desktop_vm_a/nodes/{node_id}`, at);
    assert.deepEqual([again['ram'], again['headless']], [2048, true]);
    await api.get(204, `POST ${COMPUTE}/desktop_vm_a/nodes/{node_id}/start`, at);
    assert.equal((await api.get(200, `GET ${NODE}`, at))['status'], 'started');
    await api.get(204, `DELETE ${COMPUTE}/desktop_vm_a/nodes/{node_id}`, at);
    await api.get(404, `GET ${NODE}`, at);
  });

  it('gets a free name from the controller group, and a conflict for a taken one from the compute group', async () => {
    const body = { name: 'twin', node_type: 'simple_pc', compute_id: 'local' };
    await api.get(201, `POST ${NODES}`, { project_id }, body);
    const second = await api.get(201, `POST ${NODES}`, { project_id }, body);
    assert.notEqual(second['name'], 'twin');
    await api.get(409, `POST ${COMPUTE}/simple_pc/nodes`, { project_id }, { name: 'twin' });
  });
});

describe('the names that existing tools use for kinds', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });

  for (const [kind, alias] of Object.entries(ALIASES))
    it(`are taken in paths and as node_type, and answered with the token: ${alias} is ${kind}`, async () => {
      const node = await api.node(project_id, kind);
      const path = `/v2/compute/projects/${project_id}/${alias}/nodes/${id(node)}`;
      const read = await api.server.request('GET', path);
      assert.equal(read.status, 200, read.text);
      assert.deepEqual(read.body, node);
      const renamed = await api.server.request('PUT', path, { name: `${alias} 1` });
      assert.deepEqual(renamed.body, { ...node, name: `${alias} 1` });
      const { properties } = await api.get(200, `GET ${NODE}`, { project_id, node_id: id(node) });
      const body = { name: `${alias} 2`, node_type: alias, compute_id: 'local', properties };
      const made = await api.get(201, `POST ${NODES}`, { project_id }, body);
      assert.equal(made['node_type'], kind);
      assert.equal((await api.server.request('DELETE', path)).status, 204);
      assert.equal((await api.server.request('GET', path)).status, 404);
    });

  it('are answered, and the tokens still taken, by a server that was asked to use them', async () => {
    const gns3 = await startApi(['--names', 'gns3']);
    try {
      const lab = await gns3.project();
      const pc = await gns3.node(lab, 'simple_pc');
      const hub = await gns3.node(lab, 'ethernet_hub');
      const types = (await gns3.list(lab, 'nodes')).map((n) => n['node_type']);
      assert.deepEqual(types.sort(), ['ethernet_hub', 'vpcs']);
      for (const path of ['simple_pc', 'vpcs']) {
        const url = `/v2/compute/projects/${lab}/${path}/nodes/${id(pc)}`;
        assert.deepEqual((await gns3.server.request('GET', url)).body, pc);
      }
      assert.notEqual(id(hub), id(pc));
    } finally {
      await gns3.close();
    }
  });
});
