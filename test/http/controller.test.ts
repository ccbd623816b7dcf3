import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import { drawingRecord } from '../../src/http/v2/drawings.ts';
import { linkRecord } from '../../src/http/v2/links/schema.ts';
import { nodeRecord } from '../../src/http/v2/nodes/nodes.ts';
import { projectRecord } from '../../src/http/v2/projects/projects.ts';
import { DRAWING, fakeLab, LINK, link, NODE, NODE_2, node, PROJECT, project, serve, UNKNOWN } from './fake-lab.ts';

let lab = fakeLab();
let app = serve(lab);
beforeEach(async () => {
  await app.close();
  lab = fakeLab();
  app = serve(lab);
});
after(() => app.close());

const BASE = `/v2/projects/${PROJECT}`;
const post = (url: string, payload?: object) => app.inject({ method: 'POST', url, ...(payload ? { payload } : {}) });
const put = (url: string, payload: object) => app.inject({ method: 'PUT', url, payload });

describe('records of the controller group', () => {
  it('have exactly the fields of the interface', async () => {
    lab.records.put('node', NODE, node('machine_emulator', { engine: 'simulated', label: { text: 'a' } }));
    projectRecord.parse((await app.inject(BASE)).json());
    nodeRecord.parse((await app.inject(`${BASE}/nodes/${NODE}`)).json());
    linkRecord.parse((await app.inject(`${BASE}/links/${LINK}`)).json());
    drawingRecord.parse((await app.inject(`${BASE}/drawings/${DRAWING}`)).json());
  });

  it('are listed by project, the list of an unknown one is 404', async () => {
    for (const [noun, count] of [
      ['nodes', 2],
      ['links', 1],
      ['drawings', 1],
    ] as const) {
      assert.equal((await app.inject(`${BASE}/${noun}`)).json<unknown[]>().length, count);
      assert.equal((await app.inject(`/v2/projects/${UNKNOWN}/${noun}`)).statusCode, 404);
    }
    assert.equal((await app.inject('/v2/projects')).json<unknown[]>().length, 1);
    assert.deepEqual((await app.inject(`${BASE}/stats`)).json(), { nodes: 2, links: 1, drawings: 1, snapshots: 0 });
  });

  it('of another project are not found in this one', async () => {
    lab.records.put('project', UNKNOWN, project({ project_id: UNKNOWN }));
    for (const path of [`nodes/${NODE}`, `links/${LINK}`, `drawings/${DRAWING}`])
      assert.equal((await app.inject(`/v2/projects/${UNKNOWN}/${path}`)).statusCode, 404, path);
  });

  it('say what a node lacks or pretends only under properties', async () => {
    const failure = { code: 'engine_missing', message: 'no qemu' };
    lab.records.put('node', NODE, node('simple_pc', { engine: 'simulated', failure }));
    const { properties } = (await app.inject(`${BASE}/nodes/${NODE}`)).json<{ properties: object }>();
    assert.deepEqual(properties, { engine: 'simulated', failure });
  });

  it('show a project as opened only while it is', async () => {
    const status = async (state: 'closed' | 'opening' | 'opened' | 'closing') => {
      lab.records.put('project', PROJECT, project({ state }));
      return (await app.inject(BASE)).json<{ status: string }>().status;
    };
    assert.deepEqual(await Promise.all(['closed'].map(() => status('closed'))), ['closed']);
    assert.equal(await status('opening'), 'closed');
    assert.equal(await status('opened'), 'opened');
    assert.equal(await status('closing'), 'opened');
  });

  it('follow their changes', async () => {
    const url = `${BASE}/drawings/${DRAWING}`;
    const x = async () => (await app.inject(url)).json<{ x: number }>().x;
    assert.equal(await x(), 0);
    await put(url, { x: 5 });
    assert.equal(await x(), 5);
  });
});

describe('projects', () => {
  it('are created, opened and updated with the codes of the interface', async () => {
    assert.equal((await post('/v2/projects', { name: 'new', scene_width: 10 })).statusCode, 201);
    assert.equal((await post(`${BASE}/open`)).statusCode, 201);
    assert.equal((await put(BASE, { name: 'other' })).statusCode, 200);
    const closed = await post(`${BASE}/close`);
    assert.deepEqual([closed.statusCode, closed.body, closed.headers['content-length']], [204, '', '0']);
    assert.equal((await app.inject({ method: 'DELETE', url: BASE })).statusCode, 204);
    assert.deepEqual(
      lab.calls.map(([name]) => name),
      ['createProject', 'openProject', 'updateProject', 'closeProject', 'deleteProject'],
    );
    assert.equal((await post('/v2/projects', {})).statusCode, 400);
    assert.equal((await post('/v2/projects', { name: null })).statusCode, 400);
  });

  it('are loaded from a file on the local server only', async () => {
    const load = await post('/v2/projects/load', { path: '/labs/lab.gns3' });
    assert.equal(load.statusCode, 201);
    assert.equal(load.headers['x-route'], '/v2/projects/load');
    assert.equal((await post('/v2/projects/load', {})).statusCode, 400);
    const remote = serve(lab, { local: false });
    const refused = await remote.inject({ method: 'POST', url: '/v2/projects/load', payload: { path: '/x' } });
    await remote.close();
    assert.equal(refused.statusCode, 403);
    assert.equal(refused.json<{ status: number }>().status, 403);
    assert.equal(lab.calls.length, 1);
  });

  it('start and stop all their nodes whatever the body says', async () => {
    for (const action of ['start', 'stop', 'suspend', 'reload']) {
      const answer = await post(`${BASE}/nodes/${action}`, { anything: 1 });
      assert.deepEqual([answer.statusCode, answer.body], [204, '']);
      assert.equal(answer.headers['x-route'], `/v2/projects/{project_id}/nodes/${action}`);
      assert.deepEqual(lab.calls.at(-1), ['actOnProject', PROJECT, action]);
    }
    assert.equal((await post(`/v2/projects/${UNKNOWN}/nodes/start`)).statusCode, 404);
  });

  it('tell which nodes could not be started', async () => {
    const failed = [{ node_id: NODE, name: 'PC1', message: 'no image' }];
    lab.failNext(new TopologError('nodes_failed', { count: 1, total: 2, done: 'started', failed }));
    const answer = await post(`${BASE}/nodes/start`);
    assert.equal(answer.statusCode, 409);
    assert.deepEqual(answer.json<{ failed: unknown }>().failed, failed);
  });
});

describe('nodes', () => {
  it('are created by token or by the name tools use, with a name made unique', async () => {
    for (const node_type of ['simple_pc', 'vpcs']) {
      const answer = await post(`${BASE}/nodes`, { name: 'PC1', node_type, compute_id: 'local', x: 3 });
      assert.equal(answer.statusCode, 201);
      assert.equal(answer.json<{ node_type: string }>().node_type, 'simple_pc');
      assert.deepEqual(lab.calls.at(-1)?.slice(2), [
        { name: 'PC1', kind: 'simple_pc', compute_id: 'local', x: 3 },
        'make_unique',
      ]);
    }
    assert.equal((await post(`${BASE}/nodes`, { name: 'a', node_type: 'toaster' })).statusCode, 400);
  });

  it('have their properties checked by their kind', async () => {
    const answer = await post(`${BASE}/nodes`, { name: 'a', node_type: 'qemu', properties: { ram: 'much', wings: 2 } });
    assert.equal(answer.statusCode, 400);
    const fields = answer.json<{ errors: { field: string }[] }>().errors.map((e) => e.field);
    assert.deepEqual(fields.sort(), ['properties.ram', 'properties.wings']);
  });

  it('answer an action with the state reached', async () => {
    const url = `${BASE}/nodes/${NODE}`;
    for (const [action, status] of [
      ['start', 'started'],
      ['suspend', 'suspended'],
      ['reload', 'started'],
      ['stop', 'stopped'],
    ]) {
      const answer = await post(`${url}/${action}`);
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.json<{ status: string }>().status, status);
    }
  });

  it('pass what a start carries to their kind, which knows it', async () => {
    lab.records.put('node', NODE, node('trace_tool'));
    const url = `${BASE}/nodes/${NODE}/start`;
    await post(url, { destination: '10.0.0.1' });
    assert.deepEqual(lab.calls, [['actOnNode', PROJECT, NODE, 'start', { destination: '10.0.0.1' }]]);
    assert.equal((await post(url, { destination: 5 })).statusCode, 400);
  });

  it('are duplicated to a place', async () => {
    const answer = await post(`${BASE}/nodes/${NODE}/duplicate`, { x: 10, y: 20 });
    assert.equal(answer.statusCode, 201);
    assert.equal(answer.json<{ x: number }>().x, 10);
    assert.equal((await post(`${BASE}/nodes/${NODE}/duplicate`, { x: 1 })).statusCode, 400);
  });

  it('list their links', async () => {
    lab.records.put('link', UNKNOWN, link({ link_id: UNKNOWN, nodes: [] }));
    const links = (await app.inject(`${BASE}/nodes/${NODE_2}/links`)).json<{ link_id: string }[]>();
    assert.deepEqual(
      links.map((l) => l.link_id),
      [LINK],
    );
  });

  it('have their consoles reset: of a project, those that run; what fails is listed', async () => {
    assert.equal((await post(`${BASE}/nodes/console/reset`)).statusCode, 204);
    assert.deepEqual(lab.calls, []);
    lab.records.put('node', NODE, node('simple_pc', { state: 'started' }));
    lab.failNext(new Error('broker gone'));
    const answer = await post(`${BASE}/nodes/console/reset`);
    assert.equal(answer.statusCode, 409);
    assert.equal(answer.json<{ failed: { node_id: string }[] }>().failed[0]?.node_id, NODE);
    assert.equal((await post(`${BASE}/nodes/${NODE}/console/reset`)).statusCode, 204);
  });
});

describe('links', () => {
  it('are updated with 201, and read-only fields have no say', async () => {
    const answer = await put(`${BASE}/links/${LINK}`, {
      suspend: true,
      capturing: true,
      capture_file_name: 'x',
      filters: { delay: [5, 1] },
    });
    assert.equal(answer.statusCode, 201);
    assert.deepEqual(lab.calls, [['updateLink', PROJECT, LINK, { suspend: true, filters: { delay: [5, 1] } }]]);
    assert.equal((await put(`${BASE}/links/${LINK}`, { filters: { delay: 5 } })).statusCode, 400);
  });

  it('are captured with 201 both ways; a file name has no directories', async () => {
    assert.equal((await post(`${BASE}/links/${LINK}/start_capture`, { capture_file_name: 'a' })).statusCode, 201);
    assert.equal((await post(`${BASE}/links/${LINK}/stop_capture`)).statusCode, 201);
    for (const capture_file_name of ['../a', 'a/b', '..', 'a\\b', ''])
      assert.equal((await post(`${BASE}/links/${LINK}/start_capture`, { capture_file_name })).statusCode, 400);
    assert.equal((await app.inject(`${BASE}/links/${LINK}/pcap`)).statusCode, 409);
  });

  it('name their capture file while they capture, and have none before', async () => {
    const read = async () => (await app.inject(`${BASE}/links/${LINK}`)).json<Record<string, unknown>>();
    const keys = ['capturing', 'capture_file_name', 'capture_file_path', 'capture_compute_id'];
    const before = await read();
    assert.deepEqual(
      keys.map((k) => before[k]),
      [false, null, null, null],
    );
    const capture = {
      file_name: 'a.pcap',
      path: '/c/a.pcap',
      data_link_type: 'DLT_EN10MB',
      node_id: NODE,
      adapter_number: 0,
      port_number: 0,
    };
    lab.records.put('link', LINK, link({ state: 'capturing', capture }));
    const during = await read();
    assert.deepEqual(
      keys.map((k) => during[k]),
      [true, 'a.pcap', '/c/a.pcap', 'local'],
    );
  });

  it('describe the filters they take, none when neither end can filter', async () => {
    const url = `${BASE}/links/${LINK}/available_filters`;
    const types = (await app.inject(url)).json<{ type: string }[]>().map((f) => f.type);
    const known = ['frequency_drop', 'packet_loss', 'delay', 'corrupt'];
    assert.deepEqual(types, [...known, 'jitter', 'reorder', 'duplicate', 'burst_loss', 'rate', 'seed', 'bpf']);
    for (const node_id of [NODE, NODE_2]) lab.records.put('node', node_id, node('ethernet_hub', { node_id }));
    assert.deepEqual((await app.inject(url)).json(), []);
  });
});
