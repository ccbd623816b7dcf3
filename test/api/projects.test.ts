import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { tempDir } from '../support/temp.ts';
import { assertBrokenBodies, assertMalformedIds, assertWrongFields, type Bag, id, KINDS, startApi } from './api.ts';
import { assertFields, type FieldTable, without } from './fields.ts';

const LOAD = 'POST /v2/projects/load';
const START = 'POST /v2/projects/{project_id}/nodes/start';
const STOP = 'POST /v2/projects/{project_id}/nodes/stop';
const READ = 'GET /v2/projects/{project_id}';

const PROJECT: FieldTable = {
  project_id: 'uuid',
  name: 'string|null',
  filename: 'string|null',
  path: 'string|null',
  status: ['opened', 'closed'],
  auto_close: 'boolean',
  auto_open: 'boolean',
  auto_start: 'boolean',
  scene_width: 'integer',
  scene_height: 'integer',
  zoom: 'integer',
  show_grid: 'boolean',
  show_interface_labels: 'boolean',
  show_layers: 'boolean',
  snap_to_grid: 'boolean',
};

const api = await startApi();
const remote = await startApi(['--no-local']);
const dir = await tempDir();
after(async () => {
  await Promise.all([api.close(), remote.close()]);
  await dir.remove();
});

/** A copy of the lab of the examples, a project of its own: opening one writes into its directory. */
const copyOfLab = async (): Promise<string> => {
  const copy = path.join(dir.path, randomUUID());
  await cp(path.resolve('examples/labs/first-lab'), copy, { recursive: true });
  const file = path.join(copy, 'first-lab.gns3');
  const lab = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...lab, project_id: randomUUID() }));
  return file;
};

describe('a fork', () => {
  it('has a directory of its own, and its file in there, also without any files of nodes', async () => {
    const { project_id } = await api.get(201, 'POST /v2/projects', {}, { name: randomUUID() });
    const of = { project_id: String(project_id) };
    const forked = await api.get(201, 'POST /v2/projects/{project_id}/fork', of, { name: randomUUID() });
    await api.get(201, 'POST /v2/projects/{project_id}/open', { project_id: String(forked['project_id']) });
    await api.get(204, 'POST /v2/projects/{project_id}/close', { project_id: String(forked['project_id']) });
    const text = await readFile(path.join(String(forked['path']), String(forked['filename'])), 'utf8');
    assert.equal((JSON.parse(text) as Bag)['project_id'], forked['project_id']);
    assert.deepEqual(
      api.server.reports.filter((report) => /cannot be written/.test(report)),
      [],
    );
  });
});

describe('a project file', () => {
  it(`[${LOAD} 201] [rule 5] [state 1] is opened by its path on the local server and answered as a record`, async () => {
    const file = await copyOfLab();
    const record = await api.get(201, LOAD, {}, { path: file });
    assert.deepEqual(
      [record['status'], record['name'], record['filename'], record['path']],
      ['opened', 'first-lab', 'first-lab.gns3', path.dirname(file)],
    );
    const project_id = id(record, 'project_id');
    assert.deepEqual(await api.get(200, READ, { project_id }), record);
    assert.equal((await api.list(project_id, 'nodes')).length, 5);
    assert.equal((await api.list(project_id, 'links')).length, 4);
    assert.equal((await api.list(project_id, 'drawings')).length, 2);
  });

  it('[state 1] is opened again after a close', async () => {
    const file = await copyOfLab();
    const { project_id } = await api.get(201, LOAD, {}, { path: file });
    const at = { project_id: String(project_id) };
    await api.get(204, 'POST /v2/projects/{project_id}/close', at);
    assert.equal((await api.get(200, READ, at))['status'], 'closed');
    assert.equal((await api.get(201, LOAD, {}, { path: file }))['status'], 'opened');
    assert.equal((await api.get(200, READ, at))['status'], 'opened');
  });

  it(`[${LOAD} 403] [rule 5] [error 403] [state 2] is not opened by a server that is not the local one`, async () => {
    const file = await copyOfLab();
    const { code } = await remote.get(403, LOAD, {}, { path: file });
    assert.equal(code, 'not_local');
    // Whatever the body is: that server does not look at it.
    await remote.get(403, LOAD, {}, { path: '/no/such/file.gns3' });
    await remote.get(403, LOAD, {}, {});
    const projects = await remote.ask('GET /v2/projects');
    assert.deepEqual(projects.body, []);
  });

  it('[error 400] is not opened without a path, with a wrong one, or when it is no project file', async () => {
    await assertBrokenBodies(api, LOAD, {});
    await assertWrongFields(api, LOAD, {}, { path: {}, location: { path: '/x.gns3', location: 'local' } });
    await api.get(400, LOAD, {}, { path: '' });
    await api.get(400, LOAD, {}, { path: 7 });
  });

  it('[error 409] is not opened when there is none or it is no project file: the sentence says which', async () => {
    const missing = path.join(dir.path, 'missing.gns3');
    const broken = path.join(dir.path, 'broken.gns3');
    await writeFile(broken, 'not a project');
    const reasons = {
      [missing]: /missing\.gns3 .*does not exist/,
      [broken]: /not JSON/,
      [dir.path]: /not a regular file/,
    };
    for (const [file, reason] of Object.entries(reasons))
      assert.match(String((await api.get(409, LOAD, {}, { path: file }))['message']), reason);
  });
});

describe('a project', () => {
  it('[fields project] has every field with its type, made, read, updated and listed', async () => {
    const made = await api.get(201, 'POST /v2/projects', {}, { name: 'fields' });
    const at = { project_id: id(made, 'project_id') };
    assertFields(made, PROJECT);
    assertFields(await api.get(200, READ, at), PROJECT);
    const changes = { auto_close: false, auto_open: true, auto_start: true, scene_width: 1, scene_height: 2 };
    const more = { zoom: 50, show_grid: true, show_interface_labels: true, show_layers: true, snap_to_grid: true };
    const updated = await api.get(200, 'PUT /v2/projects/{project_id}', at, { ...changes, ...more });
    assertFields(updated, PROJECT);
    assert.deepEqual(updated, { ...made, ...changes, ...more });
    const { body } = await api.ask('GET /v2/projects');
    for (const listed of body as unknown as Bag[]) assertFields(listed, PROJECT);
  });

  it('[fields project] is opened or closed, and has the same fields in both', async () => {
    const project_id = await api.project();
    assert.equal((await api.get(200, READ, { project_id }))['status'], 'opened');
    await api.get(204, 'POST /v2/projects/{project_id}/close', { project_id });
    const closed = await api.get(200, READ, { project_id });
    assertFields(closed, PROJECT);
    assert.equal(closed['status'], 'closed');
  });
});

describe('all nodes of a project', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
    // A trace tool is told its destination beforehand: a project-wide start has no body for it.
    for (const kind of KINDS)
      await api.node(project_id, kind, kind === 'trace_tool' ? { default_destination: '169.254.1.1' } : {});
  });
  const states = async (): Promise<Bag> =>
    Object.fromEntries(
      (await api.list(project_id, 'nodes')).map((n): [string, unknown] => [id(n, 'node_type'), n['status']]),
    );
  const every = (status: string): Bag => Object.fromEntries(KINDS.map((kind) => [kind, status]));

  it(`[${START} 204] [rule 6] [state 3] are started by one request without an answer's body, whatever their kind`, async () => {
    assert.equal(await api.get(204, START, { project_id }), null);
    assert.deepEqual(await states(), every('started'));
  });

  it(`[${STOP} 204] [rule 6] [state 4] are stopped by one request without an answer's body, whatever their kind`, async () => {
    await api.get(204, START, { project_id });
    assert.equal(await api.get(204, STOP, { project_id }), null);
    assert.deepEqual(await states(), every('stopped'));
  });

  it('[rule 6] are in the state asked for when they are asked twice, also at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => api.get(204, START, { project_id })));
    assert.deepEqual(await states(), every('started'));
    await Promise.all([1, 2, 3].map(() => api.get(204, STOP, { project_id })));
    assert.deepEqual(await states(), every('stopped'));
  });

  it('[rule 12] take an empty object, nothing at all, and any other object', async () => {
    for (const body of [{}, undefined, '', { anything: [1, 2, 3] }]) {
      await api.get(204, START, { project_id }, body);
      assert.deepEqual(await states(), every('started'));
      await api.get(204, STOP, { project_id }, body);
      assert.deepEqual(await states(), every('stopped'));
    }
  });

  it('[rule 6] of a project without nodes are none, and that is fine', async () => {
    const empty = await api.project();
    await api.get(204, START, { project_id: empty }, {});
    await api.get(204, STOP, { project_id: empty }, {});
  });

  for (const row of [START, STOP]) {
    it(`[${row} 400] are asked by the id of the project, and with a JSON object if with anything`, async () => {
      await assertMalformedIds(api, row, { project_id });
      await assertBrokenBodies(api, row, { project_id });
    });

    it(`[${row} 404] are asked of a project that exists`, async () => {
      const { message } = await api.get(404, row, { project_id: randomUUID() }, {});
      assert.match(String(message), /^Project /);
    });
  }
});

describe('a node of the controller group', () => {
  const TABLE: FieldTable = {
    compute_id: 'string',
    name: 'string',
    node_type: KINDS,
    node_id: 'uuid',
    project_id: 'uuid',
    command_line: 'string|null',
    console: 'integer|null',
    console_host: 'string',
    console_type: ['vnc', 'telnet', 'http', 'https', 'spice', 'null', 'none'],
    first_port_name: 'string|null',
    height: 'integer',
    width: 'integer',
    label: 'object',
    node_directory: 'string|null',
    port_name_format: 'string',
    port_segment_size: 'integer',
    ports: 'array',
    properties: 'object',
    status: ['stopped', 'started', 'suspended'],
    symbol: 'string|null',
    x: 'integer',
    y: 'integer',
    z: 'integer',
  };
  const NODE = '/v2/projects/{project_id}/nodes/{node_id}';
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });

  for (const kind of KINDS)
    it(`[fields controller node] has every field with its type when it is a ${kind}, in each state`, async () => {
      const trace = kind === 'trace_tool' ? { default_destination: '169.254.1.1' } : {};
      const { node_id } = await api.node(project_id, kind, trace);
      const at = { project_id, node_id: String(node_id) };
      const made = await api.get(200, `GET ${NODE}`, at);
      assertFields(made, TABLE);
      assert.equal(made['node_type'], kind);
      for (const action of ['start', 'suspend', 'stop']) {
        const answered = await api.get(200, `POST ${NODE}/${action}`, at);
        assertFields(answered, TABLE);
        assert.deepEqual(await api.get(200, `GET ${NODE}`, at), answered);
      }
      assert.equal((await api.get(200, `GET ${NODE}`, at))['status'], 'stopped');
    });

  it('[fields controller node] keeps what is read only when an update sends it', async () => {
    const { node_id } = await api.node(project_id, 'simple_pc');
    const at = { project_id, node_id: String(node_id) };
    const record = await api.get(200, `GET ${NODE}`, at);
    const readOnly = { width: 1, height: 2, node_directory: '/elsewhere', ports: [], x: 33 };
    const updated = await api.get(200, `PUT ${NODE}`, at, readOnly);
    assert.deepEqual(updated, { ...record, x: 33 });
    assert.deepEqual(without(await api.get(200, `GET ${NODE}`, at), 'x'), without(record, 'x'));
  });
});

describe('the version', () => {
  const VERSION = 'GET /v2/compute/version';

  it(`[${VERSION} 200] [rule 8] [fields version] [versioning record] is a string, with whether the server is the local one`, async () => {
    const record = await api.get(200, VERSION);
    assertFields(record, { version: 'string', local: 'boolean' });
    assert.match(String(record['version']), /^\d+\.\d+\.\d+/);
    assert.equal(record['local'], true);
    assert.deepEqual(await remote.get(200, VERSION), { ...record, local: false });
  });

  it('[versioning prefix] is under /v2 as everything is: without it nothing is there', async () => {
    for (const path of ['/compute/version', '/projects', '/v1/projects', '/v3/compute/version', '/v2']) {
      const answer = await api.server.request('GET', path);
      assert.equal(answer.status, 404, path);
    }
    const document = await api.get(200, 'GET /v2/openapi.json');
    // But for what Prometheus asks for.
    for (const path of Object.keys(document['paths'] as Bag))
      assert.ok(path.startsWith('/v2/') || path === '/metrics', path);
  });
});
