import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../codecs/ethernet.ts';
import { formatIpv4, type IpAddress, isHostIpv4, parseIp, parseIpv4 } from '../../codecs/ip-address.ts';
import { IPV6_LEAST_MTU } from '../../codecs/ipv6/ipv6.ts';
import { BROADCAST_MAC, formatMac, isIpv6GroupMac, parseMac } from '../../codecs/mac-address.ts';
import type { ModelContext } from '../../process/model.ts';
import { ArpResolver } from './arp-resolver.ts';
import { createDhcpExchange, DhcpClient } from './dhcp-client.ts';
import type { IpHost, IpSettings, Lease } from './ip-host.ts';
import { type IpConfiguration, IpLayer } from './ip-layer.ts';
import type { IpPacket, IpService, RouteFailure, Outgoing, ResolvedRoute } from './ip-service.ts';
import { HostIpv6 } from './ipv6/host-ipv6.ts';
import { Services } from './services.ts';
import type { HttpNode } from './http.ts';
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
  /** Sent to DHCP servers. */
  hostName?: string;
  /** Called with a sentence about a problem of the network, such as a duplicate address. */
  report?: (text: string) => void;
}

/** A host that does not forward packets. */
export const createIpHost = (options: IpHostOptions): IpHost => new EndSystem(options);

/** Makes rarer parts when first needed: most of thousands of hosts never ask for a lease or a name. */
class EndSystem implements IpHost, IpService {
  readonly mac: string;
  dns: string[] = [];
  domain: string | null = null;
  readonly #options: IpHostOptions;
  readonly #mac: number;
  readonly #waits: Waits;
  readonly #arp: ArpResolver;
  readonly #ip: IpLayer;
  readonly #services: Services;
  #six: HostIpv6 | null = null;
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
    const deliver = (packet: IpPacket): void => this.#services.deliver(packet);
    this.#ip = new IpLayer({ mac, now, random, arp: this.#arp, send, deliver });
    this.#services = new Services({ ip: this, waits: this.#waits, now, random, timer });
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
    if (this.#six !== null) this.#six.layer.mtu = Math.max(bytes, IPV6_LEAST_MTU);
  }

  get http(): HttpNode {
    return this.#services;
  }

  get ipv6(): HostIpv6 {
    return (this.#six ??= this.#makeIpv6());
  }

  resolveRoute(destination: IpAddress, signal?: AbortSignal): Promise<ResolvedRoute | RouteFailure> {
    if (typeof destination === 'number') return this.#ip.resolveRoute(destination, signal);
    return this.ipv6.layer.resolveRoute(destination, signal);
  }

  sourceFor(destination: IpAddress): IpAddress | null {
    if (typeof destination === 'number') return this.#ip.configuration?.address ?? null;
    return this.ipv6.layer.addresses.sourceFor(destination);
  }

  send(outgoing: Outgoing): void {
    if (typeof outgoing.destination === 'number') this.#ip.send(outgoing as Outgoing<number>);
    else this.ipv6.layer.send(outgoing as Outgoing<bigint>);
  }

  isOwn(given: IpAddress | string): boolean {
    const address = typeof given === 'string' ? parseIp(given) : given;
    if (typeof address === 'bigint') return address === 1n || this.ipv6.layer.addresses.has(address);
    return address !== null && (address === this.#ip.configuration?.address || address >>> 24 === 127);
  }

  canReach(destination: string): boolean {
    if (!destination.includes(':')) return this.#ip.configuration !== null;
    const address = parseIp(destination);
    return typeof address === 'bigint' && this.ipv6.layer.addresses.sourceFor(address) !== null;
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
    return this.#services.probe(...question);
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
    const hasIpv6 = this.#six !== null && this.#six.layer.addresses.global().length > 0;
    const families = [...(this.settings !== null || !hasIpv6 ? [4 as const] : []), ...(hasIpv6 ? [6 as const] : [])];
    const servers = [...this.dns, ...(this.#six?.dns ?? [])];
    return this.#services.resolve({ name, servers, domain: this.domain, families }, signal);
  }

  receive(frame: Uint8Array): void {
    const { destination, ethertype, tags, payload } = decodeEthernet(frame) ?? NO_FRAME;
    if (tags.length > 0) return;
    const isOurs = destination === this.#mac || destination === BROADCAST_MAC;
    if (ethertype === ETHERTYPE_IPV6) {
      if (isOurs || this.#listensTo(destination)) this.ipv6.layer.receive(payload);
    } else if (isOurs && ethertype === ETHERTYPE_ARP) this.#arp.receive(payload);
    else if (isOurs && ethertype === ETHERTYPE_IPV4) this.#ip.receive(payload);
  }

  stop(): void {
    this.#client?.forget();
    this.#six?.stop();
    this.#services.stop();
    this.#waits.stop();
  }

  #configure(configuration: IpConfiguration | null): void {
    const ip = this.#ip;
    // A renewed lease must not clear the ARP table.
    if (JSON.stringify(configuration) === JSON.stringify(ip.configuration)) return;
    ip.configuration = configuration;
    this.#arp.clear();
    if (configuration !== null) this.#arp.announce(configuration.address);
  }

  #dhcp(): DhcpClient {
    const { hostName = null, now, timer, random } = this.#options;
    const [ip, { udp }, waits] = [this.#ip, this.#services, this.#waits];
    return (this.#client ??= new DhcpClient({
      exchange: createDhcpExchange({ mac: this.#mac, hostName, ip, udp, waits }),
      waits,
      now,
      timer,
      random,
      inUse: (address, signal) => this.#arp.inUse(address, signal),
      install: (lease) => this.#install(lease),
    }));
  }

  #install(lease: Lease | null): void {
    this.#configure(lease === null ? null : configurationOf(lease));
    this.dns = lease?.dns ?? [];
    this.domain = lease?.domain ?? null;
  }

  #makeIpv6(): HostIpv6 {
    const { now, timer, random, send, report = () => undefined } = this.#options;
    const deliver = (packet: IpPacket): void => this.#services.deliver(packet);
    const { udp } = this.#services;
    const made = new HostIpv6({
      mac: this.#mac,
      waits: this.#waits,
      now,
      timer,
      random,
      send,
      deliver,
      report: report,
      udp,
    });
    made.layer.mtu = Math.max(this.#ip.mtu, IPV6_LEAST_MTU);
    return made;
  }

  /** Whether the MAC is of an IPv6 group to take. Until the host uses IPv6, only the groups of its link-local address count. */
  #listensTo(destination: number): boolean {
    if (!isIpv6GroupMac(destination)) return false;
    const group = destination % 0x100000000;
    return this.#six !== null || group === ALL_NODES_GROUP || group === 0xff000000 + (this.#mac % 0x1000000);
  }
}

const NO_FRAME = { destination: 0, ethertype: 0, tags: [], payload: new Uint8Array(0) };
/** The last 32 bits of the MAC of ff02::1. */
const ALL_NODES_GROUP = 1;

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
