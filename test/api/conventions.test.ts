import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Bag, id, KINDS, NO_UUIDS, startApi, type Values } from './api.ts';
import { freePort } from '../support/free-port.ts';

const api = await startApi();
after(() => api.close());

const COMPUTE = '/v2/compute/projects/{project_id}';
const PORT = 'nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}';

/** Tokens that the description lists for kinds of the compute group. */
const TOKENS = KINDS.slice(0, 9);
const OTHER = ['cloud', 'ethernet_hub', 'ethernet_switch', 'frame_relay_switch', 'atm_switch'] as const;

/** All rows of the summary. */
const ROWS = [
  ...['drawings/{drawing_id}', 'links/{link_id}'].flatMap((one) =>
    ['GET', 'PUT', 'DELETE'].map((method) => `${method} /v2/projects/{project_id}/${one}`),
  ),
  'POST /v2/projects/load',
  'POST /v2/projects/{project_id}/nodes/start',
  'POST /v2/projects/{project_id}/nodes/stop',
  'GET /v2/compute/version',
  ...['desktop_vm_a', 'desktop_vm_b', 'nat'].flatMap((kind) =>
    ['GET', 'PUT', 'DELETE'].map((method) => `${method} ${COMPUTE}/${kind}/nodes/{node_id}`),
  ),
  `POST ${COMPUTE}/machine_emulator/nodes`,
  `POST ${COMPUTE}/nat/nodes`,
  `POST ${COMPUTE}/trace_tool/nodes/{node_id}/start`,
  `POST ${COMPUTE}/container/${PORT}/start_capture`,
  ...['desktop_vm_a', 'switch_router_emulator', 'router_emulator'].flatMap((kind) =>
    ['POST', 'PUT', 'DELETE'].map((method) => `${method} ${COMPUTE}/${kind}/${PORT}/nio`),
  ),
];

/** What a server sends, byte by byte, until it closes the connection. */
const raw = (request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });

const fill = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

describe('every answer', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  const unknown = (): Values => ({
    project_id,
    node_id: randomUUID(),
    link_id: randomUUID(),
    drawing_id: randomUUID(),
    adapter_number: 0,
    port_number: 0,
  });

  it('[convention X-Route] [convention JSON] names the template of its route as it is written, also when it is an error', async () => {
    for (const row of ROWS) {
      // `ask` compares X-Route, content type and length of each answer.
      const found = await api.ask(row, unknown(), row.startsWith('GET') ? undefined : {});
      assert.ok(found.status < 500, `${row}: ${found.text}`);
      const names = [...row.matchAll(/\{(\w+_id)\}/g)].map(([, name = '']) => name);
      for (const name of names) assert.equal((await api.ask(row, { ...unknown(), [name]: 'none' })).status, 400, row);
    }
  });

  it('[convention X-Route] names the template with its own token where the path had another name of the kind', async () => {
    const node_id = id(await api.node(project_id, 'desktop_vm_a'));
    const answer = await api.server.request('GET', `/v2/compute/projects/${project_id}/virtualbox/nodes/${node_id}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-route'), `${COMPUTE}/desktop_vm_a/nodes/{node_id}`);
  });

  it('[convention JSON] is application/json also where no route is, or with another method', async () => {
    for (const [method, path] of Object.entries({ GET: '/v2/nothing', PATCH: '/v2/projects', DELETE: '/v2/version' })) {
      const answer = await api.server.request(method, path);
      assert.ok([404, 405].includes(answer.status), answer.text);
      assert.equal(answer.headers.get('content-type'), 'application/json');
      assert.equal((answer.body as Bag)['status'], answer.status);
    }
  });

  it('[convention JSON] reads a body as JSON whatever its content type says', async () => {
    const row = `/v2/compute/projects/${project_id}/nat/nodes`;
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/octet-stream',
    ]) {
      const answer = await api.server.request('POST', row, { name: `nat ${type}` }, { 'content-type': type });
      assert.equal(answer.status, 201, answer.text);
      assert.equal((answer.body as Bag)['name'], `nat ${type}`);
    }
  });

  it('[convention 204] that is a 204 is a head with Content-Length 0 and nothing more, byte by byte', async () => {
    const drawing = await api.get(201, 'POST /v2/projects/{project_id}/drawings', { project_id }, {});
    const pcs = [await api.node(project_id, 'simple_pc'), await api.node(project_id, 'simple_pc')];
    const nodes = pcs.map((n) => ({ node_id: n['node_id'], adapter_number: 0, port_number: 0 }));
    const link = await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    const vm = await api.node(project_id, 'desktop_vm_a');
    const at = { ...unknown(), node_id: id(vm), link_id: id(link, 'link_id'), drawing_id: id(drawing, 'drawing_id') };
    const nio = { type: 'nio_udp', lport: await freePort(), rhost: '127.0.0.1', rport: await freePort() };
    await api.get(201, `POST ${COMPUTE}/desktop_vm_a/${PORT}/nio`, at, nio);
    const rows = [
      'DELETE /v2/projects/{project_id}/drawings/{drawing_id}',
      'DELETE /v2/projects/{project_id}/links/{link_id}',
      `DELETE ${COMPUTE}/desktop_vm_a/${PORT}/nio`,
      'POST /v2/projects/{project_id}/nodes/start',
      'POST /v2/projects/{project_id}/nodes/stop',
      `DELETE ${COMPUTE}/desktop_vm_a/nodes/{node_id}`,
    ];
    for (const row of rows) {
      const [method = '', template = ''] = row.split(' ');
      const request = `${method} ${fill(template, at)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
      const text = await raw(request);
      const [head = '', ...rest] = text.split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 204 No Content\r\n/, `${row}: ${text}`);
      assert.match(head, /\r\ncontent-length: 0(\r\n|$)/i, head);
      assert.doesNotMatch(head, /\r\n(transfer-encoding|content-type):/i, head);
      assert.ok(head.toLowerCase().includes(`\r\nx-route: ${template.toLowerCase()}\r\n`), head);
      assert.deepEqual(rest, [''], 'nothing follows the head');
    }
  });

  it('[convention 204] leaves its connection fit for the next request', async () => {
    const { drawing_id } = await api.get(201, 'POST /v2/projects/{project_id}/drawings', { project_id }, {});
    const one = `DELETE /v2/projects/${project_id}/drawings/${String(drawing_id)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const two = 'GET /v2/compute/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const text = await raw(one + two);
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code),
      ['204', '200'],
    );
    assert.match(text, /\{"version":/);
  });
});

describe('a kind of node', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });

  for (const kind of [
    'desktop_vm_a',
    'desktop_vm_b',
    'machine_emulator',
    'container',
    'router_emulator',
    'switch_router_emulator',
    'trace_tool',
    'simple_pc',
    'nat',
  ] as const)
    it(`[convention kinds] has one token in paths and as node_type, in both groups: ${kind}`, async () => {
      assert.ok((TOKENS as readonly string[]).includes(kind));
      const { node_id } = await api.node(project_id, kind);
      const at = { project_id, node_id: String(node_id) };
      const record = await api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', at);
      assert.equal(record['node_type'], kind);
      const properties = record['properties'] as Bag;
      const { engine: _, ...given } = properties;
      const body = { name: `${kind} again`, node_type: kind, compute_id: 'local', properties: given };
      const made = await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body);
      assert.equal(made['node_type'], kind);
      const read = await api.get(200, `GET ${COMPUTE}/${kind}/nodes/{node_id}`, { project_id, node_id: id(made) });
      assert.equal(read['name'], `${kind} again`);
    });

  it('[convention other kinds] is also one of five that the description names only as node_type', async () => {
    for (const node_type of OTHER) {
      const body = { name: node_type, node_type, compute_id: 'local' };
      const made = await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body);
      assert.equal(made['node_type'], node_type);
    }
    const other = { name: 'x', node_type: 'toaster', compute_id: 'local' };
    const { message } = await api.get(400, 'POST /v2/projects/{project_id}/nodes', { project_id }, other);
    assert.match(String(message), /node_type/);
  });
});

describe('an identifier', () => {
  it('[convention UUID] is a UUID string in every record', async () => {
    const project_id = await api.project();
    const drawing = await api.get(201, 'POST /v2/projects/{project_id}/drawings', { project_id }, {});
    const node = await api.node(project_id, 'simple_pc');
    const other = await api.node(project_id, 'ethernet_switch');
    const nodes = [node, other].map((n) => ({ node_id: n['node_id'], adapter_number: 0, port_number: 0 }));
    const link = await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    const ids = [project_id, drawing['drawing_id'], drawing['project_id'], node['node_id'], link['link_id']];
    for (const one of ids) assert.match(String(one), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('[convention UUID] given in a body is taken when it is a UUID and refused with 400 when not', async () => {
    const project_id = await api.project();
    const node_id = randomUUID();
    assert.equal((await api.node(project_id, 'nat', { node_id }))['node_id'], node_id);
    const drawing_id = randomUUID();
    const drawing = await api.get(201, 'POST /v2/projects/{project_id}/drawings', { project_id }, { drawing_id });
    assert.equal(drawing['drawing_id'], drawing_id);
    for (const wrong of [...NO_UUIDS, '', 7, null, {}]) {
      await api.get(400, `POST ${COMPUTE}/nat/nodes`, { project_id }, { node_id: wrong });
      await api.get(400, 'POST /v2/projects/{project_id}/drawings', { project_id }, { drawing_id: wrong });
      // Existing clients send null for a project that is to get an id.
      if (wrong !== null) await api.get(400, 'POST /v2/projects', {}, { name: 'x', project_id: wrong });
    }
    const { project_id: made } = await api.get(201, 'POST /v2/projects', {}, { name: 'x', project_id: null });
    assert.match(String(made), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('an adapter or port number', () => {
  const rows = [
    `POST ${COMPUTE}/container/${PORT}/start_capture`,
    ...['desktop_vm_a', 'switch_router_emulator', 'router_emulator'].flatMap((kind) =>
      ['POST', 'PUT', 'DELETE'].map((method) => `${method} ${COMPUTE}/${kind}/${PORT}/nio`),
    ),
  ];

  it('[convention digits] [error 400] is one or more digits in every path that has one, and everything else is 400', async () => {
    const at = { project_id: randomUUID(), node_id: randomUUID(), adapter_number: 0, port_number: 0 };
    for (const row of rows)
      for (const name of ['adapter_number', 'port_number']) {
        for (const wrong of ['-0', 'one', '0x1', '1e3', '1.0', '٣', '1 ', '+1', '9'.repeat(30)])
          await api.get(400, row, { ...at, [name]: wrong }, {});
      }
  });

  it('[convention digits] may have leading zeros', async () => {
    const project_id = await api.project();
    const node_id = id(await api.node(project_id, 'router_emulator'));
    const nio = { type: 'nio_udp', lport: await freePort(), rhost: '127.0.0.1', rport: await freePort() };
    const at = { project_id, node_id, adapter_number: '00', port_number: '000' };
    await api.get(201, `POST ${COMPUTE}/router_emulator/${PORT}/nio`, at, nio);
    await api.get(204, `DELETE ${COMPUTE}/router_emulator/${PORT}/nio`, { ...at, adapter_number: 0, port_number: 0 });
  });
});
