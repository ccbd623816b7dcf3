import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, testServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let project = '';
before(async () => {
  server = await testServer();
  const made = await server.request('POST', '/v2/projects', { name: 'etags' });
  project = `/v2/projects/${(made.body as { project_id: string }).project_id}`;
});
after(() => server.close());

const etagOf = (answer: Answer): string => answer.headers.get('etag') ?? '';
const pc = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };

/** A path of one record of each sort, and a change to it. */
const things = async (): Promise<[string, object][]> => {
  const make = async (path: string, body: object, id: string): Promise<string> => {
    const made = await server.request('POST', `${project}${path}`, body);
    assert.equal(made.status, 201, made.text);
    return `${project}${path}/${String((made.body as Record<string, unknown>)[id])}`;
  };
  const [a, b] = [await make('/nodes', pc, 'node_id'), await make('/nodes', pc, 'node_id')];
  const ends = [a, b].map((path) => ({ node_id: path.slice(-36), adapter_number: 0, port_number: 0 }));
  return [
    [await make('/drawings', { x: 1 }, 'drawing_id'), { x: 2 }],
    [await make('/links', { nodes: ends }, 'link_id'), { suspend: true }],
    [a, { x: 5 }],
    [b.replace('/v2/', '/v2/compute/').replace('/nodes/', '/simple_pc/nodes/'), { name: `Other${b}` }],
  ];
};

describe('the ETag of a record', () => {
  it('is the same until the record changes; a client that has it gets no body again', async () => {
    for (const [path, change] of await things()) {
      const read = await server.request('GET', path);
      assert.match(etagOf(read), /^"\d+"$/, path);
      const known = await server.request('GET', path, undefined, { 'If-None-Match': etagOf(read) });
      assert.deepEqual([known.status, known.text], [304, ''], path);
      const changed = await server.request('PUT', path, change);
      assert.notEqual(etagOf(changed), etagOf(read), path);
      const again = await server.request('GET', path, undefined, { 'If-None-Match': etagOf(read) });
      assert.deepEqual([again.status, etagOf(again)], [200, etagOf(changed)], path);
    }
  });

  it('guards writes: what was meant for an older state changes nothing', async () => {
    for (const [path, change] of await things()) {
      const old = etagOf(await server.request('GET', path));
      const changed = await server.request('PUT', path, change, { 'If-Match': old });
      assert.ok(changed.status === 200 || changed.status === 201, changed.text);
      for (const [method, body] of [
        ['PUT', change],
        ['PUT', {}],
        ['DELETE', undefined],
      ] as const) {
        const refused = await server.request(method, path, body, { 'If-Match': old });
        assert.equal(refused.status, 412, `${method} ${path}: ${refused.text}`);
        assert.ok((refused.body as { message: string }).message.includes(etagOf(changed)));
      }
      assert.equal(etagOf(await server.request('GET', path)), etagOf(changed));
      assert.equal(
        (await server.request('PUT', path, change, { 'If-Match': `"1", ${etagOf(changed)}` })).status < 300,
        true,
      );
      const last = await server.request('DELETE', path, undefined, { 'If-Match': '*' });
      assert.equal(last.status, 204, last.text);
    }
  });

  it('lets one of many writers through that all read the same', async () => {
    const made = await server.request('POST', `${project}/drawings`, {});
    const path = `${project}/drawings/${(made.body as { drawing_id: string }).drawing_id}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, x) => server.request('PUT', path, { x: x + 1 }, { 'If-Match': etagOf(made) })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 412)]);
  });

  it('of a project guards it as well', async () => {
    const old = etagOf(await server.request('GET', project));
    assert.equal((await server.request('PUT', project, { zoom: 70 })).status, 200);
    assert.equal((await server.request('DELETE', project, undefined, { 'If-Match': old })).status, 412);
    assert.equal((await server.request('GET', project)).status, 200);
  });
});
