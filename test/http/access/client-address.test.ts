import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress } from '../../../src/http/access/client-address.ts';

describe('the address of a client of a proxy', () => {
  const address = clientAddress(['127.0.0.1', '10.0.0.0/8', 'fd00::/16']);

  it('is the right-most that is no proxy of ours, whatever stands left of it', () => {
    for (const [header, client] of [
      ['192.0.2.7', '192.0.2.7'],
      ['203.0.113.9, 192.0.2.7', '192.0.2.7'],
      ['203.0.113.9,192.0.2.7 , 10.1.2.3', '192.0.2.7'],
      ['2001:db8::7, fd00::1', '2001:db8::7'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['192.0.2.7:51234', '192.0.2.7'],
      ['[2001:db8::7]:51234', '2001:db8::7'],
      ['10.1.2.3', '10.1.2.3'],
    ] as const)
      assert.equal(address('127.0.0.1', header), client, header);
  });

  it('is that of the last proxy which can be believed where the header says nothing of use', () => {
    for (const [header, client] of [
      [undefined, '127.0.0.1'],
      ['', '127.0.0.1'],
      ['unknown', '127.0.0.1'],
      ['192.0.2.7, nonsense, 10.1.2.3', '10.1.2.3'],
      ['192.0.2.7, ', '127.0.0.1'],
    ] as const)
      assert.equal(address('127.0.0.1', header), client, header);
  });

  it('is told by a proxy that was named, and by nobody else', () => {
    assert.equal(address('::ffff:10.9.9.9', '192.0.2.7'), '192.0.2.7');
    for (const remote of ['127.0.0.2', '11.0.0.1', '::1', undefined])
      assert.equal(address(remote, '192.0.2.7'), null, remote);
    assert.equal(clientAddress([])('127.0.0.1', '192.0.2.7'), null);
  });

  it('needs addresses of proxies, and says so', () => {
    for (const text of ['proxy.example.org', '10.0.0.0/33', '::1/129', '10.0.0.1/', '', '10.0.0.1/8/8'])
      assert.throws(() => clientAddress([text]), {
        message: `The request is not valid: --trust-proxy must be an address or a network such as 127.0.0.1 or 10.0.0.0/8, not ${text}`,
      });
  });
});
