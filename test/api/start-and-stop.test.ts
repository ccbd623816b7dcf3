import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, type Bag, id, startApi } from './api.ts';
import { without } from './fields.ts';

const NODES = '/v2/projects/{project_id}/nodes';
const NODE = `${NODES}/{node_id}`;
const COMPUTE = '/v2/compute/projects/{project_id}';
const START = `POST ${NODES}/start`;
const STOP = `POST ${NODES}/stop`;

const ALWAYS_ON = ['ethernet_hub', 'ethernet_switch', 'frame_relay_switch', 'atm_switch', 'cloud', 'nat'] as const;

const api = await startApi();
after(() => api.close());

const statuses = async (of: Api, project_id: string): Promise<Bag> =>
  Object.fromEntries((await of.list(project_id, 'nodes')).map((n): [string, unknown] => [id(n, 'name'), n['status']]));

describe('a project whose nodes cannot all be started', () => {
  it('answers 409 with each failed node and its reason, the others started, and 204 once they are fixed', async () => {
    const project_id = await api.project();
    const names = ['good 1', 'good 2', 'good 3'];
    for (const name of names) await api.node(project_id, 'simple_pc', { name });
    const fail = (reason: string): Bag => ({ simulate: { fail: reason } });
    const one = await api.node(project_id, 'desktop_vm_a', { name: 'bad 1', ...fail('the disk is missing') });
    const two = await api.node(project_id, 'desktop_vm_b', { name: 'bad 2', ...fail('no memory is left') });
    const error = await api.get(409, START, { project_id });
    assert.equal(error['code'], 'nodes_failed');
    assert.match(String(error['message']), /^2 of 5 nodes could not be started: /);
    assert.match(String(error['message']), /bad 1 \([^;]*the disk is missing[^;]*\)/);
    assert.match(String(error['message']), /bad 2 \([^;]*no memory is left[^;]*\)/);
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
      // Asked for, and then said in the record: not instead of the engine.
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
