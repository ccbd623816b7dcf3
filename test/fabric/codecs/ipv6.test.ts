import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { reassemble } from '../../../src/fabric/codecs/fragments.ts';
import {
  eui64,
  formatIp,
  formatIpv6,
  inIpv6Prefix,
  ipv6Network,
  linkLocalOf,
  multicastMac,
  parseIp,
  parseIpv6,
  parseIpv6Interface,
  solicitedNode,
} from '../../../src/fabric/codecs/ip-address.ts';
import { decodeDhcpv6, type Dhcpv6Message, duidOf, encodeDhcpv6 } from '../../../src/fabric/codecs/ipv6/dhcpv6.ts';
import { decodeIcmpv6, encodeIcmpv6, type Icmpv6Message } from '../../../src/fabric/codecs/ipv6/icmpv6.ts';
import {
  decodeIpv6,
  decodeIpv6Header,
  encodeIpv6,
  fragmentIpv6,
  type Ipv6Packet,
} from '../../../src/fabric/codecs/ipv6/ipv6.ts';
import { decodeTcp, encodeTcp } from '../../../src/fabric/codecs/tcp.ts';
import { decodeUdp, encodeUdp } from '../../../src/fabric/codecs/udp.ts';
import { bytes, flipBit, mac, u16, u32, u8 } from './arbitraries.ts';

const record = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(shape, { noNullPrototype: true });
const address = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
const packet: fc.Arbitrary<Ipv6Packet> = record({
  trafficClass: u8,
  flowLabel: fc.integer({ min: 0, max: 0xfffff }),
  identification: fc.constant(0),
  moreFragments: fc.constant(false),
  fragmentOffset: fc.constant(0),
  ttl: u8,
  // Not those of extension headers, which are passed over.
  protocol: fc.constantFrom(6, 17, 58, 59, 89),
  source: address,
  destination: address,
  payload: bytes(200),
});
const fragment: fc.Arbitrary<Ipv6Packet> = fc
  .tuple(packet, u32, fc.integer({ min: 1, max: 0x1fff }), fc.boolean())
  .map(([whole, identification, units, moreFragments]) => ({
    ...{ ...whole, identification, moreFragments, fragmentOffset: units * 8 },
  }));

const maybeMac = fc.option(mac);
const prefix = record({
  prefix: address,
  length: fc.integer({ min: 0, max: 128 }),
  onLink: fc.boolean(),
  autonomous: fc.boolean(),
  valid: u32,
  preferred: u32,
});
const message: fc.Arbitrary<Icmpv6Message> = fc.oneof(
  record({
    kind: fc.constantFrom('echo_request' as const, 'echo_reply' as const),
    identifier: u16,
    sequence: u16,
    data: bytes(100),
  }),
  record({ kind: fc.constantFrom('unreachable' as const, 'exceeded' as const), code: u8, original: bytes(60) }),
  record({ kind: fc.constant('too_big' as const), mtu: u32, original: bytes(60) }),
  record({ kind: fc.constant('parameter_problem' as const), code: u8, pointer: u32, original: bytes(60) }),
  record({ kind: fc.constant('router_solicitation' as const), mac: maybeMac }),
  record({ kind: fc.constant('neighbour_solicitation' as const), target: address, mac: maybeMac }),
  record({
    kind: fc.constant('neighbour_advertisement' as const),
    target: address,
    router: fc.boolean(),
    solicited: fc.boolean(),
    override: fc.boolean(),
    mac: maybeMac,
  }),
  record({
    kind: fc.constant('router_advertisement' as const),
    hopLimit: u8,
    managed: fc.boolean(),
    other: fc.boolean(),
    lifetime: u16,
    reachable: u32,
    retransmit: u32,
    mac: maybeMac,
    mtu: fc.option(u32),
    prefixes: fc.array(prefix, { maxLength: 3 }),
    dns: fc.array(record({ lifetime: u32, servers: fc.array(address, { maxLength: 3 }) }), { maxLength: 2 }),
  }),
);
const udp = record({ sourcePort: u16, destinationPort: u16, payload: bytes(100) });

describe('IPv6 addresses', () => {
  it('are the same after writing and reading', () => {
    fc.assert(fc.property(address, (one) => assert.equal(parseIpv6(formatIpv6(one)), one)));
    fc.assert(fc.property(address, (one) => assert.equal(formatIp(parseIp(formatIp(one)) ?? 0), formatIp(one))));
  });

  it('are written as RFC 5952 has them', () => {
    for (const [given, written] of [
      ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
      ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
      ['::', '::'],
      ['::ffff:192.0.2.1', '::ffff:c000:201'],
    ] as const) {
      assert.equal(formatIpv6(parseIpv6(given) ?? 0n), written);
    }
  });

  it('are refused with zones, with too many groups and without colons', () => {
    for (const text of ['fe80::1%eth0', '1:2:3:4:5:6:7:8:9', '10.0.0.1', '', '2001:db8::g', '1::2::3']) {
      assert.equal(parseIpv6(text), null, text);
    }
    assert.equal(parseIpv6Interface('2001:db8::1/129', 64), null);
    assert.deepEqual(parseIpv6Interface('::1', 64), { address: 1n, prefix: 64 });
    assert.deepEqual(parseIpv6Interface('::1/128', 64), { address: 1n, prefix: 128 });
  });

  it('of a link are made of the MAC as EUI-64', () => {
    assert.equal(formatIpv6(linkLocalOf(0x005079666800)), 'fe80::250:79ff:fe66:6800');
    assert.equal(eui64(0x020000000001), 0xfffe000001n);
  });

  it('have a group and its MAC', () => {
    const group = solicitedNode(parseIpv6('2001:db8::1234:5678') ?? 0n);
    assert.equal(formatIpv6(group), 'ff02::1:ff34:5678');
    assert.equal(multicastMac(group), 0x3333ff345678);
  });

  it('are in their own prefix, and in no other', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 1, max: 128 }), (one, length) => {
        const network = ipv6Network(one, length);
        assert.equal(inIpv6Prefix(one, network, length), true);
        assert.equal(inIpv6Prefix(one ^ (1n << BigInt(128 - length)), network, length), false);
      }),
    );
  });
});

describe('IPv6 packets', () => {
  it('are the same after writing and reading, whole and in fragments', () => {
    fc.assert(fc.property(packet, (one) => assert.deepEqual(decodeIpv6(encodeIpv6(one)), one)));
    fc.assert(fc.property(fragment, (one) => assert.deepEqual(decodeIpv6(encodeIpv6(one)), one)));
  });

  it('end where their length says, whatever Ethernet has filled up', () => {
    fc.assert(
      fc.property(packet, bytes(20), (one, padding) => {
        const whole = encodeIpv6(one);
        const padded = Uint8Array.from([...whole, ...padding]);
        assert.deepEqual(decodeIpv6(padded), one);
      }),
    );
  });

  it('cut short are no packets, and nothing throws', () => {
    fc.assert(
      fc.property(packet, fc.nat(), (one, at) => {
        const whole = encodeIpv6(one);
        assert.equal(decodeIpv6(whole.subarray(0, at % whole.length)), null);
      }),
    );
    fc.assert(
      fc.property(bytes(120), (noise) => {
        decodeIpv6(noise);
        decodeIpv6Header(noise);
        // With the version and extension headers in front of the noise.
        for (const next of [0, 43, 44, 60]) {
          const head = encodeIpv6({ ...SAMPLE, payload: noise });
          head[6] = next;
          decodeIpv6(head);
        }
      }),
    );
  });

  it('larger than the MTU go in fragments that fit, and become whole again in any order', () => {
    fc.assert(
      fc.property(packet, fc.integer({ min: 64, max: 200 }), fc.nat(), (one, mtu, turn) => {
        const parts = fragmentIpv6(one, mtu);
        for (const part of parts) assert.ok(encodeIpv6(part).length <= mtu);
        const at = turn % parts.length;
        assert.deepEqual(reassemble([...parts.slice(at), ...parts.slice(0, at)]), one);
      }),
    );
  });

  it('skip extension headers', () => {
    const payload = Uint8Array.from([58, 0, 5, 2, 0, 0, 1, 0, 1, 2, 3, 4]);
    const withRouterAlert = encodeIpv6({ ...SAMPLE, payload });
    withRouterAlert[6] = 0;
    const read = decodeIpv6(withRouterAlert);
    assert.deepEqual([read?.protocol, [...(read?.payload ?? [])]], [58, [1, 2, 3, 4]]);
  });
});

describe('ICMPv6', () => {
  it('is the same after writing and reading', () => {
    fc.assert(
      fc.property(message, address, address, (one, source, destination) => {
        assert.deepEqual(decodeIcmpv6(encodeIcmpv6(one, source, destination), source, destination), one);
      }),
    );
  });

  it('with a wrong bit, or for another address, is refused', () => {
    fc.assert(
      fc.property(message, address, address, fc.nat(), (one, source, destination, at) => {
        const whole = encodeIcmpv6(one, source, destination);
        assert.equal(decodeIcmpv6(flipBit(whole, at % (whole.length * 8)), source, destination), null);
        assert.equal(decodeIcmpv6(whole, source ^ 1n, destination), null);
      }),
    );
  });

  it('never throws at what is cut short or noise', () => {
    fc.assert(
      fc.property(message, fc.nat(), (one, at) => {
        const whole = encodeIcmpv6(one, 1n, 2n);
        // The checksum is set right again, so that the rest is looked at.
        const cut = whole.slice(0, at % whole.length);
        decodeIcmpv6(cut, 1n, 2n);
        decodeIcmpv6(mended(cut), 1n, 2n);
      }),
    );
    fc.assert(fc.property(bytes(100), (noise) => void decodeIcmpv6(mended(noise), 1n, 2n)));
  });

  it('has no message with an option of no length', () => {
    const whole = encodeIcmpv6({ kind: 'router_solicitation', mac: 1 }, 1n, 2n);
    whole[9] = 0;
    assert.equal(decodeIcmpv6(mended(whole), 1n, 2n), null);
  });
});

describe('DHCPv6', () => {
  const leased = record({ address, preferred: u32, valid: u32 });
  const association = record({
    ...{ id: u32, renewAfter: u32, rebindAfter: u32, status: u16 },
    addresses: fc.array(leased, { maxLength: 3 }),
  });
  const exchange: fc.Arbitrary<Dhcpv6Message> = record({
    ...{ type: u8, transaction: fc.integer({ min: 0, max: 0xffffff }), status: u16 },
    clientId: fc.option(bytes(20)),
    serverId: fc.option(bytes(20)),
    association: fc.option(association),
    dns: fc.array(address, { maxLength: 3 }),
  });

  it('is the same after writing and reading', () => {
    fc.assert(fc.property(exchange, (one) => assert.deepEqual(decodeDhcpv6(encodeDhcpv6(one)), one)));
  });

  it('never throws at what is cut short or noise', () => {
    fc.assert(
      fc.property(exchange, fc.nat(), (one, at) => {
        const whole = encodeDhcpv6(one);
        decodeDhcpv6(whole.subarray(0, at % whole.length));
      }),
    );
    fc.assert(fc.property(bytes(100), (noise) => void decodeDhcpv6(noise)));
  });

  it('names a client by its MAC', () => {
    assert.deepEqual([...duidOf(0x005079666801)], [0, 3, 0, 1, 0, 0x50, 0x79, 0x66, 0x68, 1]);
  });
});

describe('UDP and TCP over IPv6', () => {
  it('are the same after writing and reading, and have the addresses in their checksum', () => {
    fc.assert(
      fc.property(udp, address, address, (one, source, destination) => {
        const whole = encodeUdp(one, source, destination);
        assert.deepEqual(decodeUdp(whole, source, destination), one);
        assert.equal(decodeUdp(whole, source ^ 1n, destination), null);
        const segment = { ...SEGMENT, payload: one.payload };
        const sent = encodeTcp(segment, source, destination);
        assert.deepEqual(decodeTcp(sent, source, destination), segment);
        assert.equal(decodeTcp(sent, source, destination ^ 1n), null);
      }),
    );
  });

  it('need a checksum, unlike over IPv4', () => {
    const whole = encodeUdp({ sourcePort: 1, destinationPort: 2, payload: new Uint8Array(4) }, 1n, 2n);
    whole.fill(0, 6, 8);
    assert.equal(decodeUdp(whole, 1n, 2n), null);
    assert.notEqual(decodeUdp(whole, 1, 2), null);
  });
});

const SAMPLE: Ipv6Packet = {
  ...{ trafficClass: 0, flowLabel: 0, identification: 0, moreFragments: false, fragmentOffset: 0, ttl: 64 },
  ...{ protocol: 58, source: 1n, destination: 2n, payload: new Uint8Array(0) },
};
const SEGMENT = {
  ...{ sourcePort: 1, destinationPort: 2, sequence: 3, acknowledgment: 4, window: 5, options: new Uint8Array(0) },
  ...{ syn: true, ack: true, rst: false, fin: false, push: false },
};

/** With the checksum that it should have, from ::1 to ::2. */
function mended(given: Uint8Array): Uint8Array {
  const copy = given.slice();
  copy.fill(0, 2, 4);
  let sum = 3 + 58 + copy.length;
  for (let at = 0; at < copy.length; at += 2) sum += ((copy[at] ?? 0) << 8) + (copy[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  if (copy.length > 3) [copy[2], copy[3]] = [(~sum >>> 8) & 255, ~sum & 255];
  return copy;
}
