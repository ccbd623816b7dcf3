import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DRAWING, fakeLab, kinds, LINK, NODE, NODE_2, node, PROJECT, serve } from './fake-lab.ts';

interface ErrorBody {
  message: string;
  status: number;
  errors?: { field: string; problem: string }[];
}

let lab = fakeLab();
let app = serve(lab);
beforeEach(async () => {
  await app.close();
  lab = fakeLab();
  app = serve(lab);
});
after(() => app.close());

const DRAWING_URL = `/v2/projects/${PROJECT}/drawings/${DRAWING}`;
const put = (url: string, payload: string | object | Buffer, headers: Record<string, string> = {}) =>
  app.inject({ method: 'PUT', url, payload, headers });

describe('a body', () => {
  it('is JSON whatever its content type says, or when it says nothing', async () => {
    for (const type of [
      undefined,
      'application/json; charset=utf-8',
      'text/plain',
      'nonsense',
      'application/x-www-form-urlencoded',
    ]) {
      const answer = await put(DRAWING_URL, '{"x": 7}', type === undefined ? {} : { 'content-type': type });
      assert.equal(answer.statusCode, 201, type ?? 'none');
      assert.equal(answer.json<{ x: number }>().x, 7);
    }
  });

  it('that is missing or empty is {}: an update then changes nothing and answers the record', async () => {
    for (const payload of [undefined, '', '  \n', '{}']) {
      const answer = await app.inject({
        method: 'PUT',
        url: DRAWING_URL,
        ...(payload === undefined ? {} : { payload }),
      });
      assert.equal(answer.statusCode, 201);
      assert.equal(answer.json<{ drawing_id: string }>().drawing_id, DRAWING);
    }
    assert.deepEqual(lab.calls, []);
  });

  it('may come with a DELETE', async () => {
    const answer = await app.inject({
      method: 'DELETE',
      url: DRAWING_URL,
      payload: '{}',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.statusCode, 204);
    assert.equal(answer.headers['content-length'], '0');
    assert.equal(answer.headers['content-type'], undefined);
    assert.equal(answer.body, '');
  });

  it('that is not a JSON object in UTF-8, or too deep for a walk, is 400', async () => {
    const bodies = ['{', '[]', '"x"', '1', 'null', 'true', Buffer.from([0x7b, 0xff, 0x7d]), '{"x": NaN}'];
    const deep = `{"properties":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    for (const body of [...bodies, deep, '{"x":1,"__proto__":{"y":2}}']) {
      const answer = await put(DRAWING_URL, body);
      assert.equal(answer.statusCode, 400, String(body).slice(0, 40));
      assert.match(answer.json<ErrorBody>().message, /^The request is not valid: the body/);
      assert.equal(answer.headers['x-route'], '/v2/projects/{project_id}/drawings/{drawing_id}');
    }
    assert.deepEqual(lab.calls, []);
    assert.deepEqual(lab.defects, []);
  });

  it('over the limit is 413', async () => {
    const svg = JSON.stringify({ svg: 'x'.repeat(1 << 20) });
    const over = await put(DRAWING_URL, svg);
    assert.equal(over.statusCode, 413);
    assert.match(over.json<ErrorBody>().message, /1048576 bytes/);
    const fits = await put(DRAWING_URL, JSON.stringify({ svg: 'x'.repeat((1 << 20) - 100) }));
    assert.equal(fits.statusCode, 201);
  });
});

describe('a refused body', () => {
  it('is answered with every field and what would be right, the first of them in the message', async () => {
    const answer = await put(DRAWING_URL, { rotation: 361, x: 1.5, locked: 'yes', colour: 'red' });
    assert.equal(answer.statusCode, 400);
    const { message, errors = [] } = answer.json<ErrorBody>();
    const problems = Object.fromEntries(errors.map((e) => [e.field, e.problem]));
    assert.deepEqual(problems, {
      rotation: 'must be at most 360',
      x: 'must be an integer',
      locked: 'must be a boolean',
      colour: 'is not known here',
    });
    assert.equal(message, `The request is not valid: ${errors[0]?.field} ${errors[0]?.problem}`);
  });

  it('asks for the field that a mistyped one may have been meant for', async () => {
    const drawing = await put(DRAWING_URL, { rotaton: 90 });
    assert.equal(drawing.statusCode, 400);
    assert.match(drawing.json<ErrorBody>().message, /rotaton is not known here; did you mean rotation\?$/);
    const properties = { startup_scrpt: 'echo 1' };
    const payload = { name: 'PC', node_type: 'simple_pc', compute_id: 'local', properties };
    const node = await app.inject({ method: 'POST', url: `/v2/projects/${PROJECT}/nodes`, payload });
    assert.equal(node.statusCode, 400);
    assert.match(node.json<ErrorBody>().message, /startup_scrpt is not known here; did you mean startup_script\?$/);
  });

  it('says where a setting of a kind belongs', async () => {
    const url = `/v2/projects/${PROJECT}/nodes`;
    const payload = { name: 'web', node_type: 'docker', image: 'nginx', colour: 1 };
    const answer = await app.inject({ method: 'POST', url, payload });
    assert.equal(answer.statusCode, 400);
    assert.match(answer.json<ErrorBody>().message, /image is not known here; send properties\.image/);
  });

  it('says what is wrong with an adapter of its own', async () => {
    const custom_adapters = [{ adapter_number: 0, mac_address: 'none' }];
    const answer = await put(`/v2/projects/${PROJECT}/nodes/${NODE}`, { custom_adapters });
    assert.deepEqual(answer.json<ErrorBody>().errors, [
      { field: 'custom_adapters[0].mac_address', problem: 'must be a MAC address such as 0c:12:34:56:00:00' },
    ]);
  });

  it('says which field is missing, also deep inside', async () => {
    const url = `/v2/projects/${PROJECT}/links`;
    const nodes = [
      { node_id: NODE, adapter_number: 0, port_number: 0 },
      { node_id: 'x', port_number: -1 },
    ];
    const answer = await app.inject({ method: 'POST', url, payload: { nodes } });
    const problems = answer.json<ErrorBody>().errors?.map((e) => `${e.field} ${e.problem}`);
    assert.deepEqual(problems, [
      'nodes[1].node_id must be a UUID: hexadecimal digits grouped 8-4-4-4-12',
      'nodes[1].adapter_number is missing: it must be a number',
      'nodes[1].port_number must be at least 0',
    ]);
    const one = await app.inject({ method: 'POST', url, payload: { nodes: nodes.slice(0, 1) } });
    assert.equal(one.json<ErrorBody>().errors?.[0]?.problem, 'must have exactly 2 items, the two ends');
  });

  it('is bounded in what it lists', async () => {
    const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, 1]));
    const answer = await put(DRAWING_URL, keys);
    assert.equal(answer.json<ErrorBody>().errors?.length, 20);
  });
});

describe('a node of existing clients', () => {
  const nodes = `/v2/projects/${PROJECT}/nodes`;
  const asked = async (method: 'POST' | 'PUT', payload: object): Promise<unknown> => {
    lab.calls.length = 0;
    const answer = await app.inject({ method, url: method === 'POST' ? nodes : `${nodes}/${NODE}`, payload });
    assert.ok(answer.statusCode < 300, answer.body);
    return lab.calls[0]?.[method === 'POST' ? 2 : 3];
  };

  it('may have its console and its adapters among its properties; what stands beside them counts', async () => {
    const adapters = [{ adapter_number: 0, port_name: 'mgmt' }];
    const properties = { ram: 64, console: 5001, console_type: 'vnc', custom_adapters: adapters };
    const fields = { console: 5001, console_type: 'vnc', custom_adapters: adapters };
    const vm = { name: 'a', node_type: 'qemu' };
    const made = { name: 'a', kind: 'machine_emulator', properties: { ram: 64 } };
    assert.deepEqual(await asked('POST', { ...vm, properties }), { ...made, ...fields });
    assert.deepEqual(await asked('POST', { ...vm, console_type: 'none', console: null, properties }), {
      ...{ ...made, ...fields },
      console_type: 'none',
    });
    lab.records.put('node', NODE, node('machine_emulator'));
    assert.deepEqual(await asked('PUT', { properties }), { properties: { ram: 64 }, ...fields });
    const wrong = await put(`${nodes}/${NODE}`, { properties: { console_type: 'tty' } });
    assert.match(wrong.json<ErrorBody>().message, /console_type must be one of vnc, telnet/);
  });

  it('may have empty texts for the usual values', async () => {
    const properties = { platform: '', hda_disk_interface: '' };
    assert.deepEqual(await asked('POST', { name: 'a', node_type: 'qemu', properties }), {
      ...{ name: 'a', kind: 'machine_emulator' },
      properties: { platform: undefined, hda_disk_interface: undefined },
    });
    const url = `/v2/compute/projects/${PROJECT}/qemu/nodes`;
    const { platform, hda_disk_interface } = (
      await app.inject({ method: 'POST', url, payload: { name: 'a', ...properties } })
    ).json<Record<string, unknown>>();
    assert.deepEqual([platform, hda_disk_interface], ['x86_64', 'ide']);
    const custom_adapters = [{ adapter_number: 0, port_name: '', adapter_type: '', mac_address: '' }];
    for (const body of [{ custom_adapters }, { properties: { custom_adapters } }])
      assert.deepEqual(await asked('PUT', body), {
        custom_adapters,
        ...('properties' in body ? { properties: {} } : {}),
      });
  });
});

describe('a name', () => {
  it('is one line: line ends and control characters are refused with the field', async () => {
    const project = `/v2/projects/${PROJECT}`;
    const rows: [method: 'POST' | 'PUT', url: string, body: object, field?: string][] = [
      ['POST', '/v2/projects', {}],
      ['PUT', project, {}],
      ['POST', `${project}/duplicate`, {}],
      ['POST', `${project}/snapshots`, {}],
      ['POST', `${project}/nodes`, { node_type: 'vpcs' }],
      ['PUT', `${project}/nodes/${NODE}`, {}],
      ['PUT', `${project}/nodes/${NODE}`, {}, 'port_name_format'],
      ['PUT', `${project}/nodes/${NODE}`, {}, 'first_port_name'],
      ['POST', '/v2/templates', { template_type: 'vpcs' }],
      ['POST', '/v2/computes', { protocol: 'http', host: '127.0.0.1', port: 3080 }],
      ...['vpcs', 'nat', 'qemu'].map((kind): [method: 'POST', url: string, body: object] => [
        'POST',
        `/v2/compute/projects/${PROJECT}/${kind}/nodes`,
        {},
      ]),
    ];
    for (const [method, url, body, field = 'name'] of rows)
      for (const wrong of ['a\nb', 'a\r', '\u0000', 'a\u001b[2J', '\u2028', '\u0085']) {
        const answer = await app.inject({ method, url, payload: { ...body, [field]: wrong } });
        assert.equal(answer.statusCode, 400, `${method} ${url} ${JSON.stringify(wrong)}`);
        assert.equal(
          answer.json<ErrorBody>().message,
          `The request is not valid: ${field} must be one line without control characters`,
        );
      }
    const adapter = { adapter_number: 0, port_name: 'a\nb' };
    const { message } = (await put(`${project}/nodes/${NODE}`, { custom_adapters: [adapter] })).json<ErrorBody>();
    assert.match(message, /custom_adapters\[0\]\.port_name must be one line/);
    const ports = { ports_mapping: [{ name: 'a\nb', port_number: 0 }] };
    const hub = { name: 'hub', node_type: 'ethernet_hub', properties: ports };
    const answer = await app.inject({ method: 'POST', url: `${project}/nodes`, payload: hub });
    assert.match(answer.json<ErrorBody>().message, /properties\.ports_mapping\[0\]\.name must be one line/);
    assert.deepEqual(lab.calls, []);
  });
});

describe('numbers', () => {
  it('take 1.0 for an integer', async () => {
    const answer = await put(DRAWING_URL, '{"x": 1.0, "y": -2e1}');
    assert.equal(answer.statusCode, 201);
    assert.deepEqual(lab.calls, [['updateDrawing', PROJECT, DRAWING, { x: 1, y: -20 }]]);
  });

  it('of a label are rounded, as a browser sends the fractions of a drag', async () => {
    const label = { text: 'PC1', x: -0.4, y: 12.6, rotation: 0, style: null };
    assert.equal((await put(`/v2/projects/${PROJECT}/nodes/${NODE}`, { label })).statusCode, 200);
    const rounded = { text: 'PC1', x: 0, y: 13, rotation: 0, style: null };
    assert.deepEqual(lab.calls, [['updateNode', PROJECT, NODE, { label: rounded }, 'make_unique']]);
    const nodes = [{ node_id: NODE, adapter_number: 0, port_number: 0, label }];
    assert.equal((await put(`/v2/projects/${PROJECT}/links/${LINK}`, { nodes })).statusCode, 201);
    assert.deepEqual(lab.calls[1], ['updateLink', PROJECT, LINK, { nodes: [{ node_id: NODE, label: rounded }] }]);
  });
});

describe('a record', () => {
  const roundTrip = async (url: string, code: number): Promise<void> => {
    const record = (await app.inject(url)).json<object>();
    const answer = await put(url, record);
    assert.equal(answer.statusCode, code, answer.body);
    assert.deepEqual(answer.json(), record, url);
  };

  it('can be put back as it was read, in both groups and for every kind', async () => {
    const base = `/v2/projects/${PROJECT}`;
    await roundTrip(base, 200);
    await roundTrip(DRAWING_URL, 201);
    await roundTrip(`${base}/links/${LINK}`, 201);
    for (const { name } of kinds.all()) {
      const record = node(name, { engine: 'simulated', failure: { code: 'engine_failed', message: 'no' } });
      lab.records.put('node', NODE, { ...record, properties: { ...record.properties, only_in_the_file: [1] } });
      await roundTrip(`${base}/nodes/${NODE}`, 200);
      lab.records.put('node', NODE, record);
      await roundTrip(`/v2/compute/projects/${PROJECT}/${name}/nodes/${NODE}`, 200);
    }
  });

  it('put back does not make stored properties of what answers only add', async () => {
    lab.records.put('node', NODE, node('simple_pc', { engine: 'simulated' }));
    const url = `/v2/projects/${PROJECT}/nodes/${NODE}`;
    const { properties } = (await app.inject(url)).json<{ properties: object }>();
    assert.deepEqual(properties, { engine: 'simulated' });
    await put(url, { properties });
    await put(url, { properties: { engine: 'embedded' } });
    const sent = lab.calls.map((call) => (call[3] as { properties: object }).properties);
    assert.deepEqual(sent, [{}, { engine: 'embedded' }]);
  });

  it('keeps its place: identifiers in the body of an update have no say', async () => {
    const answer = await put(DRAWING_URL, { drawing_id: NODE_2, project_id: 5, x: 3 });
    assert.equal(answer.statusCode, 201);
    assert.deepEqual(lab.calls, [['updateDrawing', PROJECT, DRAWING, { x: 3 }]]);
  });
});

describe('POST /v2/projects', () => {
  it('takes query parameters as string fields; the body wins', async () => {
    const answer = await app.inject({ method: 'POST', url: '/v2/projects?name=from-query' });
    assert.equal(answer.statusCode, 201);
    assert.equal(answer.json<{ name: string }>().name, 'from-query');
    const both = await app.inject({ method: 'POST', url: '/v2/projects?name=a', payload: { name: 'b' } });
    assert.equal(both.json<{ name: string }>().name, 'b');
    assert.equal((await app.inject({ method: 'POST', url: '/v2/projects?nam=a' })).statusCode, 400);
  });
});
