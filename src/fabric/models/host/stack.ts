import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4 } from '../../codecs/ethernet.ts';
import { decodeIcmp, encodeIcmp } from '../../codecs/icmpv4.ts';
import { formatIpv4, isHostIpv4, parseIpv4 } from '../../codecs/ipv4-address.ts';
import { type Ipv4Packet, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { BROADCAST_MAC, formatMac, parseMac } from '../../codecs/mac-address.ts';
import type { ModelContext } from '../../model.ts';
import { type ArpResolver, createArpResolver } from './arp-resolver.ts';
import { createDhcpClient } from './dhcp-client.ts';
import { createDhcpExchange } from './dhcp-exchange.ts';
import { createDnsResolver } from './dns-resolver.ts';
import type { IpHost, IpSettings, Lease } from './ip-host.ts';
import { createIpLayer, type IpConfiguration, type IpLayer } from './ip-layer.ts';
import { resetFor } from './probe-packet.ts';
import { createProbes, type Probes } from './probes.ts';
import { createUdpLayer, type UdpLayer } from './udp-layer.ts';
import { createWaits } from './waits.ts';

interface IpHostOptions {
  /** `00:50:79:66:68:00` */
  mac: string;
  /** Monotonic milliseconds. */
  now: () => number;
  timer: ModelContext['timer'];
  send: (frame: Uint8Array) => void;
  /** 0 <= x < 1, as Math.random. */
  random: () => number;
  /** Told to DHCP servers. */
  hostName?: string;
}

/** An end system: it answers for its own address and forwards nothing. */
export function createIpHost(options: IpHostOptions): IpHost {
  const mac = parseMac(options.mac);
  if (mac === null) throw new Error(`"${options.mac}" is not a MAC address; write it like 00:50:79:66:68:00`);
  const { now, timer, random, send } = options;
  const waits = createWaits(timer);
  const arp: ArpResolver = createArpResolver({
    ...{ mac, now, waits, send },
    address: () => ip.configuration?.address ?? null,
  });
  const ip: IpLayer = createIpLayer({
    ...{ mac, now, random, arp, send },
    deliver: (packet) => deliver(packet, { ip, udp, probes }),
  });
  const udp: UdpLayer = createUdpLayer(ip, random);
  const probes: Probes = createProbes({ ip, udp, waits, now, random });
  const dns = createDnsResolver({ ip, udp, waits, random });
  const exchange = createDhcpExchange({ mac, hostName: options.hostName ?? null, ip, udp, waits });
  const dhcp = createDhcpClient({ ...{ exchange, waits, now, timer, random, install }, inUse: arp.inUse });

  function configure(configuration: IpConfiguration | null): void {
    const same = JSON.stringify(configuration) === JSON.stringify(ip.configuration);
    // A renewed lease must not make the neighbours unknown.
    if (same) return;
    ip.configuration = configuration;
    arp.clear();
    if (configuration !== null) arp.announce(configuration.address);
  }

  function install(lease: Lease | null): void {
    configure(lease === null ? null : configurationOf(lease));
    host.dns = lease?.dns ?? [];
    host.domain = lease?.domain ?? null;
  }

  const host: IpHost = {
    mac: formatMac(mac),
    get settings() {
      return ip.configuration === null ? null : settingsOf(ip.configuration);
    },
    get lease() {
      return dhcp.lease;
    },
    dns: [],
    domain: null,
    get mtu() {
      return ip.mtu;
    },
    set mtu(bytes) {
      ip.mtu = bytes;
    },
    async setAddress(settings, signal) {
      const configuration = configurationOf(settings);
      const taken = await arp.inUse(configuration.address, signal);
      if (taken || signal?.aborted === true || waits.stopped) return false;
      dhcp.forget();
      configure(configuration);
      return true;
    },
    clearAddress() {
      dhcp.forget();
      configure(null);
    },
    arpTable: () => arp.entries().map((entry) => arpEntry(entry, now())),
    clearArp: arp.clear,
    probe: probes.probe,
    dhcp: dhcp.acquire,
    renew: dhcp.renew,
    release: dhcp.release,
    resolve: (name, signal) => dns.resolve({ name, servers: host.dns, domain: host.domain }, signal),
    receive: (frame) => receive(frame, mac, arp, ip),
    stop() {
      dhcp.forget();
      waits.stop();
    },
  };
  return host;
}

function receive(bytes: Uint8Array, mac: number, arp: ArpResolver, ip: IpLayer): void {
  const frame = decodeEthernet(bytes);
  if (frame === null || frame.tags.length > 0) return;
  if (frame.destination !== mac && frame.destination !== BROADCAST_MAC) return;
  if (frame.ethertype === ETHERTYPE_ARP) arp.receive(frame.payload);
  else if (frame.ethertype === ETHERTYPE_IPV4) ip.receive(frame.payload);
}

function deliver(packet: Ipv4Packet, { ip, udp, probes }: { ip: IpLayer; udp: UdpLayer; probes: Probes }): void {
  if (probes.receive(packet)) return;
  if (packet.protocol === PROTOCOL_UDP) return udp.receive(packet);
  // Neither pings nor segments to a broadcast address are answered.
  if (packet.destination !== ip.configuration?.address || packet.source === 0) return;
  const payload = answerTo(packet);
  if (payload !== null) ip.send({ protocol: packet.protocol, destination: packet.source, payload });
}

function answerTo(packet: Ipv4Packet): Uint8Array | null {
  if (packet.protocol === PROTOCOL_TCP) return resetFor(packet);
  const message = packet.protocol === PROTOCOL_ICMP ? decodeIcmp(packet.payload) : null;
  return message?.kind === 'echo_request' ? encodeIcmp({ ...message, kind: 'echo_reply' }) : null;
}

function configurationOf(settings: IpSettings): IpConfiguration {
  const address = hostAddress('address', settings.address);
  const gateway = settings.gateway === null ? null : hostAddress('gateway', settings.gateway);
  if (!Number.isInteger(settings.prefix) || settings.prefix < 0 || settings.prefix > 32) {
    throw new Error(`prefix is ${settings.prefix}; it must be a whole number from 0 to 32`);
  }
  return { address, prefix: settings.prefix, gateway };
}

function hostAddress(field: string, text: string): number {
  const address = parseIpv4(text);
  if (address === null || !isHostIpv4(address)) {
    throw new Error(`${field} is "${text}"; it must be the IPv4 address of a host, like 10.0.0.1`);
  }
  return address;
}

const settingsOf = ({ address, prefix, gateway }: IpConfiguration): IpSettings => ({
  address: formatIpv4(address),
  prefix,
  gateway: gateway === null ? null : formatIpv4(gateway),
});

const arpEntry = (
  entry: { address: number; mac: number; expires: number },
  now: number,
): ReturnType<IpHost['arpTable']>[number] => ({
  address: formatIpv4(entry.address),
  mac: formatMac(entry.mac),
  expires_s: Math.ceil((entry.expires - now) / 1000),
});
