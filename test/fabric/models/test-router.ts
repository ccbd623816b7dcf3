import { decodeArp, encodeArp } from '../../../src/fabric/codecs/arp.ts';
import { decodeEthernet, encodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4 } from '../../../src/fabric/codecs/ethernet.ts';
import { encodeIcmp } from '../../../src/fabric/codecs/icmpv4.ts';
import { parseIpv4, sameSubnet } from '../../../src/fabric/codecs/ip-address.ts';
import { decodeIpv4, encodeIpv4, type Ipv4Packet } from '../../../src/fabric/codecs/ipv4.ts';
import { BROADCAST_MAC } from '../../../src/fabric/codecs/mac-address.ts';
import type { Plug } from './bench.ts';

const MAC = 0x02aabbcc0000;

/** Enough of a router for tests: /24 subnets, one a port; forwards, counts TTLs down and says so when one runs out. */
export function createTestRouter(addresses: string[]): { plug(port: number): Plug } {
  const ports = addresses.map((text) => ({
    address: parseIpv4(text) ?? 0,
    send: (_frame: Uint8Array): void => undefined,
    neighbours: new Map<number, number>(),
    waiting: [] as Ipv4Packet[],
  }));

  function sendPacket(packet: Ipv4Packet): void {
    const index = ports.findIndex((port) => sameSubnet(port.address, packet.destination, 24));
    const port = ports[index];
    if (port === undefined) return;
    const destination = port.neighbours.get(packet.destination);
    const source = MAC + index;
    if (destination !== undefined) {
      const payload = encodeIpv4(packet);
      port.send(encodeEthernet({ destination, source, tags: [], ethertype: ETHERTYPE_IPV4, payload }));
      return;
    }
    port.waiting.push(packet);
    const question = {
      senderMac: source,
      senderAddress: port.address,
      targetMac: 0,
      targetAddress: packet.destination,
    };
    const payload = encodeArp({ operation: 'request', ...question });
    port.send(encodeEthernet({ destination: BROADCAST_MAC, source, tags: [], ethertype: ETHERTYPE_ARP, payload }));
  }

  function receiveArp(index: number, payload: Uint8Array): void {
    const [port, message] = [ports[index], decodeArp(payload)];
    if (port === undefined || message === null || message.targetAddress !== port.address) return;
    port.neighbours.set(message.senderAddress, message.senderMac);
    if (message.operation === 'request') {
      const answer = { senderMac: MAC + index, senderAddress: port.address };
      const target = { targetMac: message.senderMac, targetAddress: message.senderAddress };
      const reply = encodeArp({ operation: 'reply', ...answer, ...target });
      const frame = { destination: message.senderMac, source: MAC + index, tags: [], ethertype: ETHERTYPE_ARP };
      port.send(encodeEthernet({ ...frame, payload: reply }));
    }
    for (const packet of port.waiting.splice(0)) sendPacket(packet);
  }

  function forward(index: number, packet: Ipv4Packet): void {
    if (packet.ttl > 1) return sendPacket({ ...packet, ttl: packet.ttl - 1 });
    // Routers count down before they quote, and need not mend the checksum; neither may matter to the receiver.
    const original = encodeIpv4(packet).subarray(0, 28);
    original[8] = 0;
    const payload = encodeIcmp({ kind: 'exceeded', code: 0, original });
    const source = ports[index]?.address ?? 0;
    sendPacket({ ...packet, protocol: 1, ttl: 255, source, destination: packet.source, payload });
  }

  return {
    plug: (index) => ({
      receive(bytes) {
        const frame = decodeEthernet(bytes);
        if (frame?.ethertype === ETHERTYPE_ARP) receiveArp(index, frame.payload);
        const packet = frame?.ethertype === ETHERTYPE_IPV4 ? decodeIpv4(frame.payload) : null;
        if (packet !== null) forward(index, packet);
      },
      connect(peer) {
        const port = ports[index];
        if (port !== undefined) port.send = peer;
      },
    }),
  };
}
