import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { conflict } from '../../src/common/errors.ts';
import { finder } from '../../src/http/routing/dispatch.ts';
import { fakeLab, kinds, NODE, NODE_2, node, PROJECT, serve, UNKNOWN } from './fake-lab.ts';

const MINE = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
const CALLER = { by: { principal: 'anonymous', address: null, agent: null }, request_id: null };
const NODES = `projects/${PROJECT}/simple_pc/nodes`;

let lab = fakeLab();
let app = serve(lab);
beforeEach(() => {
  lab = fakeLab();
  app = serve(lab);
});
afterEach(() => app.close());

interface Line {
  call: number;
  status: number;
  body: Record<string, unknown> | null;
}

const send = (payload: object, from: string | null = null) =>
  app.inject({
    method: 'POST',
    url: '/v2/compute/batch',
    payload,
    headers: from === null ? {} : { 'x-topolog-controller': from },
  });

/** The answers, in the order of the calls. */
const batch = async (calls: readonly unknown[], from: string | null = null): Promise<Line[]> => {
  const answer = await send({ calls }, from);
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(answer.headers['content-type'], 'application/x-ndjson');
  const lines = answer.body.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line).sort((a, b) => a.call - b.call);
};

describe('a batch of the compute group', () => {
  it('answers each call as a request of its own would be', async () => {
    const lines = await batch([
      { method: 'POST', path: NODES, body: { name: 'PC9' } },
      { method: 'GET', path: `/v2/compute/projects/${PROJECT}/vpcs/nodes/${NODE}` },
      { method: 'POST', path: `/${NODES}/${NODE}/stop`, body: null },
      { method: 'GET', path: 'projects' },
      { method: 'PUT', path: `${NODES}/${NODE_2}`, body: { name: 'other' } },
      { method: 'DELETE', path: `${NODES}/${UNKNOWN}` },
    ]);
    assert.deepEqual(
      lines.map(({ call, status }) => [call, status]),
      [
        [0, 201],
        [1, 200],
        [2, 204],
        [3, 200],
        [4, 200],
        [5, 404],
      ],
    );
    const single = await app.inject(`/v2/compute/${NODES}/${NODE}`);
    assert.deepEqual(lines[1]?.body?.['node_id'], single.json<Record<string, unknown>>()['node_id']);
    assert.equal(lines[2]?.body, null);
    assert.equal(lines[5]?.body?.['code'], 'not_found');
    assert.equal(lab.refusals.length, 1);
    assert.equal(lab.refusals[0]?.project_id, PROJECT);
  });

  it('says in its line what is wrong with a call, and does the others', async () => {
    lab.failNext(conflict('it is busy'));
    const wrong: [unknown, number, RegExp][] = [
      [{ method: 'POST', path: `${NODES}/${NODE}/start` }, 409, /it is busy/],
      ['nonsense', 400, /calls\[1\] must be an object/],
      [{ method: 'PATCH', path: 'projects' }, 400, /calls\[2\]\.method must be one of GET/],
      [{ method: 'GET', path: 'projects', colour: 1 }, 400, /calls\[3\]\.colour is not known here/],
      [{ method: 'GET', path: 'nowhere' }, 404, /There is nothing at GET \/v2\/compute\/nowhere/],
      [{ method: 'DELETE', path: 'projects' }, 405, /possible: GET, POST/],
      [{ method: 'POST', path: NODES, body: { name: 'PC', colour: 1 } }, 400, /colour is not known here/],
      [{ method: 'GET', path: `projects/${PROJECT}x` }, 400, /project_id must be a UUID/],
      [{ method: 'GET', path: 'projects/%zz' }, 400, /percent-encoded/],
      [{ method: 'GET', path: `projects/${PROJECT}/files/a.txt` }, 400, /not possible in a batch/],
      [{ method: 'POST', path: `projects/${PROJECT}/files/a.txt` }, 400, /not possible in a batch/],
      [{ method: 'POST', path: 'batch', body: { calls: [] } }, 404, /nothing at POST/],
      [{ method: 'GET', path: `${NODES}/${NODE}/console/ws` }, 404, /nothing at GET/],
      [{ method: 'GET', path: 'projects', key: 1 }, 400, /key needs the header X-Topolog-Controller/],
      [{ method: 'GET', path: '/v2/projects' }, 404, /nothing at GET/],
    ];
    const lines = await batch([...wrong.map(([call]) => call), { method: 'POST', path: `${NODES}/${NODE}/stop` }]);
    for (const [index, [call, status, message]] of wrong.entries()) {
      assert.equal(lines[index]?.status, status, JSON.stringify(call));
      assert.match(String(lines[index]?.body?.['message']), message);
    }
    assert.equal(lines.at(-1)?.status, 204);
    assert.equal(lines.length, wrong.length + 1);
  });

  it('is refused as a whole without calls, and with too many', async () => {
    const call = { method: 'GET', path: 'projects' };
    for (const calls of [undefined, [], Array.from({ length: 1_001 }, () => call)]) {
      const answer = await send({ calls });
      assert.equal(answer.statusCode, 400);
      assert.match(answer.json<{ message: string }>().message, /calls/);
    }
    assert.equal((await batch(Array.from({ length: 1_000 }, () => call))).length, 1_000);
  });

  it('reads the query of a call, and the escapes of its path', async () => {
    const [line] = await batch([{ method: 'GET', path: `projects/${PROJECT.replaceAll('-', '%2d')}?x=1` }]);
    assert.equal(line?.status, 200);
  });

  it('has the fence and the keys of its calls', async () => {
    lab.records.put('claim', 'controller', { controller_id: MINE, name: 'desk', epoch: 3, created: 1, changed: 1 });
    const calls = [
      { method: 'POST', path: NODES, body: { name: 'PC9' }, key: 17 },
      { method: 'POST', path: `${NODES}/${NODE}/start`, key: 'start-18' },
      { method: 'POST', path: `${NODES}/${NODE}/start` },
    ];
    const first = await batch(calls, `${MINE} 3`);
    const again = await batch(calls.slice(0, 2), `${MINE} 3`);
    assert.deepEqual(again, first.slice(0, 2));
    const single = await app.inject({
      method: 'POST',
      url: `/v2/compute/${NODES}`,
      payload: { name: 'PC9' },
      headers: { 'x-topolog-controller': `${MINE} 3 17` },
    });
    assert.deepEqual(single.json(), first[0]?.body);
    assert.deepEqual(lab.calls.map(([name]) => name).sort(), ['actOnNode', 'actOnNode', 'createNode']);
    const fenced = await send({ calls }, `${MINE} 2`);
    assert.equal(fenced.json<{ code: string }>().code, 'fenced');
    assert.equal(lab.calls.length, 3);
  });

  it('goes on to its end when the client has gone', async () => {
    const kind = kinds.all().find(({ nodeOperations }) => nodeOperations?.some(({ method }) => method === 'GET'));
    const path = kind?.nodeOperations?.find(({ method }) => method === 'GET')?.path ?? '';
    lab.records.put('node', NODE, node(kind?.name ?? '', { state: 'started' }));
    let end = (): void => undefined;
    const begun = new Promise<AbortSignal>((resolve) => {
      lab.commands.operateNode = async (_caller, _at, { signal }) => {
        resolve(signal);
        await new Promise<void>((done) => (end = done));
        return lab.commands.actOnNode(CALLER, { project_id: PROJECT, node_id: NODE_2 }, 'stop');
      };
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const call = { method: 'GET', path: `projects/${PROJECT}/${kind?.name ?? ''}/nodes/${NODE}/${path}` };
    const body = JSON.stringify({ calls: [call] });
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) =>
      app.server.once('connection', (s) => s.once('close', () => resolve())),
    );
    const answer = fetch(`${url}/v2/compute/batch`, { method: 'POST', body, signal: gone.signal });
    const signal = await begun;
    gone.abort();
    await assert.rejects(answer.then((one) => one.text()));
    await closed;
    assert.equal(signal.aborted, false);
    end();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(lab.calls.at(-1)?.[0], 'actOnNode');
  });

  it('treats a controller as a request of its own does', async () => {
    lab.records.put('claim', 'controller', { controller_id: MINE, name: 'desk', epoch: 3, created: 1, changed: 1 });
    const known = { method: 'POST', path: NODES, body: { name: 'PC1', node_id: NODE } };
    assert.equal((await batch([known], `${MINE} 3`))[0]?.status, 201);
    assert.deepEqual(lab.calls[0]?.[0], 'updateNode');
  });
});

describe('the finder of rows', () => {
  it('finds every row of the compute group by a path of it', async () => {
    const { paths } = (await app.inject('/v2/openapi.json')).json<{ paths: Record<string, Record<string, object>> }>();
    const rows = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v2/compute/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })));
    assert.ok(rows.length > kinds.all().length * 10);
    const find = finder(rows.map((row) => ({ ...row, handler: () => null }) as never));
    for (const { method, path } of rows)
      assert.equal(find(method, path.replace(/\{\w+\}/g, 'x')).row.path, path, `${method} ${path}`);
  });
});
