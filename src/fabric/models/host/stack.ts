import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4 } from '../../codecs/ethernet.ts';
import { decodeIcmp, encodeIcmp } from '../../codecs/icmpv4.ts';
import { formatIpv4, isHostIpv4, parseIpv4 } from '../../codecs/ipv4-address.ts';
import { type Ipv4Packet, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import { BROADCAST_MAC, formatMac, parseMac } from '../../codecs/mac-address.ts';
import type { ModelContext } from '../../process/model.ts';
import { ArpResolver } from './arp-resolver.ts';
import { DhcpClient } from './dhcp-client.ts';
import { createDhcpExchange } from './dhcp-exchange.ts';
import { createDnsResolver } from './dns-resolver.ts';
import type { IpHost, IpSettings, Lease } from './ip-host.ts';
import { IpLayer, type IpConfiguration } from './ip-layer.ts';
import { resetFor } from './probe-packet.ts';
import { Probes } from './probes.ts';
import { UdpLayer } from './udp-layer.ts';
import { Waits } from './waits.ts';

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
export const createIpHost = (options: IpHostOptions): IpHost => new EndSystem(options);

/** A class whose rarer parts are made when they are needed: thousands of hosts never ask for a lease or a name. */
class EndSystem implements IpHost {
  readonly mac: string;
  dns: string[] = [];
  domain: string | null = null;
  readonly #options: IpHostOptions;
  readonly #mac: number;
  readonly #waits: Waits;
  readonly #arp: ArpResolver;
  readonly #ip: IpLayer;
  readonly #udp: UdpLayer;
  #probes: Probes | null = null;
  #client: DhcpClient | null = null;

  constructor(options: IpHostOptions) {
    const mac = parseMac(options.mac);
    if (mac === null) throw new Error(`"${options.mac}" is not a MAC address; write it like 00:50:79:66:68:00`);
    this.#options = options;
    this.#mac = mac;
    this.mac = formatMac(mac);
    const { now, timer, random, send } = options;
    this.#waits = new Waits(timer);
    const address = (): number | null => this.#ip.configuration?.address ?? null;
    this.#arp = new ArpResolver({ mac, now, waits: this.#waits, send, address });
    const deliver = (packet: Ipv4Packet): void => this.#deliver(packet);
    this.#ip = new IpLayer({ mac, now, random, arp: this.#arp, send, deliver });
    this.#udp = new UdpLayer(this.#ip, random);
  }

  get settings(): IpSettings | null {
    const { configuration } = this.#ip;
    return configuration === null ? null : settingsOf(configuration);
  }

  get lease(): Lease | null {
    return this.#client?.lease ?? null;
  }

  get mtu(): number {
    return this.#ip.mtu;
  }

  set mtu(bytes: number) {
    this.#ip.mtu = bytes;
  }

  async setAddress(settings: IpSettings, signal?: AbortSignal): Promise<boolean> {
    const configuration = configurationOf(settings);
    const taken = await this.#arp.inUse(configuration.address, signal);
    if (taken || signal?.aborted === true || this.#waits.stopped) return false;
    this.#client?.forget();
    this.#configure(configuration);
    return true;
  }

  clearAddress(): void {
    this.#client?.forget();
    this.#configure(null);
  }

  arpTable(): ReturnType<IpHost['arpTable']> {
    return this.#arp.entries().map((entry) => arpEntry(entry, this.#options.now()));
  }

  clearArp(): void {
    this.#arp.clear();
  }

  probe(...question: Parameters<IpHost['probe']>): ReturnType<IpHost['probe']> {
    const { now, random } = this.#options;
    this.#probes ??= new Probes({ ip: this.#ip, udp: this.#udp, waits: this.#waits, now, random });
    return this.#probes.probe(...question);
  }

  dhcp(...asked: Parameters<IpHost['dhcp']>): Promise<Lease | null> {
    return this.#dhcp().acquire(...asked);
  }

  renew(signal?: AbortSignal): Promise<Lease | null> {
    return this.#client?.renew(signal) ?? Promise.resolve(null);
  }

  release(): void {
    this.#client?.release();
  }

  resolve(name: string, signal?: AbortSignal): Promise<string | null> {
    const { random } = this.#options;
    const resolver = createDnsResolver({ ip: this.#ip, udp: this.#udp, waits: this.#waits, random });
    return resolver.resolve({ name, servers: this.dns, domain: this.domain }, signal);
  }

  receive(frame: Uint8Array): void {
    receive(frame, this.#mac, this.#arp, this.#ip);
  }

  stop(): void {
    this.#client?.forget();
    this.#waits.stop();
  }

  #configure(configuration: IpConfiguration | null): void {
    const ip = this.#ip;
    // A renewed lease must not make the neighbours unknown.
    if (JSON.stringify(configuration) === JSON.stringify(ip.configuration)) return;
    ip.configuration = configuration;
    this.#arp.clear();
    if (configuration !== null) this.#arp.announce(configuration.address);
  }

  #dhcp(): DhcpClient {
    const { hostName = null, now, timer, random } = this.#options;
    const [ip, udp, waits] = [this.#ip, this.#udp, this.#waits];
    return (this.#client ??= new DhcpClient({
      exchange: createDhcpExchange({ mac: this.#mac, hostName, ip, udp, waits }),
      ...{ waits, now, timer, random },
      inUse: (address, signal) => this.#arp.inUse(address, signal),
      install: (lease) => this.#install(lease),
    }));
  }

  #install(lease: Lease | null): void {
    this.#configure(lease === null ? null : configurationOf(lease));
    this.dns = lease?.dns ?? [];
    this.domain = lease?.domain ?? null;
  }

  #deliver(packet: Ipv4Packet): void {
    if (this.#probes?.receive(packet) === true) return;
    if (packet.protocol === PROTOCOL_UDP) return this.#udp.receive(packet);
    // Neither pings nor segments to a broadcast address are answered.
    if (packet.destination !== this.#ip.configuration?.address || packet.source === 0) return;
    const payload = answerTo(packet);
    if (payload !== null) this.#ip.send({ protocol: packet.protocol, destination: packet.source, payload });
  }
}

function receive(bytes: Uint8Array, mac: number, arp: ArpResolver, ip: IpLayer): void {
  const frame = decodeEthernet(bytes);
  if (frame === null || frame.tags.length > 0) return;
  if (frame.destination !== mac && frame.destination !== BROADCAST_MAC) return;
  if (frame.ethertype === ETHERTYPE_ARP) arp.receive(frame.payload);
  else if (frame.ethertype === ETHERTYPE_IPV4) ip.receive(frame.payload);
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
