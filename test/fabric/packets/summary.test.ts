import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LINK_TYPES, pcapHeader, writeRecord } from '../../../src/fabric/capture/pcap.ts';
import { encodeArp } from '../../../src/fabric/codecs/arp.ts';
import { concat, put16 } from '../../../src/fabric/codecs/bytes.ts';
import { DHCP_OPTION, DHCP_TYPE, encodeDhcp, numberData } from '../../../src/fabric/codecs/dhcp.ts';
import { DNS_CLASS_IN, DNS_TYPE_A, encodeDns } from '../../../src/fabric/codecs/dns.ts';
import { encodeEthernet, type VlanTag } from '../../../src/fabric/codecs/ethernet.ts';
import { encodeFrameRelayAddress, encodeLmi } from '../../../src/fabric/codecs/frame-relay.ts';
import { encodeIcmp } from '../../../src/fabric/codecs/icmpv4.ts';
import { formatIpv6Octets, parseIpv4 } from '../../../src/fabric/codecs/ip-address.ts';
import { encodeIpv4 } from '../../../src/fabric/codecs/ipv4.ts';
import { encodeTcp } from '../../../src/fabric/codecs/tcp.ts';
import { encodeUdp } from '../../../src/fabric/codecs/udp.ts';
import { createCaptureReader } from '../../../src/fabric/packets/read-packets.ts';
import { summarise } from '../../../src/fabric/packets/summary.ts';

const A = parseIpv4('10.0.0.1') ?? 0;
const B = parseIpv4('10.0.0.2') ?? 0;
const MACS = { source: 0x005079666800, destination: 0x005079666801 };
const ETHERNET = LINK_TYPES.DLT_EN10MB;

const ethernet = (ethertype: number, payload: Uint8Array, tags: VlanTag[] = []) =>
  encodeEthernet({ ...MACS, ethertype, payload, tags });
const ipv4 = (protocol: number, payload: Uint8Array, more = {}) =>
  encodeIpv4({
    ...{ trafficClass: 0, identification: 7, dontFragment: false, moreFragments: false, fragmentOffset: 0, ttl: 64 },
    ...{ protocol, source: A, destination: B, options: new Uint8Array(0), payload },
    ...more,
  });
const udp = (sourcePort: number, destinationPort: number, payload: Uint8Array) =>
  ipv4(17, encodeUdp({ sourcePort, destinationPort, payload }, A, B));
const echo = encodeIcmp({ kind: 'echo_request', identifier: 0x1d2f, sequence: 3, data: new Uint8Array(56) });
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));
/** Protocol and summary of an Ethernet frame. */
const say = (ethertype: number, payload: Uint8Array, tags: VlanTag[] = []): string => {
  const { protocol, summary } = summarise(ETHERNET, ethernet(ethertype, payload, tags));
  return `${protocol}: ${summary}`;
};

const ipv6 = (next: number, payload: Uint8Array): Uint8Array => {
  const header = bytesOf('60000000 0000 00 40 fe800000000000000000000000000001 ff020000000000000000000000000002');
  put16(header, 4, payload.length);
  header[6] = next;
  return concat(header, payload);
};

describe('a packet in one line', () => {
  it('of ARP says who asks for whom, who answers, and who announces itself', () => {
    const arp = { senderMac: MACS.source, senderAddress: A, targetMac: 0, targetAddress: B };
    const request = encodeArp({ operation: 'request', ...arp });
    assert.equal(say(0x0806, request), 'ARP: Who has 10.0.0.2? Tell 10.0.0.1');
    assert.equal(say(0x0806, encodeArp({ operation: 'reply', ...arp })), 'ARP: 10.0.0.1 is at 00:50:79:66:68:00');
    const own = encodeArp({ operation: 'request', ...arp, targetAddress: A });
    assert.equal(say(0x0806, own), 'ARP: 10.0.0.1 announces itself');
    const probe = encodeArp({ operation: 'request', ...arp, senderAddress: 0 });
    assert.equal(say(0x0806, probe), 'ARP: Who has 10.0.0.2? Tell 00:50:79:66:68:00');
    const { source, destination } = summarise(ETHERNET, ethernet(0x0806, request));
    assert.deepEqual([source, destination], ['00:50:79:66:68:00', '00:50:79:66:68:01']);
  });

  it('of IPv4 has its addresses', () => {
    const { source, destination, protocol } = summarise(ETHERNET, ethernet(0x0800, ipv4(1, echo)));
    assert.deepEqual([source, destination, protocol], ['10.0.0.1', '10.0.0.2', 'ICMP']);
    assert.equal(say(0x0800, ipv4(89, new Uint8Array(44))), 'IPv4: Protocol OSPF, 44 octets');
    assert.equal(say(0x0800, ipv4(253, new Uint8Array(1))), 'IPv4: Protocol 253, 1 octet');
  });

  it('of a fragment says which part it is', () => {
    const rest = ipv4(17, new Uint8Array(8), { fragmentOffset: 1480 });
    assert.equal(say(0x0800, rest), 'IPv4: Fragment from octet 1480 on, id 0x0007');
  });

  it('of ICMP says what is asked, answered or not reached', () => {
    assert.equal(say(0x0800, ipv4(1, echo)), 'ICMP: Echo request, id 0x1d2f, sequence 3');
    const unreachable = encodeIcmp({ kind: 'unreachable', code: 3, mtu: 0, original: ipv4(17, new Uint8Array(8)) });
    assert.equal(say(0x0800, ipv4(1, unreachable)), 'ICMP: Destination unreachable (port): 10.0.0.1 → 10.0.0.2');
    const exceeded = encodeIcmp({ kind: 'exceeded', code: 0, original: ipv4(1, echo) });
    assert.equal(say(0x0800, ipv4(1, exceeded)), 'ICMP: Time to live exceeded: 10.0.0.1 → 10.0.0.2');
    assert.equal(say(0x0800, ipv4(1, bytesOf('0d00000000000000'))), 'ICMP: Type 13, code 0');
  });

  it('of UDP and TCP has the ports', () => {
    assert.equal(say(0x0800, udp(1024, 7, new Uint8Array(5))), 'UDP: 1024 → 7, 5 octets');
    const flags = { syn: true, ack: true, rst: false, fin: false, push: false };
    const numbers = { sequence: 100, acknowledgment: 7, window: 512, options: new Uint8Array(0) };
    const segment = { sourcePort: 80, destinationPort: 4096, ...flags, ...numbers, payload: new Uint8Array(0) };
    assert.equal(
      say(0x0800, ipv4(6, encodeTcp(segment, A, B))),
      'TCP: 80 → 4096 [SYN, ACK] seq 100 ack 7 window 512, 0 octets',
    );
  });

  it('of DHCP says which message it is, and about which address', () => {
    const message = {
      ...{ operation: 'request' as const, transaction: 0xabcd, seconds: 0, broadcast: true, clientAddress: 0 },
      ...{ yourAddress: 0, serverAddress: 0, relayAddress: 0, clientMac: MACS.source },
    };
    const options = (type: number, ...more: [number, Uint8Array][]) =>
      new Map<number, Uint8Array>([[DHCP_OPTION.messageType, Uint8Array.of(type)], ...more]);
    const discover = encodeDhcp({ ...message, options: options(DHCP_TYPE.discover) });
    assert.equal(say(0x0800, udp(68, 67, discover)), 'DHCP: Discover, transaction 0x0000abcd');
    const asked: [number, Uint8Array] = [DHCP_OPTION.requestedAddress, numberData(B)];
    const request = encodeDhcp({ ...message, options: options(DHCP_TYPE.request, asked) });
    assert.equal(say(0x0800, udp(68, 67, request)), 'DHCP: Request 10.0.0.2, transaction 0x0000abcd');
    const ack = encodeDhcp({ ...message, operation: 'reply', yourAddress: A, options: options(DHCP_TYPE.ack) });
    assert.equal(say(0x0800, udp(67, 68, ack)), 'DHCP: Ack 10.0.0.1, transaction 0x0000abcd');
  });

  it('of DNS has the question and the addresses that answer it', () => {
    const question = { name: 'lab.example.org', type: DNS_TYPE_A, class: DNS_CLASS_IN };
    const message = { id: 5, truncated: false, recursionDesired: true, status: 0, questions: [question] };
    const query = encodeDns({ ...message, response: false, answers: [] });
    assert.equal(say(0x0800, udp(1024, 53, query)), 'DNS: Query A lab.example.org, id 0x0005');
    const answers = [{ ...question, ttl: 60, data: numberData(B) }];
    const response = encodeDns({ ...message, response: true, answers });
    assert.equal(say(0x0800, udp(53, 1024, response)), 'DNS: Response A lab.example.org: 10.0.0.2');
    const missing = encodeDns({ ...message, response: true, status: 3, answers: [] });
    assert.equal(say(0x0800, udp(53, 1024, missing)), 'DNS: Response A lab.example.org (no such name), 0 answers');
  });

  it('of IPv6 has its addresses, and of ICMPv6 what is asked for', () => {
    const solicitation = concat(bytesOf('87000000 00000000'), bytesOf('fe800000000000000000000000000002'));
    const told = summarise(ETHERNET, ethernet(0x86dd, ipv6(58, solicitation)));
    assert.deepEqual(told, {
      source: 'fe80::1',
      destination: 'ff02::2',
      protocol: 'ICMPv6',
      summary: 'Neighbour solicitation of fe80::2',
    });
    assert.equal(say(0x86dd, ipv6(58, bytesOf('80000000 1d2f0003'))), 'ICMPv6: Echo request, id 0x1d2f, sequence 3');
    const hop = concat(bytesOf('3a00 050200000100'), bytesOf('8f000000 00000000'));
    assert.equal(say(0x86dd, ipv6(0, hop)), 'ICMPv6: Multicast listener report, version 2');
    assert.equal(say(0x86dd, ipv6(17, bytesOf('0400 0007 000a 0000 0102'))), 'UDP: 1024 → 7, 2 octets');
  });

  it('writes IPv6 addresses as RFC 5952 does', () => {
    for (const [bytes, text] of [
      ['00000000000000000000000000000000', '::'],
      ['00000000000000000000000000000001', '::1'],
      ['20010db8000000010001000100010001', '2001:db8:0:1:1:1:1:1'],
      ['20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
      ['20010db8000000000000000000000000', '2001:db8::'],
    ] as const)
      assert.equal(formatIpv6Octets(bytesOf(bytes)), text);
  });

  it('of a tagged frame names its VLANs, outermost first', () => {
    const tag = (vid: number, ethertype = 0x8100) => ({ ethertype, vid, priority: 0, dropEligible: false });
    assert.match(say(0x0800, ipv4(1, echo), [tag(20, 0x88a8), tag(30)]), /^ICMP: VLAN 20, VLAN 30: Echo request/);
  });

  it('of the spanning tree has root and bridge', () => {
    const bpdu = bytesOf('424203 0000 00 00 00 8001 0050796668aa 00000013 8002 0050796668bb 8003 0000 1400 0200 0f00');
    const text = say(bpdu.length, bpdu);
    assert.equal(text, 'STP: Configuration: root 32769/00:50:79:66:68:aa, cost 19, bridge 32770/00:50:79:66:68:bb');
    assert.equal(say(7, bytesOf('424203 0000 00 80')), 'STP: Topology change notification');
  });

  it('of frame relay has the DLCI, and of its management the message', () => {
    const address = { dlci: 102, commandResponse: false, fecn: false, becn: false, discardEligible: false };
    const frame = concat(encodeFrameRelayAddress(address), bytesOf('0800'), ipv4(1, echo));
    assert.match(summarise(LINK_TYPES.DLT_FRELAY, frame).summary, /^DLCI 102: Echo request/);
    const enquiry = {
      type: 'ansi',
      message: 'status_enquiry',
      report: 0,
      sendSequence: 4,
      receiveSequence: 2,
    } as const;
    const { protocol, summary } = summarise(LINK_TYPES.DLT_FRELAY, encodeLmi({ ...enquiry, active: [] }));
    assert.equal(`${protocol}: ${summary}`, 'LMI: Status enquiry (ansi), sequence 4, received 2');
  });

  it('of serial and ATM links has what they carry', () => {
    const packet = ipv4(1, echo);
    for (const [type, head] of [
      [LINK_TYPES.DLT_C_HDLC, '0f000800'],
      [LINK_TYPES.DLT_PPP_SERIAL, 'ff030021'],
      [LINK_TYPES.DLT_ATM_RFC1483, 'aaaa030000000800'],
    ] as const)
      assert.equal(summarise(type, concat(bytesOf(head), packet)).protocol, 'ICMP');
    assert.equal(summarise(LINK_TYPES.DLT_PPP_SERIAL, bytesOf('ff03c02101')).summary, 'Link control, 1 octet');
  });

  it('of what is not known says its type and its length', () => {
    assert.equal(say(0x1234, new Uint8Array(46)), 'Ethernet: Type 0x1234, 46 octets');
    assert.equal(summarise(ETHERNET, new Uint8Array(3)).summary, 'Cut short, 3 octets');
    assert.equal(summarise(999, new Uint8Array(3)).protocol, 'Data');
  });

  it('of what is damaged says so, and keeps the addresses that are there', () => {
    const packet = ipv4(1, echo);
    packet[8] = 1;
    const { source, summary } = summarise(ETHERNET, ethernet(0x0800, packet));
    assert.deepEqual([source, summary], ['10.0.0.1', 'Damaged, 84 octets']);
  });
});

describe('a packet in one line, whatever is in it', () => {
  const types = fc.constantFrom(...Object.values(LINK_TYPES), 0, 9999);
  const inner = fc.constantFrom(0x0800, 0x0806, 0x86dd, 0x8100, 0x8847, 0x002e, 0x05dc);
  const ipHead = fc.constantFrom('45000054', '46', '60000000', 'aaaa03', '424203', '');

  it('is one line of text that can be shown, and never throws', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(inner, ipHead, fc.uint8Array({ maxLength: 120 }))
        .map(([type, head, rest]) => ethernet(type, concat(bytesOf(head), rest))),
      fc
        .tuple(fc.constantFrom(1, 6, 17, 89), fc.uint8Array({ maxLength: 120 }))
        .map(([protocol, rest]) => ethernet(0x0800, ipv4(protocol, rest))),
      fc
        .tuple(fc.constantFrom(53, 67, 68, 5353, 9), fc.uint8Array({ maxLength: 300 }))
        .map(([port, rest]) => ethernet(0x0800, udp(port, 1, rest))),
      fc
        .tuple(fc.constantFrom(0, 6, 17, 43, 44, 58, 59, 60), fc.uint8Array({ maxLength: 120 }))
        .map(([next, rest]) => ethernet(0x86dd, ipv6(next, rest))),
    );
    fc.assert(
      fc.property(types, hostile, (type, frame) => {
        const told = summarise(type, frame);
        for (const text of Object.values<string>({ ...told })) {
          assert.doesNotMatch(text, /[\p{C}\p{Zl}\p{Zp}]/u);
          assert.ok(text.length < 300, text);
        }
        assert.notEqual(told.protocol, '');
      }),
      { numRuns: 5_000 },
    );
  });

  it('says names of DNS that would leave their line as dots', () => {
    const question = { name: 'a', type: 1, class: 1 };
    const query = encodeDns({
      ...{ id: 1, response: false, truncated: false, recursionDesired: true, status: 0 },
      ...{ questions: [question], answers: [] },
    });
    // The label's one character.
    query[13] = 0x0a;
    assert.equal(say(0x0800, udp(9, 53, query)), 'DNS: Query A ., id 0x0001');
  });
});

describe('a capture file as it comes', () => {
  it('has the same records in pieces of any length', () => {
    const frames = [1, 60, 300].map((length) => new Uint8Array(length).fill(length & 0xff));
    const into = Buffer.alloc(1000);
    let at = 0;
    frames.forEach((frame, i) => (at = writeRecord(into, at, 1_700_000_000_000_000 + i, frame)));
    const file = Buffer.concat([pcapHeader(1), into.subarray(0, at)]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: file.length }), { maxLength: 8 }), (cuts) => {
        const reader = createCaptureReader();
        const edges = [0, ...cuts.sort((a, b) => a - b), file.length];
        const found = edges.slice(1).flatMap((end, i) => reader.push(file.subarray(edges[i], end)));
        assert.deepEqual(
          found.map(({ number, time, length }) => [number, time, length]),
          frames.map((frame, i) => [i + 1, 1_700_000_000 + i / 1e6, frame.length]),
        );
        found.forEach(({ bytes }, i) => assert.deepEqual(Uint8Array.from(bytes), frames[i]));
        assert.equal(reader.linkType, 1);
      }),
    );
  });

  it('is refused when it is none, and when a record is longer than any frame', () => {
    assert.throws(() => createCaptureReader().push(Buffer.alloc(24)), /no capture file/);
    const record = Buffer.alloc(16);
    record.writeUInt32LE(70_000, 8);
    assert.throws(() => createCaptureReader().push(Buffer.concat([pcapHeader(1), record])), /damaged/);
  });
});
