import {
  decodeDhcp,
  DHCP_OPTION,
  DHCP_TYPE,
  type DhcpMessage,
  encodeDhcp,
  messageType,
  numberData,
  numberOption,
} from '../../../src/fabric/codecs/dhcp.ts';
import { decodeDns, encodeDns } from '../../../src/fabric/codecs/dns.ts';
import { decodeArp, encodeArp } from '../../../src/fabric/codecs/arp.ts';
import { decodeEthernet, encodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4 } from '../../../src/fabric/codecs/ethernet.ts';
import { parseIpv4 } from '../../../src/fabric/codecs/ip-address.ts';
import { decodeIpv4, encodeIpv4, PROTOCOL_UDP } from '../../../src/fabric/codecs/ipv4.ts';
import { decodeUdp, encodeUdp, type UdpDatagram } from '../../../src/fabric/codecs/udp.ts';
import type { Plug } from './bench.ts';

const MAC = 0x02dddddddd01;
export const SERVER = '10.0.0.254';
const ADDRESS = parseIpv4(SERVER) ?? 0;

/** A machine at 10.0.0.254 that answers ARP and serves UDP ports. */
function createUdpServer(
  serve: (datagram: UdpDatagram, peer: { mac: number; address: number }) => { to: number; payload: Uint8Array } | null,
): Plug {
  let send: (frame: Uint8Array) => void = () => undefined;
  const frame = (destination: number, ethertype: number, payload: Uint8Array): void =>
    send(encodeEthernet({ destination, source: MAC, tags: [], ethertype, payload }));

  function receiveArp(payload: Uint8Array): void {
    const message = decodeArp(payload);
    if (message?.operation !== 'request' || message.targetAddress !== ADDRESS) return;
    const target = { targetMac: message.senderMac, targetAddress: message.senderAddress };
    const reply = encodeArp({ operation: 'reply', senderMac: MAC, senderAddress: ADDRESS, ...target });
    frame(message.senderMac, ETHERTYPE_ARP, reply);
  }

  function receiveIp(mac: number, payload: Uint8Array): void {
    const packet = decodeIpv4(payload);
    if (packet?.protocol !== PROTOCOL_UDP) return;
    const datagram = decodeUdp(packet.payload, packet.source, packet.destination);
    const reply = datagram === null ? null : serve(datagram, { mac, address: packet.source });
    if (datagram === null || reply === null) return;
    const back = { sourcePort: datagram.destinationPort, destinationPort: datagram.sourcePort, payload: reply.payload };
    const udp = encodeUdp(back, ADDRESS, reply.to);
    frame(mac, ETHERTYPE_IPV4, encodeIpv4({ ...packet, source: ADDRESS, destination: reply.to, payload: udp }));
  }

  return {
    receive(bytes) {
      const received = decodeEthernet(bytes);
      if (received?.ethertype === ETHERTYPE_ARP) receiveArp(received.payload);
      if (received?.ethertype === ETHERTYPE_IPV4) receiveIp(received.source, received.payload);
    },
    connect: (peer) => (send = peer),
  };
}

export interface DhcpServer {
  plug: Plug;
  /** Types of the messages that came, with the source address of each. */
  heard: { type: number; from: number; message: DhcpMessage }[];
  offers: string;
  seconds: number;
  /** Answers requests by a refusal. */
  refuses: boolean;
  silent: boolean;
}

/** Offers one address, with gateway, DNS server and domain. */
export function createDhcpServer(offers = '10.0.0.77'): DhcpServer {
  const server: DhcpServer = {
    ...{ heard: [], offers, seconds: 1000, refuses: false, silent: false },
    plug: createUdpServer((datagram, peer) => {
      const message = datagram.destinationPort === 67 ? decodeDhcp(datagram.payload) : null;
      if (message === null) return null;
      const type = messageType(message) ?? 0;
      server.heard.push({ type, from: peer.address, message });
      return server.silent ? null : answer(server, message, type);
    }),
  };
  return server;
}

function answer(server: DhcpServer, message: DhcpMessage, type: number): { to: number; payload: Uint8Array } | null {
  if (type !== DHCP_TYPE.discover && type !== DHCP_TYPE.request) return null;
  const address = parseIpv4(server.offers) ?? 0;
  const wanted = numberOption(message, DHCP_OPTION.requestedAddress) ?? message.clientAddress;
  const refused = type === DHCP_TYPE.request && (server.refuses || wanted !== address);
  const granted = type === DHCP_TYPE.discover ? DHCP_TYPE.offer : DHCP_TYPE.ack;
  const options = new Map<number, Uint8Array>([
    [DHCP_OPTION.messageType, Uint8Array.of(refused ? DHCP_TYPE.nak : granted)],
    [DHCP_OPTION.server, numberData(ADDRESS)],
    [DHCP_OPTION.leaseTime, numberData(server.seconds)],
    [DHCP_OPTION.subnetMask, numberData(0xffffff00)],
    [DHCP_OPTION.router, numberData(ADDRESS)],
    [DHCP_OPTION.dns, numberData(ADDRESS)],
    [DHCP_OPTION.domainName, Buffer.from('lab.example')],
  ]);
  const yourAddress = refused ? 0 : address;
  const reply = encodeDhcp({ ...message, operation: 'reply', yourAddress, serverAddress: ADDRESS, options });
  // To the address that it grants, which the client does not have yet: as servers do that are not asked to broadcast.
  return { to: refused ? 0xffffffff : address, payload: reply };
}

/** Knows the names it is given. */
export function createDnsServer(names: Record<string, string>): { plug: Plug; asked: string[] } {
  const asked: string[] = [];
  const plug = createUdpServer((datagram, peer) => {
    const query = datagram.destinationPort === 53 ? decodeDns(datagram.payload) : null;
    const [question] = query?.questions ?? [];
    if (query === null || question === undefined) return null;
    asked.push(question.name);
    const address = parseIpv4(names[question.name] ?? '');
    const alias = { ...question, type: 5, ttl: 60, data: Uint8Array.of(0) };
    const answers = address === null ? [] : [alias, { ...question, ttl: 60, data: numberData(address) }];
    const payload = encodeDns({ ...query, response: true, status: address === null ? 3 : 0, answers });
    return { to: peer.address, payload };
  });
  return { plug, asked };
}
