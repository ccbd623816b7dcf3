import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Api, type Bag, id, KINDS, startApi, type Values } from './api.ts';
import { without } from './fields.ts';

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
const ALWAYS_ON = ['ethernet_hub', 'ethernet_switch', 'frame_relay_switch', 'atm_switch', 'cloud', 'nat'] as const;

const api = await startApi();
after(() => api.close());

const statuses = async (of: Api, project_id: string): Promise<Bag> =>
  Object.fromEntries((await of.list(project_id, 'nodes')).map((n) => [n['name'], n['status']]));

/** Facts of a project that change something: refusals do not. */
const facts = async (project_id: string): Promise<string[]> => {
  const all: string[] = [];
  for (let from = 1; ;) {
    const answer = await api.server.request('GET', `/v2/projects/${project_id}/events?from=${from}&limit=1000`);
    const { events, next } = answer.body as { events: { type: string }[]; next: number | null };
    all.push(...events.map(({ type }) => type));
    if (next === null) return all.filter((type) => type !== 'request.refused');
    from = next;
  }
};

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

describe('a record put back as it was read', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  /** Puts what a read answers; the answer is the same, and no fact was added. */
  const putBack = async (template: string, at: Values, code: number): Promise<void> => {
    const record = await api.get(200, `GET ${template}`, at);
    const before = await facts(String(at['project_id']));
    assert.deepEqual(await api.get(code, `PUT ${template}`, at, record), record);
    assert.deepEqual(await api.get(200, `GET ${template}`, at), record);
    assert.deepEqual(await facts(String(at['project_id'])), before);
  };

  it('is taken and changes nothing: a project', async () => {
    await putBack('/v2/projects/{project_id}', { project_id }, 200);
  });

  it('is taken and changes nothing: a drawing', async () => {
    const drawing = await api.get(201, 'POST /v2/projects/{project_id}/drawings', { project_id }, { x: 5 });
    const at = { project_id, drawing_id: id(drawing, 'drawing_id') };
    await putBack('/v2/projects/{project_id}/drawings/{drawing_id}', at, 201);
  });

  it('is taken and changes nothing: a link, plain and with filters, a label and a capture', async () => {
    const pcs = [await api.node(project_id, 'simple_pc'), await api.node(project_id, 'simple_pc')];
    const nodes = pcs.map((n) => ({ node_id: n['node_id'], adapter_number: 0, port_number: 0 }));
    const link = await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    const at = { project_id, link_id: id(link, 'link_id') };
    const template = '/v2/projects/{project_id}/links/{link_id}';
    await putBack(template, at, 201);
    await api.get(204, START, { project_id });
    await api.get(201, `PUT ${template}`, at, {
      filters: { delay: [5, 1], packet_loss: [1] },
      link_style: { color: '#ff0000' },
      nodes: [{ node_id: pcs[0]?.['node_id'], label: { text: 'here', x: 4, y: 5 } }],
    });
    await api.get(201, `POST ${template}/start_capture`, at, {});
    await putBack(template, at, 201);
    await api.get(204, STOP, { project_id });
  });

  for (const kind of KINDS)
    it(`is taken and changes nothing: a ${kind}, in both groups, stopped and started`, async () => {
      const lab = await api.project();
      const given = kind === 'trace_tool' ? { default_destination: '169.254.1.1' } : {};
      const at = { project_id: lab, node_id: id(await api.node(lab, kind, given)) };
      for (const action of [START, STOP]) {
        await api.get(204, action, at);
        await putBack(NODE, at, 200);
        if (kind !== 'container' && kind !== 'cloud') await putBack(`${COMPUTE}/${kind}/nodes/{node_id}`, at, 200);
      }
    });

  it('is taken and changes nothing: nodes that have been named, moved and set', async () => {
    const switch_ = await api.node(project_id, 'ethernet_switch', {
      ports_mapping: [
        { name: 'Ethernet0', port_number: 0, type: 'access', vlan: 10 },
        { name: 'Ethernet1', port_number: 1, type: 'dot1q', vlan: 1 },
        { name: 'Ethernet2', port_number: 2, type: 'qinq', vlan: 5, ethertype: '0x88A8' },
      ],
    });
    const vm = await api.node(project_id, 'machine_emulator', {
      ...{ adapters: 2, custom_adapters: [{ adapter_number: 1, port_name: 'uplink' }], acpi_shutdown: true },
    });
    for (const node of [switch_, vm]) {
      const at = { project_id, node_id: id(node) };
      const changes = { x: -40, y: 12, z: 3, locked: true, label: { text: 'ignored', x: 1, y: 2, rotation: 90 } };
      await api.get(200, `PUT ${NODE}`, at, changes);
      await putBack(NODE, at, 200);
    }
    await putBack(`${COMPUTE}/machine_emulator/nodes/{node_id}`, { project_id, node_id: id(vm) }, 200);
  });
});

describe('a project whose nodes cannot all be started', () => {
  it('answers 409 with each failed node and its reason, the others started, and 204 once they are mended', async () => {
    const project_id = await api.project();
    const names = ['good 1', 'good 2', 'good 3'];
    for (const name of names) await api.node(project_id, 'simple_pc', { name });
    const fail = (reason: string): Bag => ({ simulate: { fail: reason } });
    const one = await api.node(project_id, 'desktop_vm_a', { name: 'bad 1', ...fail('the disk is missing') });
    const two = await api.node(project_id, 'desktop_vm_b', { name: 'bad 2', ...fail('no memory is left') });
    const error = await api.get(409, START, { project_id });
    assert.equal(error['code'], 'nodes_failed');
    assert.match(String(error['message']), /2 of 5/);
    const failed = (error['failed'] as Bag[]).sort((a, b) => String(a['name']).localeCompare(String(b['name'])));
    assert.deepEqual(
      failed.map((f) => [f['node_id'], f['name'], f['code']]),
      [
        [one['node_id'], 'bad 1', 'engine_failed'],
        [two['node_id'], 'bad 2', 'engine_failed'],
      ],
    );
    assert.match(String(failed[0]?.['message']), /the disk is missing/);
    assert.match(String(failed[1]?.['message']), /no memory is left/);
    const started = Object.fromEntries(names.map((name) => [name, 'started']));
    assert.deepEqual(await statuses(api, project_id), { ...started, 'bad 1': 'stopped', 'bad 2': 'stopped' });
    for (const node of [one, two]) {
      const at = { project_id, node_id: id(node) };
      const { properties } = await api.get(200, `GET ${NODE}`, at);
      assert.ok((properties as Bag)['failure'], 'the record says why');
      await api.get(200, `PUT ${NODE}`, at, { properties: { simulate: {} } });
    }
    await api.get(204, START, { project_id });
    assert.deepEqual(await statuses(api, project_id), { ...started, 'bad 1': 'started', 'bad 2': 'started' });
  });

  it('names each node that could not be stopped as well, and stops the others', async () => {
    const project_id = await api.project();
    await api.node(project_id, 'simple_pc', { name: 'good' });
    const bad = await api.node(project_id, 'desktop_vm_a', { name: 'bad', simulate: { fail: 'stop' } });
    await api.get(204, START, { project_id });
    const error = await api.get(409, STOP, { project_id });
    assert.deepEqual(
      (error['failed'] as Bag[]).map((f) => f['node_id']),
      [bad['node_id']],
    );
    assert.deepEqual(await statuses(api, project_id), { good: 'stopped', bad: 'started' });
    await api.get(200, `PUT ${NODE}`, { project_id, node_id: id(bad) }, { properties: { simulate: {} } });
    await api.get(204, STOP, { project_id });
  });
});

describe('a server without the engines of some kinds', () => {
  it('[error 409] refuses their start with what to install, starts the others, and pretends nothing', async () => {
    // Engines are looked for in the PATH.
    const { PATH } = process.env;
    process.env['PATH'] = '/nowhere';
    const bare = await startApi([]);
    try {
      const project_id = await bare.project();
      await bare.node(project_id, 'simple_pc', { name: 'pc' });
      for (const kind of ['desktop_vm_a', 'desktop_vm_b', 'router_emulator'])
        await bare.node(project_id, kind, { name: kind });
      const error = await bare.get(409, START, { project_id });
      const failed = error['failed'] as Bag[];
      assert.deepEqual(
        failed.map((f) => [f['name'], f['code']]),
        ['desktop_vm_a', 'desktop_vm_b', 'router_emulator'].map((kind) => [kind, 'engine_missing']),
      );
      for (const { name, message } of failed)
        assert.match(String(message), new RegExp(`^${String(name)} needs .+install`));
      assert.deepEqual(await statuses(bare, project_id), {
        ...{ pc: 'started', desktop_vm_a: 'stopped', desktop_vm_b: 'stopped', router_emulator: 'stopped' },
      });
      const node_id = id(failed[0] ?? {});
      const single = await bare.get(409, `POST ${COMPUTE}/desktop_vm_a/nodes/{node_id}/start`, { project_id, node_id });
      assert.equal(single['code'], 'engine_missing');
      // Asked for, and then said in the record: not in the engine's stead.
      await bare.get(200, `PUT ${NODE}`, { project_id, node_id }, { properties: { engine: 'simulated' } });
      const started = await bare.get(200, `POST ${NODE}/start`, { project_id, node_id });
      assert.equal(started['status'], 'started');
      assert.equal((started['properties'] as Bag)['engine'], 'simulated');
    } finally {
      process.env['PATH'] = PATH;
      await bare.close();
    }
  });
});

describe('a kind that is always on', () => {
  it('runs from its creation and from the opening of its project', async () => {
    const project_id = await api.project();
    for (const kind of ALWAYS_ON) await api.node(project_id, kind, { name: kind });
    await api.node(project_id, 'simple_pc', { name: 'pc' });
    const on = Object.fromEntries(ALWAYS_ON.map((kind) => [kind, 'started']));
    const off = Object.fromEntries(ALWAYS_ON.map((kind) => [kind, 'stopped']));
    assert.deepEqual(await statuses(api, project_id), { ...on, pc: 'stopped' });
    await api.get(204, 'POST /v2/projects/{project_id}/close', { project_id });
    assert.deepEqual(await statuses(api, project_id), { ...off, pc: 'stopped' });
    await api.get(201, 'POST /v2/projects/{project_id}/open', { project_id });
    assert.deepEqual(await statuses(api, project_id), { ...on, pc: 'stopped' });
  });

  it('stops with its project, and comes back when any node of it is started, through either group', async () => {
    const project_id = await api.project();
    for (const kind of ALWAYS_ON) await api.node(project_id, kind, { name: kind });
    const at = { project_id, node_id: id(await api.node(project_id, 'simple_pc', { name: 'pc' })) };
    const on = Object.fromEntries([...ALWAYS_ON, 'pc'].map((name) => [name, 'started']));
    const off = Object.fromEntries([...ALWAYS_ON, 'pc'].map((name) => [name, 'stopped']));
    for (const row of [`POST ${NODE}/start`, `POST ${COMPUTE}/simple_pc/nodes/{node_id}/start`]) {
      await api.get(204, STOP, { project_id });
      assert.deepEqual(await statuses(api, project_id), off);
      await api.get(200, row, at);
      assert.deepEqual(await statuses(api, project_id), on);
    }
  });

  it('keeps its record when it stops', async () => {
    const project_id = await api.project();
    const node = await api.node(project_id, 'ethernet_switch');
    const row = `GET ${COMPUTE}/ethernet_switch/nodes/{node_id}`;
    const at = { project_id, node_id: id(node) };
    await api.get(204, STOP, { project_id });
    assert.deepEqual(without(await api.get(200, row, at), 'status'), without(node, 'status'));
  });
});
