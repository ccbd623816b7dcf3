import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { BOUNDS } from '../../src/common/json.ts';
import { TopologError } from '../../src/common/errors.ts';
import { HttpComputeClient } from '../../src/computes/client/client.ts';
import type { Target } from '../../src/computes/client/target.ts';

const MORE = Buffer.alloc(1 << 16, '[');

describe('requests to a compute', () => {
  let server: Server;
  let broken: TopologError[];
  let client: HttpComputeClient;
  let at: Target;
  let sent = 0;
  const identity = { controller_id: 'me', epoch: 1 };

  before(async () => {
    server = createServer((request, answer) => {
      if (request.url === '/v2/compute/cut') request.destroy();
      else if (request.url === '/v2/compute/busy') answer.writeHead(503).end('{"message":"in a moment","status":503}');
      else if (request.url?.startsWith('/v2/compute/endless') === true) {
        answer.writeHead(Number(request.url.slice(-3)));
        const more = (): void => {
          while (!answer.destroyed && answer.write(MORE)) sent += MORE.length;
        };
        answer.on('drain', more);
        more();
      } else answer.writeHead(409).end('{"message":"it runs","status":409}');
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

  it('whose answers do not end are given up, and say which compute and what bound it was', async () => {
    const most = BOUNDS.answer.size;
    await assert.rejects(client.request('POST', '/endless200'), {
      code: 'conflict',
      message: `far: the answer to POST /endless200 has more than ${most} octets`,
    });
    // What is on its way between the two comes on top.
    assert.ok(sent < most + (32 << 20), `${sent} octets were sent`);
    sent = 0;
    await assert.rejects(client.request('POST', '/endless400'), {
      code: 'invalid_request',
      message: 'far: POST /endless400 was answered with 400',
    });
    assert.ok(sent < 33 << 20, `${sent} octets were sent`);
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
