import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { OTHER, OWN } from '../support/certificates.ts';
import type { FakeCompute, FakeComputeOptions } from '../support/fake-compute.ts';
import { type FeedClient, listen } from '../support/feed-client.ts';
import { freePort } from '../support/free-port.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { addressOf, type Bag, fakeCompute } from './gns3-lab.ts';

/** Of `admin`, as HTTP Basic has it. */
const NO_PASSWORD = `Basic ${Buffer.from('admin:').toString('base64')}`;

describe('a GNS3 server that is added', () => {
  let here: TestServer;
  let feed: FeedClient;
  const fakes: FakeCompute[] = [];
  before(async () => {
    here = await testServer();
    feed = await listen(here.url, '/v2/notifications/ws');
  });
  afterEach(async () => {
    await ask(204, 'DELETE', '/computes/gns3');
    for (const fake of fakes.splice(0)) await fake.close();
  });
  after(async () => {
    await feed.close();
    await here.close();
  });

  const ask = async (code: number, method: string, path: string, body?: unknown): Promise<Bag> => {
    const answer = await here.request(method, `/v2${path}`, body);
    assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  };
  const start = async (options: FakeComputeOptions = {}): Promise<FakeCompute> => {
    const fake = await fakeCompute(options);
    fakes.push(fake);
    return fake;
  };
  const read = (): Promise<Bag> => ask(200, 'GET', '/computes/gns3');
  /** Once the record says so. */
  const becomes = async (connected: boolean): Promise<Bag> => {
    for (;;) {
      const record = await read();
      if (record['connected'] === connected) return record;
      await feed.next('compute.updated');
    }
  };
  const fails = (why: RegExp): Promise<unknown> =>
    feed.next(({ action, event }) => action === 'compute.updated' && why.test(String(event['last_error'])));
  /** Refused, and not there afterwards. */
  const refused = async (address: Bag): Promise<string> => {
    const { message, code } = await ask(409, 'POST', '/computes', address);
    assert.equal(code, 'conflict');
    await ask(404, 'GET', '/computes/gns3');
    return String(message);
  };

  it('is connected, with what it says of itself', async () => {
    const fake = await start();
    const record = await ask(201, 'POST', '/computes', addressOf(fake));
    assert.deepEqual(
      [record['connected'], record['last_error'], record['topolog'], (record['capabilities'] as Bag)['version']],
      [true, null, null, '2.2.60'],
    );
    const types = (record['capabilities'] as { node_types: string[] }).node_types;
    for (const type of ['simple_pc', 'machine_emulator', 'router_emulator']) assert.ok(types.includes(type), type);
    let now = await read();
    for (; now['cpu_usage_percent'] === null; now = await read()) await feed.next('compute.updated');
    assert.deepEqual([now['cpu_usage_percent'], now['memory_usage_percent']], [1.5, 2.5]);
    assert.deepEqual(fake.asked().slice(0, 3), ['GET /capabilities', 'GET /capabilities', 'GET /notifications/ws']);
    // It changes nothing there.
    assert.deepEqual(
      fake.asked().filter((asked) => !asked.startsWith('GET ')),
      [],
    );
  });

  it('may be of any 2.2, and say what nobody knows', async () => {
    const fake = await start({ version: '2.2.54.dev1', nodeTypes: ['vpcs', 'nobody_knows'] });
    fake.faults.extraKeys = true;
    const record = await ask(201, 'POST', '/computes', addressOf(fake));
    assert.equal(record['connected'], true);
    assert.equal((record['capabilities'] as Bag)['version'], '2.2.54.dev1');
    await becomes(true);
  });

  it('is refused with a sentence when it is of another line', async () => {
    for (const version of ['2.1.21', '3.0.0', '2.20.1']) {
      const fake = await start({ version });
      assert.match(await refused(addressOf(fake)), new RegExp(`has version ${version}; a GNS3 server must be of 2.2`));
    }
  });

  it('is refused with a sentence when it takes no such user', async () => {
    const fake = await start({ user: 'admin', password: 'secret' });
    assert.match(await refused(addressOf(fake)), /needs a user and a password, and was given none/);
    for (const wrong of [{ user: 'admin' }, { user: 'admin', password: 'other' }])
      assert.match(await refused({ ...addressOf(fake), ...wrong }), /does not take the user and password/);
    const right = { ...addressOf(fake), user: 'admin', password: 'secret' };
    assert.equal((await ask(201, 'POST', '/computes', right))['connected'], true);
    assert.ok(!JSON.stringify(await read()).includes('secret'));
  });

  it('is refused with a sentence when it is something else', async () => {
    const answers: Record<string, RequestListener> = {
      'a page': (_, response) => response.setHeader('content-type', 'text/html').end('<html></html>'),
      nothing: (_, response) => response.end(),
      'no such page': (_, response) => response.writeHead(404).end('404: Not Found'),
      'other JSON': (_, response) => response.end('{"version":null}'),
      'another place': (_, response) => response.writeHead(302, { location: '/' }).end(),
      'a failure': (_, response) => response.writeHead(500).end('it failed'),
    };
    for (const [what, listener] of Object.entries(answers)) {
      const server = createServer(listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const address = { compute_id: 'gns3', name: 'gns3', protocol: 'http', host: '127.0.0.1', port };
      try {
        assert.match(await refused(address), /no compute/, what);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }
  });

  it('is taken up when it comes later', async () => {
    const port = await freePort();
    const address = { compute_id: 'gns3', name: 'gns3', protocol: 'http', host: '127.0.0.1', port };
    const record = await ask(201, 'POST', '/computes', address);
    assert.equal(record['connected'], false);
    assert.match(String((await read())['last_error']), /nothing listens there|just being connected/);
    const fake = await start();
    fake.faults.refuses = true;
    await ask(200, 'PUT', '/computes/gns3', { port: fake.port });
    assert.equal((await read())['connected'], false);
    fake.faults.refuses = false;
    assert.equal((await becomes(true))['last_error'], null);
  });

  it('is connected to again after it was started again, and after its feed was cut', async () => {
    const fake = await start();
    await ask(201, 'POST', '/computes', addressOf(fake));
    await becomes(true);
    for (const end of [() => fake.restart(), () => fake.dropFeed(), () => fake.dropFeed(1001)]) {
      const again = fake.next('GET /notifications/ws');
      end();
      await again;
      await becomes(true);
    }
  });

  it('is not used any more when it is of another line after it was started again', async () => {
    const fake = await start();
    await ask(201, 'POST', '/computes', addressOf(fake));
    fake.version = '3.0.1';
    fake.restart();
    await fails(/version 3\.0\.1/);
    assert.match(String((await becomes(false))['last_error']), /has version 3\.0\.1/);
    const again = await ask(409, 'POST', '/computes/gns3/connect');
    assert.match(String(again['message']), /has version 3\.0\.1/);
    fake.version = '2.2.60';
    assert.equal((await ask(200, 'POST', '/computes/gns3/connect'))['connected'], true);
  });

  it('says why when the password is another one by now', async () => {
    const known = { user: 'admin', password: 'secret' };
    const fake = await start(known);
    await ask(201, 'POST', '/computes', { ...addressOf(fake), ...known });
    fake.faults.unauthorized = true;
    fake.restart();
    await fails(/does not take the user and password/);
    const { message } = await ask(409, 'POST', '/computes/gns3/connect');
    assert.match(String(message), /does not take the user and password/);
    assert.match(String((await read())['last_error']), /does not take the user and password/);
  });

  it('gets its password again from who gives it another address', async () => {
    const fake = await start({ user: 'admin', password: 'secret' });
    await ask(201, 'POST', '/computes', { ...addressOf(fake), user: 'admin', password: 'secret' });
    const heard = await start();
    for (const place of [{ port: heard.port }, { host: 'localhost' }, { protocol: 'https' }, { certificate: OWN.cert }])
      assert.equal((await ask(400, 'PUT', '/computes/gns3', place))['field'], 'password');
    assert.equal(heard.requests.length, 0);
    assert.equal((await ask(200, 'PUT', '/computes/gns3', { name: 'other' }))['connected'], true);
    await ask(200, 'PUT', '/computes/gns3', { port: heard.port, user: null });
    await becomes(true);
    await ask(200, 'PUT', '/computes/gns3', { user: 'admin' });
    await becomes(true);
    assert.deepEqual(
      heard.requests.filter(({ headers: { authorization } }) => ![undefined, NO_PASSWORD].includes(authorization)),
      [],
    );
  });

  it('is trusted by its own certificate, whatever name that has, and by no other', async () => {
    const fake = await start({ tls: OWN });
    const address = { ...addressOf(fake), protocol: 'https' };
    const pinned = await ask(201, 'POST', '/computes', { ...address, certificate: OWN.cert });
    assert.equal(pinned['connected'], true);
    await becomes(true);
    const { project_id } = await ask(201, 'POST', '/projects', { name: 'over TLS' });
    const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'gns3' };
    await ask(201, 'POST', `/projects/${String(project_id)}/nodes`, node);
    assert.equal([...fake.lab.nodes.values()][0]?.name, 'PC1');
    await ask(204, 'DELETE', '/computes/gns3');
    for (const certificate of [{}, { certificate: OTHER.cert }]) {
      const record = await ask(201, 'POST', '/computes', { ...address, ...certificate });
      assert.equal(record['connected'], false);
      const { message } = await ask(409, 'POST', '/computes/gns3/connect');
      assert.match(String(message), /certificate/);
      await ask(204, 'DELETE', '/computes/gns3');
    }
    assert.deepEqual(
      (await ask(400, 'POST', '/computes', { ...address, certificate: 'no PEM' }))['field'],
      'certificate',
    );
  });

  it('is not spoken to in the wrong protocol', async () => {
    const fake = await start();
    const record = await ask(201, 'POST', '/computes', { ...addressOf(fake), protocol: 'https' });
    assert.equal(record['connected'], false);
    const { message } = await ask(409, 'POST', '/computes/gns3/connect');
    assert.match(String(message), /TLS|SSL|https/i);
  });
});
