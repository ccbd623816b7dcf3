import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { listen } from '../support/feed-client.ts';
import { request } from '../support/server.ts';
import { type Bag, id, startApi } from './api.ts';

const PUT = 'PUT /v2/compute/controller';
const GET = 'GET /v2/compute/controller';

const api = await startApi();
after(() => api.close());

const MINE = randomUUID();
const OTHER = randomUUID();
const claims = async (): Promise<Bag[]> => {
  const { body } = await request(api.url, 'GET', '/v2/events?type=compute.');
  return (body as { events: { type: string; data: Bag }[] }).events.map(({ type, data }) => ({ type, ...data }));
};
const ask = (method: string, path: string, from: string, body?: unknown) =>
  request(api.url, method, path, body, { 'X-Topolog-Controller': from });

interface Line {
  call: number;
  status: number;
  body: Bag | null;
}
const batch = async (from: string, calls: readonly object[]): Promise<Line[]> => {
  const { status, text } = await ask('POST', '/v2/compute/batch', from, { calls });
  assert.equal(status, 200, text);
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line).sort((a, b) => a.call - b.call);
};

describe('the claim of a compute', () => {
  it('is nobody’s at first, one controller’s then, another’s only when it takes it, and survives a restart', async () => {
    await api.get(404, GET);
    const mine = { controller_id: MINE, name: 'desk', epoch: 3 };
    assert.deepEqual(await api.get(200, PUT, {}, mine), mine);
    assert.deepEqual(await api.get(200, PUT, {}, mine), mine);
    assert.deepEqual(await api.get(200, PUT, {}, { ...mine, epoch: 4 }), { ...mine, epoch: 4 });

    const old = await api.get(409, PUT, {}, { ...mine, take: true });
    assert.equal(old['code'], 'fenced');
    const other = { controller_id: OTHER, name: 'other', epoch: 1 };
    const refused = await api.get(409, PUT, {}, other);
    assert.equal(refused['code'], 'conflict');
    assert.match(String(refused['message']), /controller desk .* epoch 4\); "take": true takes it over/);

    await api.server.restart();
    assert.deepEqual(await api.get(200, GET), { ...mine, epoch: 4 });
    assert.deepEqual(await api.get(200, PUT, {}, { ...other, take: true }), other);
    assert.equal(((await ask('DELETE', '/v2/compute/controller', `${MINE} 4`)).body as Bag)['code'], 'fenced');
    for (let n = 0; n < 2; n++) assert.equal((await ask('DELETE', '/v2/compute/controller', `${OTHER} 1`)).status, 204);
    await api.get(404, GET);
    assert.deepEqual(await claims(), [
      { type: 'compute.claimed', ...mine },
      { type: 'compute.claimed', ...mine, epoch: 4 },
      { type: 'compute.claimed', ...other },
      { type: 'compute.released', controller_id: OTHER },
    ]);
    assert.equal((await api.get(200, 'GET /v2/verify'))['ok'], true);
  });
});

describe('a controller that has the compute', () => {
  const FROM = `${MINE} 5`;
  const open = async (name: string): Promise<string> => {
    await api.get(200, PUT, {}, { controller_id: MINE, name: 'desk', epoch: 5 });
    const made = await ask('POST', '/v2/compute/projects', FROM, { name, project_id: randomUUID() });
    assert.equal(made.status, 201);
    return id(made.body as Bag, 'project_id');
  };

  it('makes, starts and stops hundreds of nodes with a request each, once, and hears of them', async () => {
    const project_id = await open('many');
    const nodes = `projects/${project_id}/simple_pc/nodes`;
    const ids = Array.from({ length: 200 }, () => randomUUID());
    const feed = await listen(api.url, '/v2/compute/notifications/ws');
    const create = ids.map((node_id, n) => ({
      method: 'POST',
      path: nodes,
      body: { name: `PC${n}`, node_id },
      key: n,
    }));
    const made = await batch(FROM, create);
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
    const again = await batch(FROM, create);
    assert.deepEqual(again, made);
    const started = await batch(
      FROM,
      ids.map((node_id, n) => ({ method: 'POST', path: `${nodes}/${node_id}/start`, key: `s${n}` })),
    );
    assert.deepEqual(
      new Set(started.map(({ status, body }) => `${status} ${String(body?.['status'])}`)),
      new Set(['200 started']),
    );
    await feed.next(({ event, project_id: at }) => at === project_id && event['node_id'] === ids.at(-1));
    await feed.close();
    const stopped = await batch(
      FROM,
      ids.map((node_id) => ({ method: 'POST', path: `${nodes}/${node_id}/stop` })),
    );
    assert.deepEqual(new Set(stopped.map(({ status }) => status)), new Set([204]));
    const { body } = await request(api.url, 'GET', `/v2/events?type=node.created,node.started&limit=1000`);
    const events = (body as { events: { project_id: string }[] }).events.filter(
      (event) => event.project_id === project_id,
    );
    assert.equal(events.length, 2 * ids.length);
  });

  it('finds its lab as it left it: what is there is answered, also while it runs', async () => {
    const project_id = await open('back');
    const [nodes, node_id] = [`/v2/compute/projects/${project_id}/simple_pc/nodes`, randomUUID()];
    const first = await ask('POST', nodes, FROM, { name: 'PC', node_id });
    const { console } = first.body as Bag;
    assert.equal((await ask('POST', `${nodes}/${node_id}/start`, FROM)).status, 200);
    const running = await ask('POST', nodes, FROM, { name: 'PC', node_id, console });
    assert.deepEqual([running.status, (running.body as Bag)['status']], [201, 'started']);
    const second = await ask('POST', nodes, FROM, { name: 'PC2', console });
    assert.equal(second.status, 201);
    assert.notEqual((second.body as Bag)['console'], console);

    const port = `${nodes}/${node_id}/adapters/0/ports/0/nio`;
    const { udp_port: lport } = (await ask('POST', `/v2/compute/projects/${project_id}/ports/udp`, FROM)).body as Bag;
    const nio = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport: 9 };
    for (const rport of [9, 10]) assert.equal((await ask('POST', port, FROM, { ...nio, rport })).status, 201);

    for (let n = 0; n < 2; n++)
      assert.equal((await ask('POST', `/v2/compute/projects/${project_id}/close`, FROM)).status, 204);
    assert.equal((await ask('POST', '/v2/compute/projects', FROM, { name: 'back', project_id })).status, 201);
    assert.equal((await ask('POST', nodes, FROM, { name: 'PC', node_id })).status, 201);
  });
});
