import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeArp, encodeArp } from '../../../src/fabric/codecs/arp.ts';
import { decodeAtmCell, encodeAtmCell } from '../../../src/fabric/codecs/atm-cell.ts';
import { checksum } from '../../../src/fabric/codecs/checksum.ts';
import { decodeDhcp, encodeDhcp } from '../../../src/fabric/codecs/dhcp.ts';
import { decodeDns, encodeDns } from '../../../src/fabric/codecs/dns.ts';
import { decodeEthernet, encodeEthernet, popTag, pushTag } from '../../../src/fabric/codecs/ethernet.ts';
import {
  decodeFrameRelayAddress,
  decodeLmi,
  encodeFrameRelayAddress,
  encodeLmi,
  readDlci,
  withDlci,
} from '../../../src/fabric/codecs/frame-relay.ts';
import { decodeIcmp, encodeIcmp, type IcmpMessage } from '../../../src/fabric/codecs/icmpv4.ts';
import { decodeIpv4, decodeIpv4Header, encodeIpv4 } from '../../../src/fabric/codecs/ipv4.ts';
import { decodeTcp, encodeTcp } from '../../../src/fabric/codecs/tcp.ts';
import { decodeUdp, encodeUdp } from '../../../src/fabric/codecs/udp.ts';
import { address, bytes, flipBit, ipv4Packet, mac, u16, u32, u8 } from './arbitraries.ts';

const tag = fc.record({
  ethertype: fc.constantFrom(0x8100, 0x88a8, 0x9100, 0x9200),
  vid: fc.integer({ min: 0, max: 4095 }),
  priority: fc.integer({ min: 0, max: 7 }),
  dropEligible: fc.boolean(),
});
const frame = fc.record({
  destination: mac,
  source: mac,
  tags: fc.array(tag, { maxLength: 3 }),
  ethertype: fc.constantFrom(0x0800, 0x0806, 0x86dd, 46),
  payload: bytes(100),
});
const arp = fc.record({
  operation: fc.constantFrom('request' as const, 'reply' as const),
  senderMac: mac,
  senderAddress: address,
  targetMac: mac,
  targetAddress: address,
});
const icmp: fc.Arbitrary<IcmpMessage> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('echo_request' as const, 'echo_reply' as const),
    identifier: u16,
    sequence: u16,
    data: bytes(100),
  }),
  fc.record({ kind: fc.constant('unreachable' as const), code: u8, mtu: u16, original: bytes(60) }),
  fc.record({ kind: fc.constant('exceeded' as const), code: u8, original: bytes(60) }),
);
const udp = fc.record({ sourcePort: u16, destinationPort: u16, payload: bytes(100) });
const tcp = fc.record({
  sourcePort: u16,
  destinationPort: u16,
  sequence: u32,
  acknowledgment: u32,
  syn: fc.boolean(),
  ack: fc.boolean(),
  rst: fc.boolean(),
  fin: fc.boolean(),
  push: fc.boolean(),
  window: u16,
  options: fc.integer({ min: 0, max: 10 }).chain((words) => bytes(words * 4, words * 4)),
  payload: bytes(60),
});
const dhcp = fc.record({
  operation: fc.constantFrom('request' as const, 'reply' as const),
  transaction: u32,
  seconds: u16,
  broadcast: fc.boolean(),
  clientAddress: address,
  yourAddress: address,
  serverAddress: address,
  relayAddress: address,
  clientMac: mac,
  options: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 254 }), bytes(600)), { maxLength: 8 })
    .map((entries) => new Map(entries)),
});
const name = fc
  .array(fc.stringMatching(/^[a-z0-9-]{1,20}$/), { minLength: 1, maxLength: 5 })
  .map((labels) => labels.join('.'));
const question = fc.record({ name, type: u16, class: u16 });
const dns = fc.record({
  id: u16,
  response: fc.boolean(),
  truncated: fc.boolean(),
  recursionDesired: fc.boolean(),
  status: fc.integer({ min: 0, max: 15 }),
  questions: fc.array(question, { maxLength: 3 }),
  answers: fc.array(fc.record({ name, type: u16, class: u16, ttl: u32, data: bytes(40) }), { maxLength: 3 }),
});
const dlci = fc.integer({ min: 0, max: 1023 });
const frAddress = fc.record({
  dlci,
  commandResponse: fc.boolean(),
  fecn: fc.boolean(),
  becn: fc.boolean(),
  discardEligible: fc.boolean(),
});
const lmi = fc.record({
  type: fc.constantFrom('ansi' as const, 'q933' as const, 'cisco' as const),
  message: fc.constantFrom('status_enquiry' as const, 'status' as const),
  report: fc.integer({ min: 0, max: 2 }),
  sendSequence: u8,
  receiveSequence: u8,
  active: fc.array(dlci, { maxLength: 20 }),
});
const cell = fc.record({
  vpi: fc.integer({ min: 0, max: 4095 }),
  vci: u16,
  payloadType: fc.integer({ min: 0, max: 7 }),
  lowPriority: fc.boolean(),
  payload: bytes(48, 48),
});

/** Deep equality that takes a Buffer and a Uint8Array of the same bytes as equal, as their users do. */
const same = (actual: unknown, expected: unknown): void => assert.deepEqual(plain(actual), plain(expected));
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return [...value];
  if (value instanceof Map) return [...value].map(plain).sort();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
};

const ROUND_TRIPS: [string, fc.IPropertyWithHooks<unknown[]>][] = [
  [
    'Ethernet, but for its padding',
    roundTrip(
      frame,
      (value) => {
        const bytes = encodeEthernet(value);
        assert.ok(value.ethertype !== 0x0806 || bytes.length >= 60);
        const length = 14 + 4 * value.tags.length + value.payload.length;
        assert.deepEqual([...bytes.subarray(length)], Array(bytes.length - Math.min(bytes.length, length)).fill(0));
        return bytes.subarray(0, length);
      },
      decodeEthernet,
    ),
  ],
  ['ARP', roundTrip(arp, encodeArp, decodeArp)],
  ['IPv4', roundTrip(ipv4Packet, encodeIpv4, decodeIpv4)],
  ['ICMP', roundTrip(icmp, encodeIcmp, decodeIcmp)],
  [
    'UDP',
    roundTrip(
      udp,
      (value) => encodeUdp(value, 1, 2),
      (data) => decodeUdp(data, 1, 2),
    ),
  ],
  [
    'TCP',
    roundTrip(
      tcp,
      (value) => encodeTcp(value, 1, 2),
      (data) => decodeTcp(data, 1, 2),
    ),
  ],
  ['DHCP', roundTrip(dhcp, encodeDhcp, decodeDhcp)],
  ['DNS', roundTrip(dns, encodeDns, decodeDns)],
  ['frame relay address', roundTrip(frAddress, encodeFrameRelayAddress, decodeFrameRelayAddress)],
  ['LMI', roundTrip(lmi, encodeLmi, decodeLmi)],
  ['ATM cell', roundTrip(cell, encodeAtmCell, decodeAtmCell)],
];

function roundTrip<T>(
  values: fc.Arbitrary<T>,
  encode: (value: T) => Uint8Array,
  decode: (data: Uint8Array) => unknown,
): fc.IPropertyWithHooks<unknown[]> {
  return fc.property(values, (value) => same(decode(encode(value)), value));
}

describe('what is encoded is decoded to the same', () => {
  for (const [protocol, property] of ROUND_TRIPS) it(protocol, () => fc.assert(property));
});

const DECODERS: [string, fc.Arbitrary<Uint8Array>, (data: Uint8Array) => unknown][] = [
  ['Ethernet', frame.map(encodeEthernet), decodeEthernet],
  ['ARP', arp.map(encodeArp), decodeArp],
  ['IPv4', ipv4Packet.map(encodeIpv4), decodeIpv4],
  ['quoted IPv4 header', ipv4Packet.map(encodeIpv4), decodeIpv4Header],
  ['ICMP', icmp.map(encodeIcmp), decodeIcmp],
  ['UDP', udp.map((value) => encodeUdp(value, 1, 2)), (data) => decodeUdp(data, 1, 2)],
  ['TCP', tcp.map((value) => encodeTcp(value, 1, 2)), (data) => decodeTcp(data, 1, 2)],
  ['DHCP', dhcp.map(encodeDhcp), decodeDhcp],
  ['DNS', dns.map(encodeDns), decodeDns],
  ['frame relay address', frAddress.map(encodeFrameRelayAddress), decodeFrameRelayAddress],
  ['LMI', lmi.map(encodeLmi), decodeLmi],
  ['ATM cell', cell.map(encodeAtmCell), decodeAtmCell],
];

describe('decoders take hostile bytes without throwing', () => {
  for (const [protocol, good, decode] of DECODERS) {
    it(`${protocol}: random, damaged and cut bytes`, () => {
      fc.assert(
        fc.property(bytes(300), (data) => assert.doesNotThrow(() => decode(data))),
        { numRuns: 500 },
      );
      fc.assert(
        fc.property(good, fc.nat(), fc.nat(), (data, bit, cut) => {
          const damaged = flipBit(data, bit % Math.max(1, data.length * 8));
          assert.doesNotThrow(() => decode(damaged));
          assert.doesNotThrow(() => decode(data.subarray(0, cut % (data.length + 1))));
        }),
      );
    });
  }
});

describe('a single flipped bit is found', () => {
  const found = (
    good: fc.Arbitrary<Uint8Array>,
    decode: (data: Uint8Array) => unknown,
    covered: (data: Uint8Array) => number,
  ): void =>
    fc.assert(
      fc.property(good, fc.nat(), (data, bit) => {
        assert.equal(decode(flipBit(data, bit % (covered(data) * 8))), null);
      }),
    );
  const whole = (data: Uint8Array): number => data.length;

  it('in an IPv4 header', () => found(ipv4Packet.map(encodeIpv4), decodeIpv4, (data) => ((data[0] ?? 0) & 15) * 4));
  it('in an ICMP message', () => found(icmp.map(encodeIcmp), decodeIcmp, whole));
  it('in a UDP datagram', () => {
    const datagrams = udp.map((value) => encodeUdp(value, 1, 2));
    found(datagrams, (data) => decodeUdp(data, 1, 2), whole);
  });
  it('in a TCP segment', () => {
    const segments = tcp.map((value) => encodeTcp(value, 1, 2));
    found(segments, (data) => decodeTcp(data, 1, 2), whole);
  });
  it('in the header of an ATM cell', () => found(cell.map(encodeAtmCell), decodeAtmCell, () => 5));
  it('in the addresses that a UDP checksum covers', () => {
    const data = encodeUdp(
      { sourcePort: 1, destinationPort: 2, payload: Uint8Array.of(1, 2, 3) },
      0x0a000001,
      0x0a000002,
    );
    assert.notEqual(decodeUdp(data, 0x0a000001, 0x0a000002), null);
    assert.equal(decodeUdp(data, 0x0a000001, 0x0a000003), null);
  });
});

describe('published examples', () => {
  it('RFC 1071 section 3: the sum of 00 01 f2 03 f4 f5 f6 f7 is ddf2', () => {
    assert.equal(checksum(Uint8Array.of(0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7)), ~0xddf2 & 0xffff);
  });

  it('I.432: the idle cell 00 00 00 01 has header checksum 52', () => {
    const idle = encodeAtmCell({ vpi: 0, vci: 0, payloadType: 0, lowPriority: true, payload: new Uint8Array(48) });
    assert.deepEqual([...idle.subarray(0, 5)], [0, 0, 0, 1, 0x52]);
  });

  it('Q.922: DLCI 1023 is fc f1, DLCI 0 is 00 01', () => {
    const flags = { commandResponse: false, fecn: false, becn: false, discardEligible: false };
    assert.deepEqual([...encodeFrameRelayAddress({ dlci: 1023, ...flags })], [0xfc, 0xf1]);
    assert.deepEqual([...encodeFrameRelayAddress({ dlci: 0, ...flags })], [0x00, 0x01]);
  });
});

describe('VLAN tags', () => {
  it('pushed and popped leave the frame as it was', () => {
    fc.assert(
      fc.property(frame.map(encodeEthernet), tag, (data, { ethertype, vid }) => {
        const tagged = pushTag(data, ethertype, vid);
        assert.equal(decodeEthernet(tagged)?.tags[0]?.vid, vid);
        assert.deepEqual(popTag(tagged), data);
      }),
    );
  });
});

describe('DLCI rewriting', () => {
  it('keeps the other bits and the frame it was given', () => {
    fc.assert(
      fc.property(frAddress, dlci, bytes(20), (before, next, payload) => {
        const given = new Uint8Array([...encodeFrameRelayAddress(before), ...payload]);
        const kept = given.slice();
        const changed = withDlci(given, next);
        assert.deepEqual(given, kept);
        assert.deepEqual(decodeFrameRelayAddress(changed), { ...before, dlci: next });
        assert.deepEqual(changed.subarray(2), payload);
      }),
    );
  });

  it('takes no three-byte and four-byte addresses', () => {
    assert.equal(readDlci(Uint8Array.of(0x08, 0x10, 0x01)), null);
    assert.equal(readDlci(Uint8Array.of(0x09, 0x11)), null);
  });
});

describe('DNS names', () => {
  it('follows compression pointers and ends at loops', () => {
    const query = encodeDns({
      ...{ id: 7, response: true, truncated: false, recursionDesired: true, status: 0, answers: [] },
      questions: [{ name: 'pc.lab', type: 1, class: 1 }],
    });
    query[7] = 1;
    const answer = Uint8Array.of(0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 9);
    const decoded = decodeDns(new Uint8Array([...query, ...answer]));
    assert.equal(decoded?.answers[0]?.name, 'pc.lab');
    assert.deepEqual([...(decoded?.answers[0]?.data ?? [])], [10, 0, 0, 9]);
    const loop = Uint8Array.of(0, 7, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 0xc0, 12, 0, 1, 0, 1);
    assert.equal(decodeDns(loop), null);
  });
});
