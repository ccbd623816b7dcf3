import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ApiError, type Client, connect, type Schemas } from '../../src/client/index.ts';
import { freePort } from '../support/free-port.ts';
import { testServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let topolog: Client;
before(async () => {
  server = await testServer();
  topolog = connect({ url: server.url });
});
after(() => server.close());

let named = 0;
const newProject = (): Promise<Schemas['Project']> =>
  topolog.post('/v2/projects', { body: { name: `lab ${String((named += 1))}` } });
const refusal = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
};
const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

describe('a client', () => {
  it('reads and writes records by the paths of the document', async () => {
    const { project_id, status } = await newProject();
    assert.equal(status, 'opened');
    const body = { name: 'PC1', node_type: 'simple_pc', x: 5 } as const;
    const node = await topolog.post('/v2/projects/{project_id}/nodes', { path: { project_id }, body });
    const path = { project_id, node_id: node.node_id };
    const moved = await topolog.put('/v2/projects/{project_id}/nodes/{node_id}', { path, body: { x: 7 } });
    assert.deepEqual([node.x, moved.x], [5, 7]);
    assert.deepEqual(await topolog.get('/v2/projects/{project_id}/nodes', { path }), [moved]);
    const nothing: undefined = await topolog.delete('/v2/projects/{project_id}/nodes/{node_id}', { path });
    assert.equal(nothing, undefined);
    assert.deepEqual(await topolog.get('/v2/projects/{project_id}/nodes', { path: { project_id } }), []);
  });

  it('sends a query, with numbers as such and a list as many values', async () => {
    const { project_id } = await newProject();
    for (const name of ['a', 'b'])
      await topolog.post('/v2/projects/{project_id}/nodes', {
        path: { project_id },
        body: { name, node_type: 'simple_pc' },
      });
    const page = await topolog.get('/v2/projects/{project_id}/events', { path: { project_id }, query: { limit: 2 } });
    assert.equal(page.events.length, 2);
    const query = { node: ['a', 'b'], status: 'stopped', timeout: 0 } as const;
    const nodes = await topolog.get('/v2/projects/{project_id}/wait', { path: { project_id }, query });
    assert.deepEqual(nodes.map(({ name }) => name).sort(), ['a', 'b']);
  });

  it('throws what the server refuses, with its code, fields and request', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    const missing = await refusal(topolog.get('/v2/projects/{project_id}', { path: { project_id: none } }));
    assert.deepEqual([missing.status, missing.code], [404, 'not_found']);
    assert.match(missing.message, new RegExp(none));
    const wrong = await refusal(topolog.post('/v2/projects', { body: { name: '' } }));
    assert.deepEqual([wrong.status, wrong.code, wrong.errors[0]?.field], [400, 'invalid_request', 'name']);
    assert.equal(wrong.details['status'], 400);
    assert.ok(wrong.requestId);
  });

  it('has no code for what another program answers, and still its status', async () => {
    const proxy = createServer((_, answer) => answer.writeHead(502, { 'content-type': 'text/html' }).end('<p>'));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/behind/`;
    const error = await refusal(connect({ url }).get('/v2/version'));
    assert.deepEqual([error.status, error.code], [502, undefined]);
    assert.equal(error.message, 'GET /v2/version is answered with 502');
    proxy.close().closeAllConnections();
  });

  it('refuses values that would lead to another path', async () => {
    const path = (value: string) => ({ path: { project_id: value } });
    for (const value of ['', '.', '..'])
      await assert.rejects(topolog.get('/v2/projects/{project_id}', path(value)), TypeError, value);
    const tail = { path: { project_id: 'x', path: 'a/../../b' } };
    await assert.rejects(topolog.get('/v2/projects/{project_id}/files/{path}', tail), TypeError);
    assert.equal((await refusal(topolog.get('/v2/projects/{project_id}', path('../version?')))).status, 400);
  });

  it('carries out a POST with an Idempotency-Key once', async () => {
    const body = { name: 'only once' };
    const first = await topolog.post('/v2/projects', { body, idempotencyKey: 'k1' });
    const again = await topolog.post('/v2/projects', { body, idempotencyKey: 'k1' });
    assert.deepEqual(again, first);
    const other = topolog.post('/v2/projects', { body: { name: 'another' }, idempotencyKey: 'k1' });
    assert.equal((await refusal(other)).status, 409);
  });

  it('writes only what it has read with If-Match', async () => {
    const { project_id } = await newProject();
    const made = await topolog.post('/v2/projects/{project_id}/drawings', { path: { project_id }, body: { x: 1 } });
    const path = { project_id, drawing_id: made.drawing_id };
    const DRAWING = '/v2/projects/{project_id}/drawings/{drawing_id}';
    const { etag } = await topolog.request('get', DRAWING, { path });
    assert.ok(etag);
    const changed = await topolog.request('put', DRAWING, { path, body: { x: 2 }, ifMatch: etag });
    assert.deepEqual([changed.status, changed.body.x], [201, 2]);
    const late = await refusal(topolog.delete(DRAWING, { path, ifMatch: etag }));
    assert.equal(late.code, 'precondition_failed');
    await topolog.delete(DRAWING, { path, ifMatch: changed.etag ?? '' });
  });

  it('ends a call with its signal', async () => {
    const { project_id } = await newProject();
    const abort = new AbortController();
    const query = { all: 'true', status: 'started', timeout: 60 } as const;
    await topolog.post('/v2/projects/{project_id}/nodes', {
      path: { project_id },
      body: { name: 'a', node_type: 'simple_pc' },
    });
    const waits = topolog.get('/v2/projects/{project_id}/wait', { path: { project_id }, query, signal: abort.signal });
    abort.abort(new Error('enough'));
    await assert.rejects(waits, /enough/);
  });

  it('uploads bytes and streams, and gets them as a stream', async () => {
    const { project_id } = await newProject();
    const path = { project_id, path: 'notes/of day 1 100%.txt' };
    const FILE = '/v2/projects/{project_id}/files/{path}';
    await topolog.post(FILE, { path, body: 'first' });
    assert.equal(await textOf(await topolog.get(FILE, { path })), 'first');
    const body = new Blob(['sec', 'ond']).stream() as ReadableStream<Uint8Array>;
    await topolog.post(FILE, { path, body });
    assert.equal(await textOf(await topolog.get(FILE, { path })), 'second');
  });

  it('reads events and sessions line by line, and can stop in the middle', async () => {
    const { project_id } = await newProject();
    const types: string[] = [];
    for await (const line of topolog.lines('/v2/projects/{project_id}/events', { path: { project_id } }))
      types.push((JSON.parse(line) as Schemas['Fact']).type);
    assert.equal(types[0], 'project.created');
    for await (const line of topolog.lines('/v2/projects/{project_id}/session', { path: { project_id } })) {
      assert.ok(line.includes(project_id));
      break;
    }
  });

  it('names the address of a server that cannot be reached', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await assert.rejects(connect({ url }).get('/v2/version'), {
      name: 'TypeError',
      message: `the server at ${url} cannot be reached: connect ECONNREFUSED ${url.slice('http://'.length)}`,
    });
    const signal = AbortSignal.abort();
    await assert.rejects(connect({ url }).get('/v2/version', { signal }), { name: 'AbortError' });
  });

  it('needs a URL where no page has one', () => {
    assert.throws(() => connect(), TypeError);
  });
});

describe('a client with a user', () => {
  it('sends name and password in UTF-8, of the options or of the URL', async () => {
    const seen: (string | undefined)[] = [];
    const echo = createServer((request, answer) => {
      seen.push(request.headers.authorization);
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(echo.address() as AddressInfo).port}`;
    await connect({ url: `http://${host}`, user: 'zoë', password: 'pä:ß' }).get('/v2/version');
    await connect({ url: `http://zo%C3%AB:p%C3%A4%3A%C3%9F@${host}` }).get('/v2/version');
    await connect({ url: `http://${host}`, headers: { authorization: 'Bearer t' } }).fetch('/v2/version');
    echo.close().closeAllConnections();
    const basic = `Basic ${Buffer.from('zoë:pä:ß').toString('base64')}`;
    assert.deepEqual(seen, [basic, basic, 'Bearer t']);
  });
});
