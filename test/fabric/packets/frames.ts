/** Frames of the protocols that labs speak, made by the codecs. */
import { encodeArp } from '../../../src/fabric/codecs/arp.ts';
import { concat, put16 } from '../../../src/fabric/codecs/bytes.ts';
import { DHCP_OPTION, DHCP_TYPE, encodeDhcp, numberData } from '../../../src/fabric/codecs/dhcp.ts';
import { DNS_CLASS_IN, DNS_TYPE_A, encodeDns } from '../../../src/fabric/codecs/dns.ts';
import { encodeEthernet, pushTag, type VlanTag } from '../../../src/fabric/codecs/ethernet.ts';
import { encodeIcmp } from '../../../src/fabric/codecs/icmpv4.ts';
import { encodeIpv4 } from '../../../src/fabric/codecs/ipv4.ts';
import { encodeTcp } from '../../../src/fabric/codecs/tcp.ts';
import { encodeUdp } from '../../../src/fabric/codecs/udp.ts';

const [A, B] = [0x0a000001, 0x0a000002];
const [MAC_A, MAC_B] = [0x005079666800, 0x005079666801];

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));

export const ethernet = (ethertype: number, payload: Uint8Array, tags: VlanTag[] = []): Uint8Array =>
  encodeEthernet({ destination: MAC_B, source: MAC_A, tags, ethertype, payload });
const ip = (protocol: number, payload: Uint8Array, more: { ttl?: number; back?: boolean } = {}): Uint8Array =>
  ethernet(
    0x0800,
    encodeIpv4({
      ...{ trafficClass: 0, identification: 9, dontFragment: true, moreFragments: false, fragmentOffset: 0 },
      ...{ ttl: more.ttl ?? 64, protocol, options: new Uint8Array(0), payload },
      ...(more.back === true ? { source: B, destination: A } : { source: A, destination: B }),
    }),
  );
const udp = (sourcePort: number, destinationPort: number, payload: Uint8Array): Uint8Array =>
  ip(17, encodeUdp({ sourcePort, destinationPort, payload }, A, B));
/** From port 40000 to 80, or back. */
export const tcp = (sequence: number, text: string, more: { back?: boolean; syn?: boolean } = {}): Uint8Array => {
  const { back = false, syn = false } = more;
  const [sourcePort, destinationPort] = back ? [80, 40_000] : [40_000, 80];
  const flags = { syn, ack: !syn, rst: false, fin: false, push: text !== '' };
  const [from, to] = back ? [B, A] : [A, B];
  const segment = { sourcePort, destinationPort, sequence, acknowledgment: 7, window: 1000, ...flags };
  return ip(6, encodeTcp({ ...segment, options: new Uint8Array(0), payload: Buffer.from(text) }, from, to), { back });
};

const ipv6 = (next: number, payload: Uint8Array): Uint8Array => {
  const header = bytesOf('60000000 0000 00 ff fe800000000000000000000000000001 ff020000000000000000000000000002');
  put16(header, 4, payload.length);
  header[6] = next;
  return ethernet(0x86dd, concat(header, payload));
};

const llc = (payload: string): Uint8Array => {
  const inside = bytesOf(payload);
  return ethernet(inside.length, inside);
};

export const echo = (sequence: number, ttl = 64): Uint8Array =>
  ip(1, encodeIcmp({ kind: 'echo_request', identifier: 5, sequence, data: new Uint8Array(8) }), { ttl });
export const arp = encodeArp({
  operation: 'request',
  ...{ senderMac: MAC_A, senderAddress: A, targetMac: 0, targetAddress: B },
});

const question = { name: 'host.example', type: DNS_TYPE_A, class: DNS_CLASS_IN };
const dns = encodeDns({
  ...{ id: 77, response: true, truncated: false, recursionDesired: true, status: 0 },
  questions: [question],
  answers: [{ ...question, ttl: 300, data: Uint8Array.of(10, 0, 0, 9) }],
});
const dhcp = encodeDhcp({
  ...{ operation: 'request', transaction: 0x1234, seconds: 3, broadcast: false, clientMac: MAC_A },
  ...{ clientAddress: 0, yourAddress: 0, serverAddress: 0, relayAddress: 0 },
  options: new Map([
    [DHCP_OPTION.messageType, Uint8Array.of(DHCP_TYPE.request)],
    [DHCP_OPTION.requestedAddress, numberData(B)],
  ]),
});

const BRIDGE = '8001 005079666801';
/** One of each, by what it is. */
export const FRAMES: Readonly<Record<string, Uint8Array>> = {
  arp: ethernet(0x0806, arp),
  tagged: ethernet(0x0806, arp, [{ ethertype: 0x8100, vid: 20, priority: 3, dropEligible: false }]),
  qinq: pushTag(ethernet(0x0806, arp, [{ ethertype: 0x8100, vid: 20, priority: 0, dropEligible: false }]), 0x88a8, 100),
  icmp: echo(6),
  unreachable: ip(
    1,
    encodeIcmp({ kind: 'unreachable', code: 3, mtu: 0, original: udp(40_001, 33_434, new Uint8Array(8)).subarray(14) }),
  ),
  udp: udp(40_002, 4000, Buffer.from('hello')),
  dns: udp(53, 40_003, dns),
  dhcp: udp(68, 67, dhcp),
  tcp: tcp(1000, '', { syn: true }),
  http: tcp(1001, 'GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n'),
  answer: tcp(5000, 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n', { back: true }),
  solicitation: ipv6(58, bytesOf('8700 0000 00000000 fe800000000000000000000000000002 0101 005079666800')),
  stp: llc(`424203 0000 00 00 01 ${BRIDGE} 00000004 ${BRIDGE} 8002 0100 1400 0200 0f00`),
  lldp: ethernet(0x88cc, bytesOf('0207 04 005079666801 0405 05 65746830 0602 0078 0a03 535731 0000')),
  cdp: llc('aaaa03 00000c 2000 02 b4 0000 0001 0007 523177 0003 0008 45302f30'),
};
