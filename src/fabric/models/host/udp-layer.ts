import { encodeIcmp, PORT_UNREACHABLE } from '../../codecs/icmpv4.ts';
import { encodeIpv4, IPV4_HEADER, type Ipv4Packet, PROTOCOL_ICMP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { decodeUdp, encodeUdp, type UdpDatagram } from '../../codecs/udp.ts';
import type { IpLayer, Outgoing } from './ip-layer.ts';

export const ECHO_PORT = 7;
const FIRST_EPHEMERAL = 49152;
/** Payload bytes of the packet that an ICMP error quotes after its header (RFC 792). */
const QUOTED = 8;

type UdpHandler = (datagram: UdpDatagram, packet: Ipv4Packet) => void;

export interface UdpLayer {
  /** Takes a port until `close`. */
  bind(port: number, handler: UdpHandler): { close(): void };
  /** A port that is free now. */
  freePort: () => number;
  receive: (packet: Ipv4Packet) => void;
}

/** An outgoing datagram with its checksum over the addresses. */
export function udpOutgoing(
  datagram: UdpDatagram,
  source: number,
  destination: number,
  options: Pick<Outgoing, 'ttl' | 'dontFragment'> = {},
): Outgoing {
  const payload = encodeUdp(datagram, source, destination);
  return { ...options, protocol: PROTOCOL_UDP, source, destination, payload };
}

export function createUdpLayer(ip: IpLayer, random: () => number): UdpLayer {
  const handlers = new Map<number, UdpHandler>();
  let ephemeral = FIRST_EPHEMERAL + Math.floor(random() * 0x4000);

  /** Only for packets to the host's own address: errors for broadcasts would multiply (RFC 1122 section 3.2.2). */
  function refuse(packet: Ipv4Packet): void {
    if (packet.destination !== ip.configuration?.address || packet.source === 0) return;
    const original = encodeIpv4(packet).subarray(0, IPV4_HEADER + packet.options.length + QUOTED);
    const payload = encodeIcmp({ kind: 'unreachable', code: PORT_UNREACHABLE, mtu: 0, original });
    ip.send({ protocol: PROTOCOL_ICMP, destination: packet.source, payload });
  }

  function echo(packet: Ipv4Packet, datagram: UdpDatagram): void {
    const own = ip.configuration?.address;
    // Two echo services must not talk to each other for ever.
    if (own === undefined || packet.destination !== own || datagram.sourcePort === ECHO_PORT) return;
    const reply = { ...datagram, sourcePort: ECHO_PORT, destinationPort: datagram.sourcePort };
    ip.send(udpOutgoing(reply, own, packet.source));
  }

  return {
    bind(port, handler) {
      handlers.set(port, handler);
      return { close: () => handlers.get(port) === handler && handlers.delete(port) };
    },
    freePort() {
      do ephemeral = ephemeral >= 0xffff ? FIRST_EPHEMERAL : ephemeral + 1;
      while (handlers.has(ephemeral));
      return ephemeral;
    },
    receive(packet) {
      const datagram = decodeUdp(packet.payload, packet.source, packet.destination);
      if (datagram === null) return;
      const handler = handlers.get(datagram.destinationPort);
      if (handler !== undefined) handler(datagram, packet);
      else if (datagram.destinationPort === ECHO_PORT) echo(packet, datagram);
      else refuse(packet);
    },
  };
}
