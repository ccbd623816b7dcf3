import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { encodeArp } from '../../../src/fabric/codecs/arp.ts';
import { DHCP_OPTION, DHCP_TYPE, encodeDhcp, numberData } from '../../../src/fabric/codecs/dhcp.ts';
import { encodeDns } from '../../../src/fabric/codecs/dns.ts';
import { encodeEthernet, pushTag } from '../../../src/fabric/codecs/ethernet.ts';
import { encodeIcmp } from '../../../src/fabric/codecs/icmpv4.ts';
import { fragmentIpv4 } from '../../../src/fabric/codecs/fragments.ts';
import { encodeIpv4, type Ipv4Packet } from '../../../src/fabric/codecs/ipv4.ts';
import { encodeIcmpv6, type Icmpv6Message } from '../../../src/fabric/codecs/ipv6/icmpv6.ts';
import { ipv6Network, parseIpv6 } from '../../../src/fabric/codecs/ip-address.ts';
import { encodeIpv6, fragmentIpv6, type Ipv6Packet } from '../../../src/fabric/codecs/ipv6/ipv6.ts';
import { encodeLmi, type LmiType } from '../../../src/fabric/codecs/frame-relay.ts';
import { encodeTcp } from '../../../src/fabric/codecs/tcp.ts';
import { encodeUdp } from '../../../src/fabric/codecs/udp.ts';

const MISSING = spawnSync('tshark', ['--version']).error === undefined ? false : 'tshark is not installed';
const [A, B] = [0x0a000001, 0x0a000002];
const [MAC_A, MAC_B] = [0x005079666800, 0x005079666801];
const LINKTYPE_ETHERNET = 1;
const LINKTYPE_FRELAY = 107;

/** Values of the fields, one row a packet; fails when tshark finds a frame malformed or a checksum wrong. */
function dissect(linkType: number, frames: Uint8Array[], fields: string[]): string[][] {
  const directory = mkdtempSync(join(tmpdir(), 'topolog-tshark-'));
  try {
    const file = join(directory, 'frames.pcap');
    writeFileSync(file, pcap(linkType, frames));
    const check = ['ip.check_checksum', 'udp.check_checksum', 'tcp.check_checksum'].flatMap((o) => ['-o', `${o}:TRUE`]);
    const columns = ['_ws.malformed', '_ws.expert.message', ...fields].flatMap((field) => ['-e', field]);
    const args = ['-r', file, ...check, '-o', 'tcp.analyze_sequence_numbers:FALSE', '-T', 'fields', ...columns];
    const text = execFileSync('tshark', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const rows = text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.split('\t'));
    assert.equal(rows.length, frames.length);
    for (const [malformed, expert] of rows) {
      assert.equal(malformed, '');
      assert.doesNotMatch(expert ?? '', /checksum|malformed|bad|illegal/i);
    }
    return rows.map((row) => row.slice(2));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The classic libpcap file format. */
function pcap(linkType: number, frames: Uint8Array[]): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65535, 16);
  header.writeUInt32LE(linkType, 20);
  const records = frames.map((frame) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(frame.length, 8);
    record.writeUInt32LE(frame.length, 12);
    return Buffer.concat([record, frame]);
  });
  return Buffer.concat([header, ...records]);
}

const packet = (protocol: number, payload: Uint8Array): Ipv4Packet => ({
  ...{ trafficClass: 0, identification: 9, dontFragment: false, moreFragments: false, fragmentOffset: 0, ttl: 64 },
  ...{ protocol, source: A, destination: B, options: new Uint8Array(0), payload },
});
const ethernet = (ethertype: number, payload: Uint8Array): Uint8Array =>
  encodeEthernet({ destination: MAC_B, source: MAC_A, tags: [], ethertype, payload });
const ip = (protocol: number, payload: Uint8Array): Uint8Array =>
  ethernet(0x0800, encodeIpv4(packet(protocol, payload)));
const udp = (sourcePort: number, destinationPort: number, payload: Uint8Array): Uint8Array =>
  ip(17, encodeUdp({ sourcePort, destinationPort, payload }, A, B));
const [A6, B6] = [parseIpv6('2001:db8::1') ?? 0n, parseIpv6('2001:db8::2') ?? 0n];
const DATA = new Uint8Array(8);
const packet6 = (protocol: number, payload: Uint8Array): Ipv6Packet => ({
  ...{ trafficClass: 0, flowLabel: 0, identification: 0, moreFragments: false, fragmentOffset: 0, ttl: 255 },
  ...{ protocol, source: A6, destination: B6, payload },
});
const icmpv6 = (message: Icmpv6Message): Uint8Array =>
  ethernet(0x86dd, encodeIpv6(packet6(58, encodeIcmpv6(message, A6, B6))));
const echo = encodeIcmp({ kind: 'echo_request', identifier: 5, sequence: 6, data: new Uint8Array(56) });

describe('tshark reads what the codecs write', { skip: MISSING }, () => {
  it('ARP', () => {
    const message = { senderMac: MAC_A, senderAddress: A, targetMac: 0, targetAddress: B };
    const rows = dissect(
      LINKTYPE_ETHERNET,
      [ethernet(0x0806, encodeArp({ operation: 'request', ...message }))],
      ['arp.opcode', 'arp.src.hw_mac', 'arp.src.proto_ipv4', 'arp.dst.proto_ipv4'],
    );
    assert.deepEqual(rows, [['1', '00:50:79:66:68:00', '10.0.0.1', '10.0.0.2']]);
  });

  it('ICMP: echo, unreachable, time exceeded', () => {
    const original = encodeIpv4(
      packet(17, encodeUdp({ sourcePort: 1, destinationPort: 33434, payload: new Uint8Array(8) }, A, B)),
    );
    const messages = [
      echo,
      encodeIcmp({ kind: 'unreachable', code: 3, mtu: 0, original: original.subarray(0, 28) }),
      encodeIcmp({ kind: 'exceeded', code: 0, original: original.subarray(0, 28) }),
    ];
    const rows = dissect(
      LINKTYPE_ETHERNET,
      messages.map((message) => ip(1, message)),
      ['icmp.type', 'icmp.code', 'icmp.checksum.status', 'ip.checksum.status', 'icmp.seq', 'udp.dstport'],
    );
    assert.deepEqual(rows, [
      ['8', '0', '1', '1', '6', ''],
      ['3', '3', '1', '1,1', '', '33434'],
      ['11', '0', '1', '1,1', '', '33434'],
    ]);
  });

  it('IPv4 fragments, which it joins', () => {
    const large = encodeIcmp({ kind: 'echo_request', identifier: 5, sequence: 6, data: new Uint8Array(3000) });
    const fragments = fragmentIpv4(packet(1, large), 1500) ?? [];
    const frames = fragments.map((fragment) => ethernet(0x0800, encodeIpv4(fragment)));
    const rows = dissect(LINKTYPE_ETHERNET, frames, ['ip.reassembled.length', 'icmp.checksum.status']);
    assert.deepEqual(rows.at(-1), ['3008', '1']);
    assert.equal(frames.length, 3);
  });

  it('IPv6: echo, errors, fragments, UDP and TCP', () => {
    const original = encodeIpv6(
      packet6(17, encodeUdp({ sourcePort: 1, destinationPort: 33434, payload: DATA }, A6, B6)),
    );
    const messages: Icmpv6Message[] = [
      { kind: 'echo_request', identifier: 5, sequence: 6, data: DATA },
      { kind: 'unreachable', code: 4, original },
      { kind: 'too_big', mtu: 1280, original },
      { kind: 'exceeded', code: 0, original },
    ];
    const rows = dissect(LINKTYPE_ETHERNET, messages.map(icmpv6), [
      ...['icmpv6.type', 'icmpv6.code', 'icmpv6.checksum.status', 'icmpv6.echo.sequence_number', 'icmpv6.mtu'],
    ]);
    assert.deepEqual(rows, [
      ['128', '0', '1', '6', ''],
      ['1', '4', '1', '', ''],
      ['2', '0', '1', '', '1280'],
      ['3', '0', '1', '', ''],
    ]);
    const large = { kind: 'echo_request', identifier: 5, sequence: 6, data: new Uint8Array(3000) } as const;
    const whole = { ...packet6(58, encodeIcmpv6(large, A6, B6)), identification: 77 };
    const parts = fragmentIpv6(whole, 1280).map((part) => ethernet(0x86dd, encodeIpv6(part)));
    const joined = dissect(LINKTYPE_ETHERNET, parts, ['ipv6.reassembled.length', 'icmpv6.checksum.status']);
    assert.deepEqual(joined.at(-1), ['3008', '1']);
    const datagram = encodeUdp({ sourcePort: 4000, destinationPort: 4001, payload: DATA }, A6, B6);
    const rest = [ethernet(0x86dd, encodeIpv6(packet6(17, datagram)))];
    assert.deepEqual(dissect(LINKTYPE_ETHERNET, rest, ['udp.dstport', 'udp.checksum.status']), [['4001', '1']]);
  });

  it('neighbour discovery', () => {
    const target = B6;
    const prefix = { prefix: ipv6Network(A6, 64), length: 64, onLink: true, autonomous: true };
    const messages: Icmpv6Message[] = [
      { kind: 'router_solicitation', mac: MAC_A },
      { kind: 'neighbour_solicitation', target, mac: MAC_A },
      { kind: 'neighbour_advertisement', target, router: true, solicited: true, override: false, mac: MAC_B },
      {
        ...{ kind: 'router_advertisement', hopLimit: 64, managed: true, other: false, lifetime: 1800, mac: MAC_B },
        ...{ reachable: 0, retransmit: 0, mtu: 1400, prefixes: [{ ...prefix, valid: 7200, preferred: 3600 }] },
        dns: [{ lifetime: 600, servers: [A6, B6] }],
      },
    ];
    const rows = dissect(LINKTYPE_ETHERNET, messages.map(icmpv6), [
      ...['icmpv6.type', 'icmpv6.nd.ns.target_address', 'icmpv6.nd.na.target_address', 'icmpv6.opt.linkaddr'],
      ...['icmpv6.opt.prefix', 'icmpv6.opt.prefix.valid_lifetime', 'icmpv6.opt.mtu', 'icmpv6.opt.rdnss'],
    ]);
    assert.deepEqual(rows, [
      ['133', '', '', '00:50:79:66:68:00', '', '', '', ''],
      ['135', '2001:db8::2', '', '00:50:79:66:68:00', '', '', '', ''],
      ['136', '', '2001:db8::2', '00:50:79:66:68:01', '', '', '', ''],
      ['134', '', '', '00:50:79:66:68:01', '2001:db8::', '7200', '1400', '2001:db8::1,2001:db8::2'],
    ]);
  });

  it('VLAN tags, inner and outer', () => {
    const tagged = pushTag(pushTag(ip(1, echo), 0x8100, 10), 0x88a8, 200);
    assert.deepEqual(dissect(LINKTYPE_ETHERNET, [tagged], ['eth.type', 'vlan.id', 'icmp.seq']), [
      ['0x88a8', '10', '6'],
    ]);
    const double = pushTag(pushTag(ip(1, echo), 0x8100, 10), 0x8100, 200);
    assert.deepEqual(dissect(LINKTYPE_ETHERNET, [double], ['vlan.id', 'icmp.seq']), [['200,10', '6']]);
  });

  it('TCP', () => {
    const syn = {
      ...{ sourcePort: 50000, destinationPort: 80, sequence: 1, acknowledgment: 0, window: 65535 },
      ...{ syn: true, ack: false, rst: false, fin: false, push: false },
      ...{ options: Uint8Array.of(2, 4, 5, 0xb4), payload: new Uint8Array(0) },
    };
    const fields = ['tcp.flags.syn', 'tcp.dstport', 'tcp.checksum.status', 'tcp.options.mss_val'];
    assert.deepEqual(dissect(LINKTYPE_ETHERNET, [ip(6, encodeTcp(syn, A, B))], fields), [['1', '80', '1', '1460']]);
  });

  it('DHCP', () => {
    const options = new Map<number, Uint8Array>([
      [DHCP_OPTION.messageType, Uint8Array.of(DHCP_TYPE.offer)],
      [DHCP_OPTION.subnetMask, numberData(0xffffff00)],
      [DHCP_OPTION.leaseTime, numberData(600)],
    ]);
    const offer = encodeDhcp({
      ...{ operation: 'reply', transaction: 0x12345678, seconds: 0, broadcast: false, clientAddress: 0 },
      ...{ yourAddress: B, serverAddress: A, relayAddress: 0, clientMac: MAC_B, options },
    });
    const fields = ['dhcp.option.dhcp', 'dhcp.ip.your', 'dhcp.option.subnet_mask', 'dhcp.id', 'udp.checksum.status'];
    assert.deepEqual(dissect(LINKTYPE_ETHERNET, [udp(67, 68, offer)], fields), [
      ['2', '10.0.0.2', '255.255.255.0', '0x12345678', '1'],
    ]);
  });

  it('DNS', () => {
    const question = { name: 'www.lab', type: 1, class: 1 };
    const flags = { id: 7, truncated: false, recursionDesired: true, status: 0 };
    const answers = [{ ...question, ttl: 60, data: Uint8Array.of(10, 0, 0, 9) }];
    const frames = [
      udp(50000, 53, encodeDns({ ...flags, response: false, questions: [question], answers: [] })),
      udp(53, 50000, encodeDns({ ...flags, response: true, questions: [question], answers })),
    ];
    assert.deepEqual(dissect(LINKTYPE_ETHERNET, frames, ['dns.qry.name', 'dns.a']), [
      ['www.lab', ''],
      ['www.lab', '10.0.0.9'],
    ]);
  });

  it('LMI of the three kinds', () => {
    const message = { message: 'status' as const, report: 0, sendSequence: 3, receiveSequence: 2, active: [101] };
    const frames = (['ansi', 'q933', 'cisco'] as LmiType[]).map((type) => encodeLmi({ type, ...message }));
    assert.deepEqual(dissect(LINKTYPE_FRELAY, frames, ['fr.dlci', 'frame.protocols']), [
      ['0', 'fr:q933'],
      ['0', 'fr:q933'],
      ['1023', 'fr:lmi'],
    ]);
  });
});
