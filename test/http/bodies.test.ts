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
