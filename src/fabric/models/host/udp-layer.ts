import { DHCP_CLIENT_PORT } from '../../codecs/dhcp.ts';
import type { IpAddress } from '../../codecs/ip-address.ts';
import { PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { decodeUdp, encodeUdp, type UdpDatagram } from '../../codecs/udp.ts';
import { errorAbout } from './icmp.ts';
import type { IpPacket, IpService, Outgoing } from './ip-service.ts';

export const ECHO_PORT = 7;
const FIRST_EPHEMERAL = 49152;

type UdpHandler = (datagram: UdpDatagram, packet: IpPacket) => void;

/** An outgoing datagram with its checksum over the addresses. */
export function udpOutgoing<A extends IpAddress>(datagram: UdpDatagram, source: A, destination: A): Outgoing<A> {
  const payload = encodeUdp(datagram, source, destination);
  return { protocol: PROTOCOL_UDP, source, destination, payload };
}

export class UdpLayer {
  readonly #ip: IpService;
  #handlers: Map<number, UdpHandler> | null = null;
  #ephemeral: number;

  constructor(ip: IpService, random: () => number) {
    this.#ip = ip;
    this.#ephemeral = FIRST_EPHEMERAL + Math.floor(random() * 0x4000);
  }

  /** Binds a handler to a port until `close`. */
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

  receive(packet: IpPacket): void {
    const datagram = decodeUdp(packet.payload, packet.source, packet.destination);
    if (datagram === null) return;
    const handler = this.#handlers?.get(datagram.destinationPort);
    if (handler !== undefined) handler(datagram, packet);
    else if (datagram.destinationPort === ECHO_PORT) this.#echo(packet, datagram);
    // Port 68 is never refused, whether the DHCP client has started or not.
    else if (datagram.destinationPort !== DHCP_CLIENT_PORT) this.#refuse(packet);
  }

  /** Only for packets to an address of the node: errors for broadcasts would multiply (RFC 1122 section 3.2.2). */
  #refuse(packet: IpPacket): void {
    if (!this.#ip.isOwn(packet.destination)) return;
    const error = errorAbout(packet, 'port', packet.destination);
    if (error !== null) this.#ip.send(error);
  }

  #echo(packet: IpPacket, datagram: UdpDatagram): void {
    const { source, destination } = packet;
    // Two echo services must not echo each other endlessly.
    if (!this.#ip.isOwn(destination) || datagram.sourcePort === ECHO_PORT) return;
    const reply = { ...datagram, sourcePort: ECHO_PORT, destinationPort: datagram.sourcePort };
    this.#ip.send(udpOutgoing(reply, destination, source));
  }
}
