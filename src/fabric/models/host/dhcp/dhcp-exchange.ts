import {
  decodeDhcp,
  DHCP_CLIENT_PORT,
  DHCP_OPTION,
  DHCP_SERVER_PORT,
  DHCP_TYPE,
  type DhcpMessage,
  encodeDhcp,
  messageType,
  numberData,
} from '../../../codecs/dhcp.ts';
import { concat } from '../../../codecs/bytes.ts';
import { BROADCAST_IPV4 } from '../../../codecs/ipv4-address.ts';
import { BROADCAST_MAC, writeMac } from '../../../codecs/mac-address.ts';
import type { IpLayer } from '../ip-layer.ts';
import { type UdpLayer, udpOutgoing } from '../udp-layer.ts';
import type { Waits } from '../waits.ts';

export interface ClientMessage {
  type: keyof typeof DHCP_TYPE;
  transaction: number;
  /** The lease being renewed or released; such a message comes from this address. */
  clientAddress?: number;
  requested?: number;
  server?: number;
  /** Goes to this server alone instead of to everybody. */
  unicast?: number;
}

/** The client's side of the cable: messages out, the replies to them in. */
export interface DhcpExchange {
  send: (message: ClientMessage) => void;
  /** The first reply of one of the types; null when none came in `ms`. */
  ask: (message: ClientMessage, types: number[], ms: number, signal?: AbortSignal) => Promise<DhcpMessage | null>;
}

interface Options {
  mac: number;
  hostName: string | null;
  ip: IpLayer;
  udp: UdpLayer;
  waits: Waits;
}

export function createDhcpExchange({ mac, hostName, ip, udp, waits }: Options): DhcpExchange {
  const asked = new Map<number, (reply: DhcpMessage) => void>();
  udp.bind(DHCP_CLIENT_PORT, (datagram) => {
    const reply = decodeDhcp(datagram.payload);
    if (reply?.operation === 'reply' && reply.clientMac === mac) asked.get(reply.transaction)?.(reply);
  });

  function send(message: ClientMessage): void {
    const payload = encodeDhcp(messageOf(message, mac, hostName));
    const datagram = { sourcePort: DHCP_CLIENT_PORT, destinationPort: DHCP_SERVER_PORT, payload };
    const source = message.clientAddress ?? 0;
    if (message.unicast === undefined) ip.transmit(BROADCAST_MAC, udpOutgoing(datagram, source, BROADCAST_IPV4));
    else ip.send(udpOutgoing(datagram, source, message.unicast));
  }

  return {
    send,
    async ask(message, types, ms, signal) {
      const wait = waits.wait<DhcpMessage | null>(ms, null, signal);
      asked.set(message.transaction, (reply) => {
        if (types.includes(messageType(reply) ?? 0)) wait.settle(reply);
      });
      ip.takesAnyAddress = true;
      send(message);
      const reply = await wait.promise;
      asked.delete(message.transaction);
      ip.takesAnyAddress = asked.size > 0;
      return reply;
    },
  };
}

function messageOf(message: ClientMessage, mac: number, hostName: string | null): DhcpMessage {
  const options = new Map<number, Uint8Array>([
    [DHCP_OPTION.messageType, Uint8Array.of(DHCP_TYPE[message.type])],
    [DHCP_OPTION.clientId, clientId(mac)],
  ]);
  if (message.requested !== undefined) options.set(DHCP_OPTION.requestedAddress, numberData(message.requested));
  if (message.server !== undefined) options.set(DHCP_OPTION.server, numberData(message.server));
  if (message.type === 'discover' || message.type === 'request') {
    if (hostName !== null) options.set(DHCP_OPTION.hostName, Buffer.from(hostName.slice(0, 63), 'latin1'));
    const { subnetMask, router, dns, domainName } = DHCP_OPTION;
    options.set(DHCP_OPTION.parameterList, Uint8Array.of(subnetMask, router, dns, domainName));
  }
  return {
    operation: 'request',
    transaction: message.transaction,
    seconds: 0,
    // Unicast replies are taken before there is an address.
    broadcast: false,
    clientAddress: message.clientAddress ?? 0,
    yourAddress: 0,
    serverAddress: 0,
    relayAddress: 0,
    clientMac: mac,
    options,
  };
}

/** Hardware type 1 (Ethernet) and the MAC. */
function clientId(mac: number): Uint8Array {
  const bytes = new Uint8Array(6);
  writeMac(bytes, 0, mac);
  return concat(Uint8Array.of(1), bytes);
}
