import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, testServer, type TestServer } from '../support/server.ts';

/** A second server as the compute of a first one, over the interface of the first. */
describe('another compute', { timeout: 400_000 }, () => {
  let here: TestServer;
  let there: TestServer;
  let project: string;
  const FAR = 'far';
  const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    here.request(method, `/v2${path}`, body, headers);
  const make = async (name: string, more: object = {}) => {
    const { status, body } = await ask('POST', `${project}/nodes`, { name, node_type: 'simple_pc', ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return body as { node_id: string; compute_id: string; console_host: string; status: string };
  };
  const read = async (node_id: string) =>
    (await ask('GET', `${project}/nodes/${node_id}`)).body as Awaited<ReturnType<typeof make>>;
  const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code];

  before(async () => {
    [here, there] = await Promise.all([testServer(), testServer(['--names', 'gns3'])]);
    const { hostname: host, port } = new URL(there.url);
    const place = { compute_id: FAR, name: 'far', protocol: 'http', host, port: Number(port) };
    const added = await ask('POST', '/computes', place);
    assert.deepEqual([added.status, (added.body as { connected: boolean }).connected], [201, true], added.text);
    const { project_id } = (await ask('POST', '/projects', { name: 'lab' })).body as { project_id: string };
    project = `/projects/${project_id}`;
  });
  after(() => Promise.all([here.close(), there.close()]));

  it('is asked by way of this server, in JSON and in bytes', async () => {
    for (const path of ['network/ports', 'network/interfaces'])
      assert.deepEqual(
        (await ask('GET', `/computes/${FAR}/${path}`)).body,
        (await there.request('GET', `/v2/compute/${path}`)).body,
      );
    const image = Buffer.from('an image of a router');
    assert.deepEqual((await ask('POST', `/computes/${FAR}/qemu/images/a%20b.img`, image.toString())).body, {});
    const [listed] = (await ask('GET', `/computes/${FAR}/machine_emulator/images`)).body as { filename: string }[];
    assert.equal(listed?.filename, 'a b.img');
    assert.equal((await ask('GET', `/computes/${FAR}/qemu/images/a%20b.img`)).text, image.toString());
    assert.equal((await ask('GET', `/computes/${FAR}/qemu/images/none.img`)).status, 404);
    const wrong = await ask('POST', `/computes/${FAR}/qemu/img`, { path: 'x.img' });
    assert.deepEqual(codeOf(wrong), [400, 'invalid_request'], wrong.text);
  });

  it('is among the statistics, with its ports', async () => {
    const found = (await ask('GET', '/statistics')).body as { compute_id: string }[];
    assert.deepEqual(
      found.map(({ compute_id }) => compute_id),
      ['local', FAR],
    );
    const ports = (await there.request('GET', '/v2/computes/local/ports')).body;
    assert.deepEqual((await ask('GET', `/computes/${FAR}/ports`)).body, ports);
  });

  it('runs nodes that are put there', async () => {
    const node = await make('PC1', { compute_id: FAR });
    assert.deepEqual([node.compute_id, node.console_host], [FAR, new URL(there.url).hostname]);
    const started = await ask('POST', `${project}/nodes/${node.node_id}/start`);
    assert.equal((started.body as { status: string }).status, 'started');
    const own = (await there.request('GET', `/v2${project}/nodes/${node.node_id}`)).body as { status: string };
    assert.equal(own.status, 'started');
    assert.equal(
      (await ask('POST', `${project}/nodes`, { name: 'x', node_type: 'nat', compute_id: 'none' })).status,
      404,
    );
  });

  it('takes nodes by their compute_id, those that run not, nor what is no compute', async () => {
    const { node_id } = await make('PC2');
    const path = `${project}/nodes/${node_id}`;
    const moved = await ask('PUT', path, { compute_id: FAR, name: 'PC2 there' });
    assert.deepEqual([moved.status, (await read(node_id)).compute_id], [200, FAR]);
    assert.equal((await ask('PUT', path, { compute_id: 'none' })).status, 404);
    await ask('POST', `${path}/start`);
    assert.deepEqual(codeOf(await ask('PUT', path, { compute_id: 'local' })), [409, 'conflict']);
    await ask('POST', `${path}/stop`);
    const etag = (await ask('GET', path)).headers.get('etag') ?? '';
    assert.equal((await ask('PUT', path, { compute_id: 'local' }, { 'if-match': '"1"' })).status, 412);
    assert.equal((await read(node_id)).compute_id, FAR);
    const back = await ask('PUT', path, { compute_id: 'local', x: 5 }, { 'if-match': etag });
    assert.deepEqual([back.status, (await read(node_id)).compute_id], [200, 'local'], back.text);
  });

  it('gets what the project does not say otherwise', async () => {
    assert.equal((await ask('PUT', project, { default_compute: FAR })).status, 200);
    assert.equal((await make('PC3')).compute_id, FAR);
    assert.equal((await ask('PUT', project, { default_compute: 'auto' })).status, 200);
    assert.ok(['local', FAR].includes((await make('PC4')).compute_id));
    assert.equal((await make('PC5', { compute_id: 'local' })).compute_id, 'local');
    assert.equal((await ask('PUT', project, { default_compute: 'none' })).status, 404);
    assert.equal((await ask('PUT', project, { default_compute: 'local' })).status, 200);
  });

  it('is emptied, those that run too when that is asked for', async () => {
    interface Result {
      moved: { name: string; started: boolean }[];
      left: { name: string }[];
    }
    const nodes = (await ask('GET', `${project}/nodes`)).body as { name: string; compute_id: string }[];
    const onFar = nodes.filter((n) => n.compute_id === FAR && n.name !== 'PC1').map(({ name }) => name);
    const first = (await ask('POST', `/computes/${FAR}/drain`)).body as Result;
    assert.deepEqual([first.left.map(({ name }) => name), first.moved.map(({ name }) => name)], [['PC1'], onFar]);
    const second = (await ask('POST', `/computes/${FAR}/drain`, { restart: true, to: 'local' })).body as Result;
    assert.deepEqual([second.left, second.moved.map(({ started }) => started)], [[], [true]]);
    assert.equal((await ask('DELETE', `/computes/${FAR}`)).status, 204);
    assert.equal((await ask('GET', `/computes/${FAR}`)).status, 404);
  });
});
