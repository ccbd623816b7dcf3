import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  broadcastOf,
  formatIpv4,
  isHostIpv4,
  maskOf,
  networkOf,
  parseInterface,
  parseIpv4,
  prefixOf,
  sameSubnet,
} from '../../../src/fabric/codecs/ip-address.ts';
import { formatMac, isGroupMac, parseMac, readMac, writeMac } from '../../../src/fabric/codecs/mac-address.ts';
import { address, mac } from './arbitraries.ts';

describe('MAC address text', () => {
  it('survives text and bytes', () => {
    fc.assert(
      fc.property(mac, (value) => {
        const bytes = new Uint8Array(8);
        writeMac(bytes, 1, value);
        assert.equal(readMac(bytes, 1), value);
        assert.equal(parseMac(formatMac(value)), value);
      }),
    );
  });

  it('reads the three usual forms and refuses others', () => {
    for (const text of ['00:50:79:66:68:0a', '00-50-79-66-68-0A', '0050.7966.680a']) {
      assert.equal(parseMac(text), 0x00507966680a);
    }
    for (const text of ['', '00:50:79:66:68', '00:50:79:66:68:0g', '00:50-79:66:68:00', '005079666800:']) {
      assert.equal(parseMac(text), null);
    }
  });

  it('knows the group bit', () => {
    assert.equal(isGroupMac(0xffffffffffff), true);
    assert.equal(isGroupMac(0x01005e000001), true);
    assert.equal(isGroupMac(0x005079666800), false);
  });
});

describe('IPv4 address text and subnets', () => {
  it('survives text', () => {
    fc.assert(fc.property(address, (value) => assert.equal(parseIpv4(formatIpv4(value)), value)));
  });

  it('refuses what is not four decimal bytes', () => {
    for (const text of ['', '1.2.3', '1.2.3.256', '1.2.3.4.5', '1.2.3.-4', '1.2.3.4 ', '0x1.2.3.4', '1..2.3']) {
      assert.equal(parseIpv4(text), null);
    }
  });

  it('converts masks and prefix lengths', () => {
    for (let prefix = 0; prefix <= 32; prefix++) assert.equal(prefixOf(maskOf(prefix)), prefix);
    assert.equal(prefixOf(0xff00ff00), null);
    assert.equal(formatIpv4(maskOf(20)), '255.255.240.0');
  });

  it('puts each address between network and broadcast of its own subnet', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 32 }), (value, prefix) => {
        const [network, broadcast] = [networkOf(value, prefix), broadcastOf(value, prefix)];
        assert.ok(network <= value && value <= broadcast);
        assert.equal(broadcast - network + 1, 2 ** (32 - prefix));
        assert.ok(sameSubnet(network, broadcast, prefix));
      }),
    );
  });

  it('reads an address with and without a prefix length', () => {
    assert.deepEqual(parseInterface('10.0.0.1', 24), { address: 0x0a000001, prefix: 24 });
    assert.deepEqual(parseInterface('10.0.0.1/8', 24), { address: 0x0a000001, prefix: 8 });
    for (const text of ['10.0.0.1/', '10.0.0.1/33', '10.0.0.1/8/8', '/8', '10.0.0/8']) {
      assert.equal(parseInterface(text, 24), null);
    }
  });

  it('tells hosts from the addresses no host can have', () => {
    for (const text of ['0.0.0.0', '127.0.0.1', '224.0.0.1', '255.255.255.255']) {
      assert.equal(isHostIpv4(parseIpv4(text) ?? 0), false);
    }
    assert.equal(isHostIpv4(0x0a000001), true);
  });
});
