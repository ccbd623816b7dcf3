import { encodeEthernet, ETHERTYPE_IPV4 } from '../../codecs/ethernet.ts';
import { BROADCAST_IPV4, broadcastOf, isHostIpv4, isMulticastIpv4, sameSubnet } from '../../codecs/ipv4-address.ts';
import { fragmentIpv4 } from '../../codecs/ipv4-fragments.ts';
import { decodeIpv4, encodeIpv4, type Ipv4Packet, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { BROADCAST_MAC } from '../../codecs/mac-address.ts';
import type { ArpResolver } from './arp-resolver.ts';
import { createReassemblyBuffer } from './reassembly-buffer.ts';

export const DEFAULT_TTL = 64;
/** Packets that wait for ARP without anybody waiting for them; further ones are dropped. */
const MOST_QUEUED = 64;

export interface IpConfiguration {
  address: number;
  prefix: number;
  gateway: number | null;
}

export interface Outgoing {
  protocol: number;
  destination: number;
  payload: Uint8Array;
  /** Default: the host's address. */
  source?: number;
  ttl?: number;
  dontFragment?: boolean;
}

export interface IpLayer {
  configuration: IpConfiguration | null;
  mtu: number;
  /** While true, UDP to any unicast address is taken: a DHCP server answers to the address it offers. */
  takesAnyAddress: boolean;
  /** Whom to ask ARP for; null without address or gateway. Broadcasts are their own next hop. */
  nextHop: (destination: number) => number | null;
  /** MAC of a next hop: without ARP for broadcasts and for the host itself. */
  resolve: (nextHop: number, signal?: AbortSignal) => Promise<number | null>;
  /** False when it is larger than the MTU and must not be fragmented. */
  transmit: (mac: number, outgoing: Outgoing) => boolean;
  /** Sends when the next hop is found; nobody waits for it. */
  send: (outgoing: Outgoing) => void;
  receive: (payload: Uint8Array) => void;
}

interface Options {
  mac: number;
  now: () => number;
  random: () => number;
  arp: ArpResolver;
  send: (frame: Uint8Array) => void;
  /** A whole packet for this host. */
  deliver: (packet: Ipv4Packet) => void;
}

export function createIpLayer(options: Options): IpLayer {
  const { mac, arp } = options;
  const buffer = createReassemblyBuffer(options.now);
  let queued = 0;
  let identification = Math.floor(options.random() * 0x10000);

  const isBroadcast = (address: number): boolean => {
    const { configuration: own } = layer;
    // A /31 or /32 has no broadcast address (RFC 3021).
    const subnet = own !== null && own.prefix < 31 && address === broadcastOf(own.address, own.prefix);
    return address === BROADCAST_IPV4 || subnet;
  };

  function immediateMac(nextHop: number): number | null {
    if (nextHop === layer.configuration?.address) return mac;
    return isBroadcast(nextHop) ? BROADCAST_MAC : arp.known(nextHop);
  }

  async function sendLater(nextHop: number, outgoing: Outgoing): Promise<void> {
    queued += 1;
    const found = await arp.resolve(nextHop);
    queued -= 1;
    if (found !== null) layer.transmit(found, outgoing);
  }

  function accept(packet: Ipv4Packet): void {
    const { destination, source } = packet;
    const forUs = destination === layer.configuration?.address || isBroadcast(destination);
    const forAny = layer.takesAnyAddress && packet.protocol === PROTOCOL_UDP && !isMulticastIpv4(destination);
    if ((!forUs && !forAny) || (!isHostIpv4(source) && source !== 0)) return;
    const whole = packet.moreFragments || packet.fragmentOffset > 0 ? buffer.add(packet) : packet;
    if (whole !== null) options.deliver(whole);
  }

  const layer: IpLayer = {
    configuration: null,
    mtu: 1500,
    takesAnyAddress: false,

    nextHop(destination) {
      const own = layer.configuration;
      if (own === null) return null;
      const local = isBroadcast(destination) || sameSubnet(destination, own.address, own.prefix);
      return local ? destination : own.gateway;
    },

    resolve(nextHop, signal) {
      const immediate = immediateMac(nextHop);
      return immediate === null ? arp.resolve(nextHop, signal) : Promise.resolve(immediate);
    },

    transmit(destination, outgoing) {
      identification = (identification + 1) & 0xffff;
      const fragments = fragmentIpv4(packetOf(outgoing, identification, layer.configuration), layer.mtu);
      for (const packet of fragments ?? []) {
        if (destination === mac) accept(packet);
        else options.send(frameOf(mac, destination, packet));
      }
      return fragments !== null;
    },

    send(outgoing) {
      const nextHop = layer.nextHop(outgoing.destination);
      if (nextHop === null) return;
      const immediate = immediateMac(nextHop);
      if (immediate !== null) layer.transmit(immediate, outgoing);
      else if (queued < MOST_QUEUED) void sendLater(nextHop, outgoing);
    },

    receive(payload) {
      const packet = decodeIpv4(payload);
      if (packet !== null) accept(packet);
    },
  };
  return layer;
}

function packetOf(outgoing: Outgoing, identification: number, own: IpConfiguration | null): Ipv4Packet {
  return {
    trafficClass: 0,
    identification,
    dontFragment: outgoing.dontFragment ?? false,
    moreFragments: false,
    fragmentOffset: 0,
    ttl: outgoing.ttl ?? DEFAULT_TTL,
    protocol: outgoing.protocol,
    source: outgoing.source ?? own?.address ?? 0,
    destination: outgoing.destination,
    options: new Uint8Array(0),
    payload: outgoing.payload,
  };
}

const frameOf = (source: number, destination: number, packet: Ipv4Packet): Uint8Array =>
  encodeEthernet({ destination, source, tags: [], ethertype: ETHERTYPE_IPV4, payload: encodeIpv4(packet) });
