import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestServer, testServer } from '../support/server.ts';
import { type Bag, pc, type TwoServers, twoServers } from './two-servers.ts';
import { waitFor } from '../support/wait-for.ts';

describe('a compute that two controllers want', () => {
  let both: TwoServers;
  let other: TestServer;
  let node: Bag;

  before(async () => {
    [both, other] = await Promise.all([twoServers(), testServer()]);
    node = await pc(both, 'PC1', 'far');
  });
  after(async () => {
    await other.close();
    await both.close();
  });

  const added = (): Bag => {
    const { hostname: host, port } = new URL(both.far.url);
    return { compute_id: 'mine', name: 'mine', protocol: 'http', host, port: Number(port) };
  };

  it('refuses the second one, and says how it could have it', async () => {
    const answer = await other.request('POST', '/v2/computes', added());
    assert.equal(answer.status, 409);
    assert.match(String((answer.body as Bag)['message']), /"take": true/);
    assert.equal(((await other.request('GET', '/v2/computes')).body as Bag[]).length, 1);
  });

  it('is claimed again by the one that connects to it, where somebody has made it nobody’s', async () => {
    const claim = '/v2/compute/controller';
    const before = (await both.far.request('GET', claim)).body as Bag;
    const asks = `${String(before['controller_id'])} ${String(before['epoch'])}`;
    assert.equal((await both.far.request('DELETE', claim, {}, { 'x-topolog-controller': asks })).status, 204);
    const connected = (await both.ask(200, 'POST', '/computes/far/connect')) as Bag;
    assert.equal(connected['connected'], true);
    assert.deepEqual((await both.far.request('GET', claim)).body, before);
  });

  it('goes over to one that takes it, and does nothing more for the first', async () => {
    assert.equal((await other.request('POST', '/v2/computes', { ...added(), take: true })).status, 201);
    const path = `/projects/${both.project}/nodes/${String(node['node_id'])}`;
    await both.ask(409, 'POST', `${path}/start`);
    const there = await both.far.request('GET', `/v2${path}`);
    assert.equal((there.body as Bag)['status'], 'stopped');
    const [, far] = (await both.ask(200, 'GET', '/computes')) as Bag[];
    assert.equal(far?.['connected'], false);
    assert.match(String(far['last_error']), /controller/);
  });
});

describe('what a compute has for itself', () => {
  let both: TwoServers;

  before(async () => {
    both = await twoServers();
  });
  after(() => both.close());

  it('stays, also where the controller has projects with the same ids', async () => {
    const { far, project: shared } = both;
    const lone = '5f0c1d1e-7f4a-4a39-9a0e-0d1a3a3d7c11';
    const own = { name: 'OWN', node_type: 'simple_pc', compute_id: 'local' };
    const places = ((await both.ask(200, 'GET', '/computes/far')) as { port: number }).port;
    const made: string[] = [];
    for (const [project_id, name] of [
      [lone, 'lone'],
      [shared, 'shared'],
    ]) {
      assert.equal((await far.request('POST', '/v2/projects', { project_id, name })).status, 201);
      const { body } = await far.request('POST', `/v2/projects/${project_id}/nodes`, own);
      made.push(`/v2/projects/${project_id}/nodes/${String((body as Bag)['node_id'])}`);
    }
    await both.ask(201, 'POST', '/projects', { project_id: lone, name: 'lone' });
    await both.ask(204, 'DELETE', `/projects/${lone}`);
    const deleted = `/projects/${shared}/nodes/${String((await pc(both, 'PC1', 'far'))['node_id'])}`;
    await both.ask(200, 'PUT', '/computes/far', { port: 1 });
    await both.ask(204, 'DELETE', deleted);
    await both.ask(200, 'PUT', '/computes/far', { port: places });
    await waitFor('it is deleted there', async () => (await far.request('GET', `/v2${deleted}`)).status === 404);
    for (const node of made) assert.equal((await far.request('GET', node)).status, 200);
  });
});
