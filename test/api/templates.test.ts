import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { rebuild } from '../../src/projections/rebuild.ts';
import { listen } from '../support/feed-client.ts';
import { readLog } from '../support/own-log.ts';
import { testServer } from '../support/server.ts';
import { apiOf, type Bag, id, KINDS, startApi } from './api.ts';

const LIST = '/v2/templates';
const ONE = `${LIST}/{template_id}`;
const NODE_OF = 'POST /v2/projects/{project_id}/templates/{template_id}';

/** UUID3 of the name that existing tools use for the type, in the name space of domain names. */
const BUILTIN: Readonly<Record<string, string>> = {
  vpcs: '19021f99-e36f-394d-b4a1-8aaa902ab9cc',
  cloud: '39e257dc-8412-3174-b6b3-0ee3ed6a43e9',
  nat: 'df8f4ea9-33b7-3e96-86a2-c39bc9bb649c',
  ethernet_switch: '1966b864-93e7-32d5-965f-001384eec461',
  ethernet_hub: 'b4503ea9-d6b6-3695-9fe4-1db3b39290b0',
  frame_relay_switch: 'dd0f6f3a-ba58-3249-81cb-a1dd88407a47',
  atm_switch: 'aaa764e2-b383-300f-8a0e-3493bbfdb7d2',
  traceng: 'be5c2a04-3b7e-374f-8be6-ecf61ba31972',
};
const VPCS = { template_id: BUILTIN['vpcs'] ?? '' };
const NEEDED: Readonly<Record<string, Bag>> = {
  desktop_vm_a: { vmname: 'a machine' },
  desktop_vm_b: { vmx_path: '/machines/one.vmx' },
  container: { image: 'busybox:latest' },
  router_emulator: { platform: 'c3725', image: 'c3725.image', ram: 128 },
  switch_router_emulator: { path: 'l3.bin' },
};

const api = await startApi();
const { server } = api;
after(() => api.close());
const templates = async (): Promise<Bag[]> => (await api.ask(`GET ${LIST}`)).body as unknown as Bag[];
const create = (body: Bag): Promise<Bag> => api.get(201, `POST ${LIST}`, {}, body);

describe('the built-in templates', () => {
  it('have the ids that project files of other servers name, and no compute', async () => {
    const found = (await templates()).filter((t) => t['builtin'] === true);
    // Other servers have no router without an image.
    const ids = found
      .filter((t) => t['template_type'] !== 'simple_router')
      .map((t) => t['template_id'])
      .sort();
    assert.equal(ids.length, found.length - 1);
    assert.deepEqual(ids, Object.values(BUILTIN).sort());
    assert.deepEqual(new Set(found.map((t) => t['compute_id'])), new Set([null]));
    assert.equal(found.find((t) => t['template_id'] === BUILTIN['vpcs'])?.['template_type'], 'simple_pc');
  });

  it('cannot be deleted or copied; put back as they were read, nothing changes', async () => {
    for (const template_id of Object.values(BUILTIN)) {
      const read = await api.get(200, `GET ${ONE}`, { template_id });
      await api.get(409, `DELETE ${ONE}`, { template_id });
      await api.get(409, `POST ${ONE}/duplicate`, { template_id });
      assert.deepEqual(await api.get(200, `PUT ${ONE}`, { template_id }, read), read);
      await api.get(409, `POST ${LIST}`, {}, { name: 'x', template_type: 'vpcs', template_id });
    }
  });

  it('can be changed, for good, and are told of as changed', async () => {
    const count = (await templates()).length;
    const feed = await listen(api.url, '/v2/notifications/ws');
    const read = await api.get(200, `GET ${ONE}`, VPCS);
    const changes = { default_name_format: 'Host{0}', symbol: ':/symbols/computer.svg' };
    const changed = await api.get(200, `PUT ${ONE}`, VPCS, changes);
    assert.deepEqual(changed, { ...read, ...changes });
    assert.deepEqual((await feed.next('template.updated')).event, changed);
    await api.get(200, `PUT ${ONE}`, VPCS, { usage: 'again' });
    assert.equal((await feed.next('template.updated')).event['usage'], 'again');
    await feed.close();
    const project_id = await api.project();
    const node = await api.get(201, NODE_OF, { project_id, ...VPCS }, { x: 0, y: 0 });
    assert.deepEqual([node['name'], node['symbol']], ['Host1', ':/symbols/computer.svg']);
    await server.restart();
    assert.deepEqual(await api.get(200, `GET ${ONE}`, VPCS), { ...changed, usage: 'again' });
    assert.equal((await templates()).length, count);
    await api.get(409, `DELETE ${ONE}`, VPCS);
    assert.deepEqual(await api.get(200, `PUT ${ONE}`, VPCS, read), read);
  });

  it('make nodes, here where no compute is named', async () => {
    const project_id = await api.project();
    for (const [type, template_id] of Object.entries(BUILTIN)) {
      const template = await api.get(200, `GET ${ONE}`, { template_id });
      const node = await api.get(201, NODE_OF, { project_id, template_id }, { x: 3, y: -4 });
      assert.equal(node['name'], String(template['default_name_format']).replace('{0}', '1'), type);
      assert.deepEqual(
        [node['template_id'], node['symbol'], node['node_type'], node['x'], node['y'], node['compute_id']],
        [template_id, template['symbol'], template['template_type'], 3, -4, 'local'],
      );
    }
  });
});

describe('a template', () => {
  it('of every kind has its defaults filled in, comes back as it was put, and makes nodes', async () => {
    const project_id = await api.project();
    for (const kind of KINDS) {
      const made = await create({ name: `My ${kind}`, template_type: kind, ...NEEDED[kind] });
      assert.deepEqual([made['compute_id'], made['builtin'], made['template_type']], ['local', false, kind]);
      assert.match(String(made['symbol']), /^:\/symbols\/\w+\.svg$/);
      const at = { template_id: id(made, 'template_id') };
      const put = await api.ask(`PUT ${ONE}`, at, made);
      assert.equal(put.status, 200, put.text);
      assert.deepEqual(put.body, made);
      const again = await api.ask(`GET ${ONE}`, at);
      assert.deepEqual([again.body, again.headers.get('etag')], [made, put.headers.get('etag')]);
      const node = await api.get(201, NODE_OF, { project_id, ...at }, { x: 0, y: 0 });
      const properties = node['properties'] as Bag;
      for (const [key, value] of Object.entries(NEEDED[kind] ?? {}))
        assert.equal(properties[key], value, `${kind} ${key}`);
    }
  });

  it('gives its nodes what it says, and each a MAC address and a name of its own', async () => {
    const project_id = await api.project();
    const made = await create({
      ...{
        name: 'Linux',
        template_type: 'qemu',
        compute_id: 'local',
        category: 'firewall',
        symbol: ':/symbols/asa.svg',
      },
      ...{ ram: 128, adapters: 3, first_port_name: 'mgmt', port_name_format: 'eth{0}', console_type: 'vnc' },
      ...{ console_auto_start: true, usage: 'no password', mac_address: '', platform: '', hda_disk_image: 'a.qcow2' },
      custom_adapters: [{ adapter_number: 2, port_name: 'dmz' }],
    });
    assert.equal(made['default_name_format'], '{name}-{0}');
    const at = { project_id, template_id: id(made, 'template_id') };
    const nodes = [
      await api.get(201, NODE_OF, at, { x: 0, y: 0 }),
      await api.get(201, NODE_OF, at, { x: 0, y: 0, compute_id: 'local' }),
      await api.get(201, NODE_OF, at, { x: 0, y: 0, name: 'Edge' }),
      await api.get(201, NODE_OF, at, { x: 0, y: 0, name: 'Edge', compute_id: null }),
    ];
    assert.deepEqual(
      nodes.map((n) => n['name']),
      ['Linux-1', 'Linux-2', 'Edge', 'Edge-1'],
    );
    const [node] = nodes;
    const properties = node?.['properties'] as Bag;
    assert.deepEqual([properties['ram'], properties['usage'], properties['platform']], [128, 'no password', 'x86_64']);
    assert.deepEqual([node?.['console_type'], node?.['console_auto_start']], ['vnc', true]);
    assert.deepEqual(
      (node?.['ports'] as Bag[]).map((port) => port['name']),
      ['mgmt', 'eth0', 'dmz'],
    );
    const macs = nodes.map((n) => (n['properties'] as Bag)['mac_address']);
    assert.equal(new Set(macs).size, nodes.length);
  });

  it('of a router has the memory of its platform where none is given', async () => {
    const [small, large] = ['c1700', 'c7200'].map((platform) => ({ platform, image: `${platform}.image` }));
    const ram = async (given: Bag | undefined): Promise<unknown> =>
      (await create({ name: 'R', template_type: 'dynamips', ...given }))['ram'];
    assert.deepEqual([await ram(small), await ram(large), await ram({ ...large, ram: 300 })], [160, 512, 300]);
  });

  it('merges a change into what it has, and a copy is independent of it', async () => {
    const made = await create({ name: 'VM', template_type: 'machine_emulator', ram: 64, cpus: 2 });
    const at = { template_id: id(made, 'template_id') };
    const copy = await api.get(201, `POST ${ONE}/duplicate`, at);
    assert.notEqual(copy['template_id'], made['template_id']);
    assert.deepEqual({ ...copy, template_id: '', name: '' }, { ...made, template_id: '', name: '' });
    assert.equal(copy['name'], 'VM-1');
    const changed = await api.get(200, `PUT ${ONE}`, at, { ram: 96, name: 'Big VM', template_type: 'nat' });
    assert.deepEqual(changed, { ...made, ram: 96, name: 'Big VM' });
    assert.deepEqual(await api.get(200, `GET ${ONE}`, { template_id: id(copy, 'template_id') }), copy);
    await api.get(204, `DELETE ${ONE}`, at);
    await api.get(404, `GET ${ONE}`, at);
    await api.get(404, `DELETE ${ONE}`, at);
  });

  it('is told apart by its ETag: 304 for who has it, 412 for who would overwrite', async () => {
    const made = await create({ name: 'tagged', template_type: 'vpcs' });
    const where = `${LIST}/${id(made, 'template_id')}`;
    const etag = (await server.request('GET', where)).headers.get('etag') ?? '';
    const known = await server.request('GET', where, undefined, { 'If-None-Match': etag });
    assert.deepEqual([known.status, known.text], [304, '']);
    assert.equal((await server.request('PUT', where, { name: 'one' }, { 'If-Match': etag })).status, 200);
    assert.equal((await server.request('PUT', where, { name: 'two' }, { 'If-Match': etag })).status, 412);
    assert.equal((await server.request('DELETE', where, undefined, { 'If-Match': etag })).status, 412);
    assert.equal((await server.request('GET', where, undefined, { 'If-None-Match': etag })).status, 200);
  });

  it('is refused with the name of what is wrong, and nothing is made', async () => {
    const count = (await templates()).length;
    const wrong: [string, Bag][] = [
      ['template_type', { name: 'x' }],
      ['toString', { name: 'x', template_type: 'vpcs', toString: '' }],
      ['template_type', { name: 'x', template_type: 'toaster' }],
      ['name', { template_type: 'vpcs' }],
      ['name', { template_type: 'vpcs', name: '' }],
      ['ram', { name: 'x', template_type: 'qemu', ram: 'much' }],
      ['colour', { name: 'x', template_type: 'qemu', colour: 'red' }],
      ['ram', { name: 'x', template_type: 'vpcs', ram: 64 }],
      ['category', { name: 'x', template_type: 'vpcs', category: 'toy' }],
      ['template_id', { name: 'x', template_type: 'vpcs', template_id: 'one' }],
      ['image', { name: 'x', template_type: 'docker' }],
      ['application_id', { name: 'x', template_type: 'iou', path: 'a', application_id: 1 }],
      ['custom_adapters', { name: 'x', template_type: 'qemu', custom_adapters: [{ port_name: 'a' }] }],
    ];
    for (const [field, body] of wrong) {
      const { message } = await api.get(400, `POST ${LIST}`, {}, body);
      assert.ok(String(message).includes(field), `${JSON.stringify(body)}: ${String(message)}`);
    }
    assert.equal((await templates()).length, count);
    const made = await create({ name: 'right', template_type: 'vpcs' });
    const at = { template_id: id(made, 'template_id') };
    assert.match(String((await api.get(400, `PUT ${ONE}`, at, { ram: 64 }))['message']), /ram/);
    // What every object has is no setting of any kind.
    assert.match(String((await api.get(400, `PUT ${ONE}`, at, { toString: null }))['message']), /toString/);
    await api.get(409, `POST ${LIST}`, {}, made);
  });

  it('makes no node of an unknown template, compute or project, nor without a place, nor in a closed project', async () => {
    const project_id = await api.project();
    const unknown = '99999999-9999-4999-8999-999999999999';
    await api.get(404, NODE_OF, { project_id, template_id: unknown }, { x: 0, y: 0 });
    await api.get(404, NODE_OF, { project_id: unknown, ...VPCS }, { x: 0, y: 0 });
    await api.get(404, NODE_OF, { project_id, ...VPCS }, { x: 0, y: 0, compute_id: 'elsewhere' });
    await api.get(400, NODE_OF, { project_id, ...VPCS }, { x: 0 });
    await api.get(400, NODE_OF, { project_id, ...VPCS }, { x: 0, y: 0, z: 1 });
    await api.get(204, 'POST /v2/projects/{project_id}/close', { project_id });
    await api.get(403, NODE_OF, { project_id, ...VPCS }, { x: 0, y: 0 });
  });
});

describe('files that templates name', () => {
  it('are what nodes start with; one that is missing or elsewhere is a warning', async () => {
    const project_id = await api.project();
    const configs = path.join(server.dataDir, 'configs');
    await mkdir(configs, { recursive: true });
    await writeFile(path.join(configs, 'base.vpc'), 'set pcname %h\n');
    await writeFile(path.join(server.dataDir, 'secret.txt'), 'secret');
    const nodeOf = async (base_script_file: string): Promise<Bag> => {
      const made = await create({ name: 'PC', template_type: 'vpcs', base_script_file });
      return api.get(201, NODE_OF, { project_id, template_id: id(made, 'template_id') }, { x: 0, y: 0 });
    };
    const node = await nodeOf('base.vpc');
    const script = path.join(String(node['node_directory']), 'startup.vpc');
    assert.equal(await readFile(script, 'utf8'), `set pcname ${String(node['name'])}\n`);
    for (const wrong of ['none.vpc', '../secret.txt', path.join(server.dataDir, 'secret.txt')]) {
      const bare = await nodeOf(wrong);
      await assert.rejects(readFile(path.join(String(bare['node_directory']), 'startup.vpc')));
    }
    const events = await server.request('GET', `/v2/projects/${project_id}/events?type=warning.raised`);
    const warnings = (events.body as { events: { data: { message: string } }[] }).events;
    assert.equal(warnings.length, 3);
    assert.match(warnings[0]?.data.message ?? '', /none\.vpc/);
  });
});

describe('templates and a restart', () => {
  it('are events of the server: they are there again, and fold from the log to the same records', async () => {
    const other = apiOf(await testServer());
    const kept = await other.get(201, `POST ${LIST}`, {}, { name: 'kept', template_type: 'vpcs' });
    const changed = await other.get(201, `POST ${LIST}`, {}, { name: 'old', template_type: 'qemu' });
    await other.get(200, `PUT ${ONE}`, { template_id: id(changed, 'template_id') }, { name: 'new', ram: 99 });
    const gone = await other.get(201, `POST ${LIST}`, {}, { name: 'gone', template_type: 'vpcs' });
    await other.get(204, `DELETE ${ONE}`, { template_id: id(gone, 'template_id') });
    const list = await other.ask(`GET ${LIST}`);
    assert.deepEqual(list.body, [
      kept,
      { ...changed, name: 'new', ram: 99 },
      ...(list.body as unknown as Bag[]).slice(2),
    ]);
    await other.server.restart();
    assert.deepEqual((await other.ask(`GET ${LIST}`)).body, list.body);
    await other.server.running.close('to look at its log');
    const store = await readLog(path.join(other.server.dataDir, 'log'));
    assert.deepEqual((await rebuild(store, false)).differences, []);
    await store.close();
    await other.close();
  });
});

describe('clients of the other names', () => {
  const named = { api: null as ReturnType<typeof apiOf> | null };
  before(async () => {
    named.api = apiOf(await testServer(['--names', 'gns3']));
  });
  after(() => named.api?.close());
  const client = (): ReturnType<typeof apiOf> => {
    assert.ok(named.api);
    return named.api;
  };

  it('a page adds a node: symbol, drop, list, labels, in the calls and with the fields that it reads', async () => {
    const project_id = await client().project();
    const all = (await client().ask(`GET ${LIST}`)).body as unknown as Bag[];
    for (const template of all)
      for (const key of [
        'template_id',
        'name',
        'template_type',
        'category',
        'symbol',
        'builtin',
        'compute_id',
        'default_name_format',
      ])
        assert.ok(key in template, `${String(template['name'])} has no ${key}`);
    const template = all.find((t) => t['template_type'] === 'vpcs');
    assert.equal(template?.['name'], 'VPCS');
    const symbol = String(template['symbol']);
    const picture = await client().server.request('GET', `/v2/symbols/${symbol.slice(1)}/raw`);
    assert.match(picture.text, /width="\d+"/);
    const at = { project_id, template_id: id(template, 'template_id') };
    const made = await client().get(201, NODE_OF, at, { x: 10, y: -20, compute_id: 'local' });
    assert.equal(made['node_type'], 'vpcs');
    const [node] = await client().list(project_id, 'nodes');
    assert.deepEqual(node, made);
    const label = node['label'] as Bag;
    assert.equal(label['style'], null);
    const where = { project_id, node_id: id(made) };
    const put = { label: { rotation: 0, style: 'font-size: 10', text: label['text'], x: 1, y: 2 } };
    const labelled = await client().get(200, 'PUT /v2/projects/{project_id}/nodes/{node_id}', where, put);
    assert.equal((labelled['label'] as Bag)['style'], 'font-size: 10');
    assert.equal((await client().server.request('GET', `/v2/symbols/${String(made['symbol'])}/raw`)).status, 200);
  });

  it('a script creates, finds by name, changes, uses and deletes a template', async () => {
    const project_id = await client().project();
    const body = { name: 'Router', template_type: 'qemu', compute_id: 'local', console_type: 'vnc', ram: 512 };
    await client().get(201, `POST ${LIST}`, {}, body);
    const found = ((await client().ask(`GET ${LIST}`)).body as unknown as Bag[]).find((t) => t['name'] === 'Router');
    assert.ok(found);
    const at = { template_id: id(found, 'template_id') };
    assert.deepEqual(await client().get(200, `GET ${ONE}`, at), found);
    const changed = await client().get(200, `PUT ${ONE}`, at, { ...found, category: 'router' });
    assert.deepEqual(changed, { ...found, category: 'router' });
    const node = await client().get(201, NODE_OF, { project_id, ...at }, { x: 0, y: 0, compute_id: 'local' });
    const where = { project_id, node_id: id(node) };
    const renamed = { name: 'alpine-1', compute_id: 'local', x: 5 };
    await client().get(200, 'PUT /v2/projects/{project_id}/nodes/{node_id}', where, renamed);
    await client().get(204, `DELETE ${ONE}`, at);
    const kept = await client().get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', where);
    assert.deepEqual([kept['template_id'], kept['name']], [at.template_id, 'alpine-1']);
  });
});
