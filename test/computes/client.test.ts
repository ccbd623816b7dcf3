import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import { HttpComputeClient } from '../../src/computes/client/client.ts';
import type { Target } from '../../src/computes/client/target.ts';

describe('requests to a compute', () => {
  let server: Server;
  let broken: TopologError[];
  let client: HttpComputeClient;
  let at: Target;
  const identity = { controller_id: 'me', epoch: 1 };

  before(async () => {
    server = createServer((request, answer) => {
      if (request.url === '/v2/compute/cut') request.destroy();
      else if (request.url === '/v2/compute/busy') answer.writeHead(503).end('{"message":"in a moment","status":503}');
      else answer.writeHead(409).end('{"message":"it runs","status":409}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    at = { name: 'far', protocol: 'http', host: '127.0.0.1', port, user: null, password: null, mayBeHere: true };
    broken = [];
    client = new HttpComputeClient(at, identity, (error) => broken.push(error));
  });
  after(() => {
    client.end('the test is over');
    server.closeAllConnections();
    server.close();
  });

  const failure = async (path: string, of = client): Promise<string> => {
    try {
      await of.request('POST', path);
    } catch (error) {
      return error instanceof TopologError ? error.code : String(error);
    }
    return 'none';
  };

  it('are not sent to this machine, where it may not be one, by its address or a name', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const kept = new HttpComputeClient({ ...at, host, mayBeHere: false }, identity);
      assert.equal(await failure('/other', kept), 'compute_unreachable');
      kept.end('it was tried');
    }
  });

  it('that are refused say nothing of the connection', async () => {
    assert.equal(await failure('/refused'), 'conflict');
    assert.notEqual(await failure('/busy'), 'compute_unreachable');
    assert.deepEqual(broken, []);
  });

  it('that do not come through end it: nobody knows what became of them', async () => {
    assert.equal(await failure('/cut'), 'compute_unreachable');
    assert.deepEqual(
      broken.map(({ code }) => code),
      ['compute_unreachable'],
    );
  });
});
