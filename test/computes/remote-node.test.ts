import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { address, type Bag, link, pc, type TwoServers, twoServers } from './two-servers.ts';

describe('a node at another Topolog', () => {
  let both: TwoServers;
  let near: Bag;
  let far: Bag;

  before(async () => {
    both = await twoServers();
    near = await pc(both, 'PC1', 'local');
    far = await pc(both, 'PC2', 'far');
  });
  after(() => both.close());

  const path = (node: Bag): string => `/projects/${both.project}/nodes/${String(node['node_id'])}`;

  it('is made there, in a project with the same id, with a console of that machine', async () => {
    const there = await both.far.request('GET', `/v2${path(far)}`);
    assert.equal(there.status, 200);
    assert.equal((there.body as Bag)['name'], 'PC2');
    assert.equal(far['compute_id'], 'far');
    assert.equal(far['console'], (there.body as Bag)['console']);
  });

  it('starts there, and pings a node of this server over a link', async () => {
    await link(both, near, far);
    await both.ask(204, 'POST', `/projects/${both.project}/nodes/start`);
    const there = await both.far.request('GET', `/v2${path(far)}`);
    assert.equal((there.body as Bag)['status'], 'started');
    const started = (await both.ask(200, 'GET', path(far))) as Bag;
    assert.equal(started['status'], 'started');
    await address(started['console'], '10.0.0.2');
    await address(((await both.ask(200, 'GET', path(near))) as Bag)['console'], '10.0.0.1', '10.0.0.2');
  });

  it('says on record where it runs', async () => {
    const { events } = (await both.ask(
      200,
      'GET',
      `/projects/${both.project}/events?type=node.started,link.tunnel_made`,
    )) as {
      events: { type: string; data: Bag }[];
    };
    const started = events.find(({ type, data }) => type === 'node.started' && data['node_id'] === far['node_id']);
    assert.deepEqual([started?.data['engine'], started?.data['compute_id']], ['remote', 'far']);
    const made = events.findLast(({ type }) => type === 'link.tunnel_made')?.data['ends'] as Bag[];
    assert.deepEqual(
      made.map(({ compute_id, host }) => [compute_id, host]),
      [
        ['local', '127.0.0.1'],
        ['far', '127.0.0.1'],
      ],
    );
  });

  it('stops there', async () => {
    await both.ask(204, 'POST', `/projects/${both.project}/nodes/stop`);
    const there = await both.far.request('GET', `/v2${path(far)}`);
    assert.equal((there.body as Bag)['status'], 'stopped');
  });
});
