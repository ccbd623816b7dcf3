import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Address, bytesOf, isIn, isLinkLocal, networkText, parseAddress } from '../../src/why/address.ts';

const of = (text: string): Address => {
  const address = parseAddress(text);
  assert.ok(address, text);
  return address;
};

it('an address is in its network, of either family', () => {
  assert.ok(isIn(of('10.0.1.2'), of('10.0.1.1/24')));
  assert.ok(!isIn(of('10.0.2.2'), of('10.0.1.1/24')));
  assert.ok(isIn(of('192.0.2.1'), of('0.0.0.0/0')));
  assert.ok(isIn(of('2001:db8::2'), of('2001:db8::1/64')));
  assert.ok(!isIn(of('2001:db8:0:1::2'), of('2001:db8::1/64')));
  assert.ok(!isIn(of('2001:db8::2'), of('0.0.0.0/0')));
});

it('texts that are no address are none', () => {
  for (const text of ['', 'PC1', '10.0.0', '10.0.0.1/33', '10.0.0.1/24/1', '2001:db8::1/129', '10.0.0.1/x'])
    assert.equal(parseAddress(text), null, text);
});

it('networks and octets are those of the address', () => {
  assert.equal(networkText(of('10.0.1.77/24')), '10.0.1.0/24');
  assert.deepEqual([...bytesOf(of('10.0.1.2'))], [10, 0, 1, 2]);
  assert.equal(bytesOf(of('::1')).at(-1), 1);
  assert.ok(isLinkLocal(of('fe80::1')));
  assert.ok(!isLinkLocal(of('2001:db8::1')));
});
