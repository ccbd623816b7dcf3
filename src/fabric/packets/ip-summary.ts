/** Summaries of IP packets and their content, in one line each. */
import { get16, get32, get8 } from '../codecs/bytes.ts';
import {
  decodeDhcp,
  DHCP_CLIENT_PORT,
  DHCP_OPTION,
  DHCP_SERVER_PORT,
  messageType,
  numberOption,
} from '../codecs/dhcp.ts';
import { decodeDns, DNS_PORT, DNS_TYPE_A } from '../codecs/dns.ts';
import { decodeIcmp } from '../codecs/icmpv4.ts';
import { formatIpv4, formatIpv6Octets } from '../codecs/ip-address.ts';
import { decodeIpv4Header, type Ipv4Packet, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from '../codecs/ipv4.ts';
import { IPV6_HEADER, PROTOCOL_ICMPV6 } from '../codecs/ipv6/ipv6.ts';
import { decodeTcp } from '../codecs/tcp.ts';
import { decodeUdp } from '../codecs/udp.ts';
import { DHCP_MESSAGES, DNS_TYPES, ICMPV6_TYPES, NEXT_PROTOCOLS } from './fields/values.ts';
import { hex, type Layer, octets, printable } from './packet.ts';

/** `1024 → 80`: UDP and TCP begin alike. */
const ports = (bytes: Uint8Array): string => `${get16(bytes, 0)} → ${get16(bytes, 2)}`;

const FLAGS = ['FIN', 'SYN', 'RST', 'PSH', 'ACK', 'URG'];

/** `[SYN, ACK]` of a TCP header. */
const tcpFlags = (bytes: Uint8Array): string =>
  `[${FLAGS.filter((_, bit) => (get8(bytes, 13) & (1 << bit)) !== 0).join(', ')}]`;

export function ipv4Payload(packet: Ipv4Packet): Layer {
  const { payload, source, destination, protocol, fragmentOffset, moreFragments } = packet;
  if (fragmentOffset > 0 || (moreFragments && protocol !== PROTOCOL_ICMP))
    return { protocol: 'IPv4', summary: `Fragment from octet ${fragmentOffset} on, id ${hex(packet.identification)}` };
  switch (protocol) {
    case PROTOCOL_ICMP:
      return { protocol: 'ICMP', summary: icmpText(payload) };
    case PROTOCOL_TCP:
      return { protocol: 'TCP', summary: tcpText(payload, source, destination) };
    case PROTOCOL_UDP: {
      const datagram = decodeUdp(payload, source, destination);
      if (datagram === null) return { protocol: 'UDP', summary: `Damaged, ${octets(payload.length)}` };
      return udpLayer(datagram.payload, datagram.sourcePort, datagram.destinationPort);
    }
    default:
      return {
        protocol: 'IPv4',
        summary: `Protocol ${NEXT_PROTOCOLS[protocol] ?? protocol}, ${octets(payload.length)}`,
      };
  }
}

const UNREACHABLE = ['network', 'host', 'protocol', 'port', 'fragmentation needed'];

function icmpText(bytes: Uint8Array): string {
  const message = decodeIcmp(bytes);
  if (message === null) return bytes.length < 8 ? 'Cut short' : `Type ${get8(bytes, 0)}, code ${get8(bytes, 1)}`;
  switch (message.kind) {
    case 'echo_request':
    case 'echo_reply': {
      const name = message.kind === 'echo_request' ? 'Echo request' : 'Echo reply';
      return `${name}, id ${hex(message.identifier)}, sequence ${message.sequence}`;
    }
    case 'unreachable':
      return `Destination unreachable (${UNREACHABLE[message.code] ?? `code ${message.code}`})${quoted(message.original)}`;
    case 'exceeded':
      return `Time to live exceeded${message.code === 1 ? ' in reassembly' : ''}${quoted(message.original)}`;
  }
}

/** Ends of the packet that an error quotes. */
function quoted(bytes: Uint8Array): string {
  const packet = decodeIpv4Header(bytes);
  return packet === null ? '' : `: ${formatIpv4(packet.source)} → ${formatIpv4(packet.destination)}`;
}

function tcpText(bytes: Uint8Array, source: number, destination: number): string {
  const segment = decodeTcp(bytes, source, destination);
  if (segment === null) return bytes.length < 20 ? 'Cut short' : `${ports(bytes)} ${tcpFlags(bytes)}, damaged`;
  const acknowledged = segment.ack ? ` ack ${segment.acknowledgment}` : '';
  const { sequence, window, payload } = segment;
  return `${ports(bytes)} ${tcpFlags(bytes)} seq ${sequence}${acknowledged} window ${window}, ${octets(payload.length)}`;
}

/** Summary of a datagram's content by its ports. */
function udpLayer(payload: Uint8Array, from: number, to: number): Layer {
  const either = (...wanted: number[]): boolean => wanted.includes(from) || wanted.includes(to);
  const named =
    (either(DHCP_CLIENT_PORT, DHCP_SERVER_PORT) ? dhcpLayer(payload) : null) ??
    (either(DNS_PORT, 5353) ? dnsLayer(payload, either(5353) ? 'mDNS' : 'DNS') : null);
  return named ?? { protocol: 'UDP', summary: `${from} → ${to}, ${octets(payload.length)}` };
}

function dhcpLayer(bytes: Uint8Array): Layer | null {
  const message = decodeDhcp(bytes);
  if (message === null) return null;
  const name = DHCP_MESSAGES[messageType(message) ?? 0] ?? 'BOOTP';
  const asked = numberOption(message, DHCP_OPTION.requestedAddress);
  const address = message.yourAddress !== 0 ? message.yourAddress : (asked ?? message.clientAddress);
  const about = address === 0 ? '' : ` ${formatIpv4(address)}`;
  return {
    protocol: 'DHCP',
    summary: `${name}${about}, transaction ${hex(message.transaction, 8)}`,
  };
}

const DNS_STATUS: Readonly<Record<number, string>> = {
  1: 'format error',
  2: 'server failed',
  3: 'no such name',
  4: 'not implemented',
  5: 'refused',
};

function dnsLayer(bytes: Uint8Array, protocol: string): Layer | null {
  const message = decodeDns(bytes);
  if (message === null) return null;
  const [question] = message.questions;
  const type = question === undefined ? '' : (DNS_TYPES[question.type] ?? `type ${question.type}`);
  const about = question === undefined ? '' : ` ${type} ${question.name === '' ? '.' : question.name}`;
  if (!message.response) return { protocol, summary: printable(`Query${about}, id ${hex(message.id)}`) };
  const status = message.status === 0 ? '' : ` (${DNS_STATUS[message.status] ?? `status ${message.status}`})`;
  const found = message.answers
    .filter(({ type, data }) => type === DNS_TYPE_A && data.length === 4)
    .map(({ data }) => formatIpv4(get32(data, 0)));
  const rest = found.length > 0 ? `: ${found.join(', ')}` : `, ${message.answers.length} answers`;
  return { protocol, summary: printable(`Response${about}${status}${rest}`) };
}

/** Next headers of IPv6, RFC 8200. */
const FRAGMENT = 44;
const NOTHING = 59;
/** Hop-by-hop, routing, destination options: a next header and a length in units of eight octets. */
const OPTIONS: ReadonlySet<number> = new Set([0, 43, 60]);
/** Extension headers that are followed. */
const MOST_HEADERS = 8;

/** null: it is no IPv6 packet. */
export function ipv6Layer(bytes: Uint8Array): Layer | null {
  if (bytes.length < IPV6_HEADER || get8(bytes, 0) >>> 4 !== 6) return null;
  const addresses = {
    source: formatIpv6Octets(bytes.subarray(8, 24)),
    destination: formatIpv6Octets(bytes.subarray(24, 40)),
  };
  let [next, at] = [get8(bytes, 6), IPV6_HEADER];
  const end = Math.min(bytes.length, IPV6_HEADER + get16(bytes, 4));
  for (let n = 0; n < MOST_HEADERS && (OPTIONS.has(next) || next === FRAGMENT) && at + 8 <= end; n++) {
    const offset = get16(bytes, at + 2) & 0xfff8;
    if (next === FRAGMENT && offset > 0)
      return { ...addresses, protocol: 'IPv6', summary: `Fragment from octet ${offset} on` };
    const length = next === FRAGMENT ? 8 : (get8(bytes, at + 1) + 1) * 8;
    next = get8(bytes, at);
    at += length;
  }
  const payload = bytes.subarray(Math.min(at, end), end);
  return { ...addresses, ...upperLayer(next, payload) };
}

function upperLayer(next: number, bytes: Uint8Array): Layer {
  if (next === PROTOCOL_ICMPV6 && bytes.length >= 4) return { protocol: 'ICMPv6', summary: icmpv6Text(bytes) };
  if (next === PROTOCOL_UDP && bytes.length >= 8) return udpLayer(bytes.subarray(8), get16(bytes, 0), get16(bytes, 2));
  if (next === PROTOCOL_TCP && bytes.length >= 20)
    return { protocol: 'TCP', summary: `${ports(bytes)} ${tcpFlags(bytes)}` };
  if (next === NOTHING) return { protocol: 'IPv6', summary: 'No next header' };
  return { protocol: 'IPv6', summary: `Next header ${next}, ${octets(bytes.length)}` };
}

function icmpv6Text(bytes: Uint8Array): string {
  const type = get8(bytes, 0);
  const name = ICMPV6_TYPES[type] ?? `Type ${type}, code ${get8(bytes, 1)}`;
  if (type === 128 || type === 129) return `${name}, id ${hex(get16(bytes, 4))}, sequence ${get16(bytes, 6)}`;
  if ((type === 135 || type === 136) && bytes.length >= 24)
    return `${name} of ${formatIpv6Octets(bytes.subarray(8, 24))}`;
  return name;
}
