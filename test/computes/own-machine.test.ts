import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { leadsHere, lookupElsewhere } from '../../src/common/loopback.ts';
import { fakeCompute } from './gns3-lab.ts';
import type { FakeCompute } from '../support/fake-compute.ts';
import { type TestServer, testServer } from '../support/server.ts';

const HERE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  'localhost',
  'a.localhost',
];

describe('the machine of a server, as a place of computes', () => {
  it('is known however it is written', () => {
    for (const host of HERE) assert.ok(leadsHere(`http://${host}:3080`), host);
    for (const host of ['192.0.2.1', '[2001:db8::1]', 'lab2', 'localhost.example'])
      assert.ok(!leadsHere(`http://${host}:3080`), host);
  });

  it('is not reached by a name that leads there', async () => {
    for (const all of [true, false])
      await assert.rejects(
        new Promise((resolve, reject) =>
          lookupElsewhere('localhost', { all }, (error, found) => (error === null ? resolve(found) : reject(error))),
        ),
        /the server’s own machine/,
      );
  });

  it('says of a name that leads nowhere what its look-up says', async () => {
    for (const all of [true, false])
      await assert.rejects(
        new Promise((resolve, reject) =>
          lookupElsewhere('nobody.invalid', { all }, (error, found) =>
            error === null ? resolve(found) : reject(error),
          ),
        ),
        /nobody\.invalid/,
      );
  });

  it('is passed by for other addresses', async () => {
    const found = await new Promise((resolve, reject) =>
      lookupElsewhere('192.0.2.1', { all: true }, (error, addresses) =>
        error === null ? resolve(addresses) : reject(error),
      ),
    );
    assert.deepEqual(found, [{ address: '192.0.2.1', family: 4 }]);
  });
});

describe('a server that is not local', () => {
  let here: TestServer;
  let fake: FakeCompute;
  before(async () => {
    [here, fake] = await Promise.all([testServer(['--no-local']), fakeCompute()]);
  });
  after(async () => {
    await here.close();
    await fake.close();
  });

  it('asks nothing of what only its own machine reaches, when that is given as a compute', async () => {
    const at = { compute_id: 'far', protocol: 'http', port: fake.port };
    for (const host of HERE.map((name) => name.replace(/^\[(.*)\]$/, '$1'))) {
      const { status, body } = await here.request('POST', '/v2/computes', { ...at, host });
      assert.deepEqual([status, (body as { field?: string }).field], [403, 'host'], host);
    }
    const added = await here.request('POST', '/v2/computes', { ...at, host: '192.0.2.1', port: 9 });
    assert.equal(added.status, 201, added.text);
    assert.equal((await here.request('PUT', '/v2/computes/far', { host: '127.0.0.1' })).status, 403);
    assert.deepEqual(fake.requests, []);
  });
});
