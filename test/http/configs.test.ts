import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect, type Client, ApiError } from '../../src/client/index.ts';
import { testServer, type TestServer } from '../support/server.ts';

const PROJECT = '/v2/projects/{project_id}';
const CONFIGS = `${PROJECT}/nodes/{node_id}/configs`;

describe('configurations that are collected', () => {
  let server: TestServer;
  let topolog: Client;
  let project_id = '';
  let pc = '';
  let hub = '';
  before(async () => {
    server = await testServer();
    topolog = connect({ url: server.url });
    ({ project_id } = await topolog.post('/v2/projects', { body: { name: 'configs' } }));
    const make = async (name: string, node_type: 'simple_pc' | 'ethernet_hub', properties = {}) =>
      (await topolog.post(`${PROJECT}/nodes`, { path: { project_id }, body: { name, node_type, properties } })).node_id;
    pc = await make('PC1', 'simple_pc', { startup_script: 'ip 10.0.0.1/24\n' });
    hub = await make('Hub1', 'ethernet_hub');
  });
  after(() => server.close());

  const collect = (nodes?: string[]) =>
    topolog.post(`${PROJECT}/configs/collect`, { path: { project_id }, body: nodes === undefined ? {} : { nodes } });
  const versions = () => topolog.get(CONFIGS, { path: { project_id, node_id: pc } });
  const events = async (): Promise<number> =>
    (await topolog.get(`${PROJECT}/events`, { path: { project_id }, query: { limit: 500 } })).events.length;

  it('are those of the nodes that keep one, each kept as a version', async () => {
    const [one, ...others] = await collect();
    assert.deepEqual([one?.name, one?.files, one?.problem, others], ['PC1', ['startup.vpc'], null, []]);
    const [version] = await versions();
    assert.equal(version?.position, one?.position);
    assert.deepEqual(version?.files, [{ name: 'startup.vpc', bytes: 15 }]);
  });

  it('are the same version as long as nothing has changed: not one event', async () => {
    const before = await events();
    const [one] = await collect();
    assert.deepEqual([one?.position, one?.files], [null, ['startup.vpc']]);
    assert.equal(await events(), before);
  });

  it('are compared with the version before, or another one', async () => {
    const path = { project_id, node_id: pc };
    for (const address of ['10.0.0.2', '10.0.0.3']) {
      const body = { properties: { startup_script: `ip ${address}/24\n` } };
      await topolog.put(`${PROJECT}/nodes/{node_id}`, { path, body });
      await collect([pc]);
    }
    const [first, second, third] = await versions();
    const at = (position = 0, against?: number) =>
      topolog.get(`${CONFIGS}/{position}`, {
        path: { ...path, position },
        query: against === undefined ? {} : { against },
      });
    const last = await at(third?.position);
    assert.deepEqual(
      last.files.map(({ content }) => content),
      ['ip 10.0.0.3/24\n'],
    );
    assert.equal(last.against, second?.position);
    assert.equal(last.diff, '--- a/startup.vpc\n+++ b/startup.vpc\n@@ -1 +1 @@\n-ip 10.0.0.2/24\n+ip 10.0.0.3/24\n');
    assert.match((await at(third?.position, first?.position)).diff, /-ip 10\.0\.0\.1\/24/);
    assert.match((await at(first?.position)).diff, /^--- \/dev\/null\n/);
    await assert.rejects(at(1), (error: unknown) => error instanceof ApiError && error.status === 404);
  });

  it('say why one could not be read, and which nodes keep none', async () => {
    const done = await collect([pc, hub]);
    assert.match(
      done.find(({ name }) => name === 'Hub1')?.problem ?? '',
      /Hub1: nodes of this kind keep no configuration/,
    );
    assert.equal(done.find(({ name }) => name === 'PC1')?.problem, null);
  });

  it('are there after the node is gone', async () => {
    const path = { project_id, node_id: pc };
    await topolog.delete(`${PROJECT}/nodes/{node_id}`, { path });
    assert.equal((await versions()).length, 3);
  });
});
