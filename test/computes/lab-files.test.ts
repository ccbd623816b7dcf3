import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bag, pc, type TwoServers, twoServers } from './two-servers.ts';

const SCRIPT = 'set pcname FAR\n';

describe('files of a node at another Topolog', () => {
  let both: TwoServers;
  let node: Bag;

  before(async () => {
    both = await twoServers();
    node = await pc(both, 'PC1', 'far');
  });
  after(() => both.close());

  const path = (): string => `/projects/${both.project}/nodes/${String(node['node_id'])}`;
  const script = (server = both.here): Promise<string> =>
    server.request('GET', `/v2${path()}/files/startup.vpc`).then(({ text }) => text);
  const write = async (text: string, server = both.here): Promise<void> => {
    const url = `${server.url}/v2${path()}/files/startup.vpc`;
    const headers = { 'content-type': 'application/octet-stream' };
    assert.equal((await fetch(url, { method: 'POST', body: text, headers })).status, 201);
  };

  it('go there when they are written here, and are read from there', async () => {
    await write(SCRIPT);
    assert.equal(await script(both.far), SCRIPT);
    await write('set pcname CHANGED\n', both.far);
    assert.equal(await script(), 'set pcname CHANGED\n');
    await write(SCRIPT);
  });

  it('are in an export', async () => {
    await write('set pcname EXPORTED\n', both.far);
    const answer = await fetch(`${both.here.url}/v2/projects/${both.project}/export`);
    assert.equal(answer.status, 200);
    const project = '00000000-0000-4000-8000-000000000001';
    const body = Buffer.from(await answer.arrayBuffer());
    const into = `${both.here.url}/v2/projects/${project}/import?name=copy`;
    assert.equal((await fetch(into, { method: 'POST', body })).status, 201);
    const [copy] = (await both.ask(200, 'GET', `/projects/${project}/nodes`)) as Bag[];
    assert.equal(copy?.['compute_id'], 'local');
    const at = `/v2/projects/${project}/nodes/${String(copy?.['node_id'])}/files/startup.vpc`;
    assert.equal((await both.here.request('GET', at)).text, 'set pcname EXPORTED\n');
  });

  it('are kept in a snapshot, and are there again after it is restored', async () => {
    const { snapshot_id } = (await both.ask(201, 'POST', `/projects/${both.project}/snapshots`, {
      name: 'before',
    })) as Bag;
    await write('set pcname AFTERWARDS\n');
    await both.ask(201, 'POST', `/projects/${both.project}/snapshots/${String(snapshot_id)}/restore`);
    await both.ask(204, 'POST', `/projects/${both.project}/nodes/start`);
    assert.equal(await script(both.far), 'set pcname EXPORTED\n');
    await both.ask(204, 'POST', `/projects/${both.project}/nodes/stop`);
  });

  it('go along with a duplicate', async () => {
    const copy = (await both.ask(201, 'POST', `${path()}/duplicate`, { x: 1, y: 1 })) as Bag;
    const at = `/v2/projects/${both.project}/nodes/${String(copy['node_id'])}/files/startup.vpc`;
    assert.equal(copy['compute_id'], 'far');
    assert.equal((await both.far.request('GET', at)).text, `set pcname ${String(copy['name'])}\n`);
  });

  it('go along with the node to this server and back', async () => {
    await both.ask(200, 'PUT', path(), { compute_id: 'local' });
    assert.equal((await both.far.request('GET', `/v2${path()}`)).status, 404);
    assert.equal(await script(), 'set pcname EXPORTED\n');
    await write('set pcname NEAR\n');
    await both.ask(200, 'PUT', path(), { compute_id: 'far' });
    assert.equal(await script(both.far), 'set pcname NEAR\n');
  });
});
