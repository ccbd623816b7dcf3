import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import { RemoteCompute } from '../../src/computes/client/remote-compute.ts';
import { type Bag, pc, twoServers } from './two-servers.ts';

it('refuses what was sent on an earlier connection and arrives late', async () => {
  const lab = await twoServers();
  try {
    const { node_id } = await pc(lab, 'PC1', 'far');
    const claim = async (): Promise<Bag> => (await lab.far.request('GET', '/v2/compute/controller')).body as Bag;
    const { controller_id, epoch } = await claim();
    const late = (): ReturnType<typeof lab.far.request> =>
      lab.far.request('POST', `/v2/compute/projects/${lab.project}/vpcs/nodes/${String(node_id)}/start`, undefined, {
        'x-topolog-controller': `${String(controller_id)} ${String(epoch)}`,
      });
    const connected = (await lab.ask(200, 'PUT', '/computes/far', { name: 'farther' })) as Bag;
    assert.equal(connected['connected'], true);
    assert.ok(Number((await claim())['epoch']) > Number(epoch));
    const { status, body } = await late();
    assert.deepEqual([status, (body as Bag)['code']], [409, 'fenced']);
  } finally {
    await lab.close();
  }
});

it('is not asked anything by a server that has just ceased to write', async () => {
  const unheard = (): never => assert.fail('there was no connection');
  const compute = new RemoteCompute({
    target: { mayBeHere: true, name: 'far', protocol: 'http', host: '127.0.0.1', port: 1, user: null, password: null },
    identity: () => {
      throw new TopologError('lease_lost', { reason: 'its lease is over' });
    },
    ...{ silenceMs: 60_000, take: false },
    listener: { connected: unheard, received: unheard, loadChanged: unheard, lost: unheard },
  });
  compute.connect();
  await compute.settled();
  assert.equal(compute.problem, 'its lease is over');
  compute.close();
});
