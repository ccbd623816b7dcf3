import { DHCP_CLIENT_PORT } from '../../codecs/dhcp.ts';
import { encodeIcmp, PORT_UNREACHABLE } from '../../codecs/icmpv4.ts';
import { encodeIpv4, IPV4_HEADER, type Ipv4Packet, PROTOCOL_ICMP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { decodeUdp, encodeUdp, type UdpDatagram } from '../../codecs/udp.ts';
import type { IpLayer, Outgoing } from './ip-layer.ts';

export const ECHO_PORT = 7;
const FIRST_EPHEMERAL = 49152;
/** Payload bytes of the packet that an ICMP error quotes after its header (RFC 792). */
const QUOTED = 8;

type UdpHandler = (datagram: UdpDatagram, packet: Ipv4Packet) => void;

/** An outgoing datagram with its checksum over the addresses. */
export function udpOutgoing(datagram: UdpDatagram, source: number, destination: number): Outgoing {
  const payload = encodeUdp(datagram, source, destination);
  return { protocol: PROTOCOL_UDP, source, destination, payload };
}

export class UdpLayer {
  readonly #ip: IpLayer;
  #handlers: Map<number, UdpHandler> | null = null;
  #ephemeral: number;

  constructor(ip: IpLayer, random: () => number) {
    this.#ip = ip;
    this.#ephemeral = FIRST_EPHEMERAL + Math.floor(random() * 0x4000);
  }

  /** Takes a port until `close`. */
  bind(port: number, handler: UdpHandler): { close(): void } {
    const handlers = (this.#handlers ??= new Map<number, UdpHandler>());
    handlers.set(port, handler);
    return { close: () => handlers.get(port) === handler && handlers.delete(port) };
  }

  /** A port that is free now. */
  freePort(): number {
    do this.#ephemeral = this.#ephemeral >= 0xffff ? FIRST_EPHEMERAL : this.#ephemeral + 1;
    while (this.#handlers?.has(this.#ephemeral) === true);
    return this.#ephemeral;
  }

  receive(packet: Ipv4Packet): void {
    const datagram = decodeUdp(packet.payload, packet.source, packet.destination);
    if (datagram === null) return;
    const handler = this.#handlers?.get(datagram.destinationPort);
    if (handler !== undefined) handler(datagram, packet);
    else if (datagram.destinationPort === ECHO_PORT) this.#echo(packet, datagram);
    // A DHCP client that has not asked yet stays silent as one that has.
    else if (datagram.destinationPort !== DHCP_CLIENT_PORT) this.#refuse(packet);
  }

  /** Only for packets to the host's own address: errors for broadcasts would multiply (RFC 1122 section 3.2.2). */
  #refuse(packet: Ipv4Packet): void {
    if (packet.destination !== this.#ip.configuration?.address || packet.source === 0) return;
    const original = encodeIpv4(packet).subarray(0, IPV4_HEADER + packet.options.length + QUOTED);
    const payload = encodeIcmp({ kind: 'unreachable', code: PORT_UNREACHABLE, mtu: 0, original });
    this.#ip.send({ protocol: PROTOCOL_ICMP, destination: packet.source, payload });
  }

  #echo(packet: Ipv4Packet, datagram: UdpDatagram): void {
    const own = this.#ip.configuration?.address;
    // Two echo services must not echo each other endlessly.
    if (own === undefined || packet.destination !== own || datagram.sourcePort === ECHO_PORT) return;
    const reply = { ...datagram, sourcePort: ECHO_PORT, destinationPort: datagram.sourcePort };
    this.#ip.send(udpOutgoing(reply, own, packet.source));
  }
}
