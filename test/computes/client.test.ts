import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import { HttpComputeClient } from '../../src/computes/client/client.ts';

describe('requests to a compute', () => {
  let server: Server;
  let broken: TopologError[];
  let client: HttpComputeClient;

  before(async () => {
    server = createServer((request, answer) => {
      if (request.url === '/v2/compute/cut') request.destroy();
      else if (request.url === '/v2/compute/busy') answer.writeHead(503).end('{"message":"in a moment","status":503}');
      else answer.writeHead(409).end('{"message":"it runs","status":409}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const target = { name: 'far', protocol: 'http', host: '127.0.0.1', port, user: null, password: null } as const;
    broken = [];
    client = new HttpComputeClient(target, { controller_id: 'me', epoch: 1 }, (error) => broken.push(error));
  });
  after(() => {
    client.end('the test is over');
    server.closeAllConnections();
    server.close();
  });

  const failure = async (path: string): Promise<string> => {
    try {
      await client.request('POST', path);
    } catch (error) {
      return error instanceof TopologError ? error.code : String(error);
    }
    return 'none';
  };

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
