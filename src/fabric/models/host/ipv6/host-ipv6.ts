import { formatIpv6, isHostIpv6, isLinkLocalIpv6, parseIpv6 } from '../../../codecs/ip-address.ts';
import { IPV6_LEAST_MTU } from '../../../codecs/ipv6/ipv6.ts';
import { INFINITE_LIFETIME, type RouterAdvertisement } from '../../../codecs/ipv6/neighbour-discovery.ts';
import { formatMac } from '../../../codecs/mac-address.ts';
import type { IpSettings, Ipv6Address, Ipv6Auto, Ipv6Host, Ipv6Lease } from '../ip-host.ts';
import type { UdpLayer } from '../udp-layer.ts';
import { Dhcpv6Client } from './dhcpv6-client.ts';
import { Ipv6Layer, type Ipv6Options } from './ipv6-layer.ts';
import type { OwnAddress } from './own-addresses.ts';
import { Slaac, SOLICITATIONS } from './slaac.ts';

/** RFC 4861, section 10. Milliseconds. */
const SOLICITATION_INTERVAL = 4000;

interface Options extends Omit<Ipv6Options, 'onAdvertisement' | 'onConflict' | 'forward'> {
  /** Called with a sentence about a problem of the network, for the console. */
  report: (text: string) => void;
  udp: UdpLayer;
}

/** IPv6 of an end system, made when it is first used. */
export class HostIpv6 implements Ipv6Host {
  readonly layer: Ipv6Layer;
  readonly #options: Options;
  readonly #auto: Slaac;
  ownDns: string[] = [];
  /** Made when first needed. */
  #client: Dhcpv6Client | null = null;
  #isSoliciting = false;

  constructor(options: Options) {
    const { mac, now, waits } = options;
    this.#options = options;
    this.layer = new Ipv6Layer({
      ...options,
      onAdvertisement: (from, message) => this.#advertised(from, message),
      onConflict: (address, other) => this.#conflict(address, other),
    });
    const onDuplicate = (address: bigint): void => this.#conflict(address, null);
    this.#auto = new Slaac({ layer: this.layer, mac, now, waits, onDuplicate });
  }

  get linkLocal(): string {
    return formatIpv6(this.layer.linkLocal);
  }

  get gateway(): string | null {
    return this.layer.gateway === null ? null : formatIpv6(this.layer.gateway);
  }

  get isAuto(): boolean {
    return this.#auto.isOn;
  }

  /** Configured name servers, else those of DHCPv6 and routers. */
  get dns(): string[] {
    const leased = this.#client?.lease?.dns ?? [];
    return this.ownDns.length > 0 ? this.ownDns : [...leased, ...this.layer.learned.servers].map(formatIpv6);
  }

  addresses(): Ipv6Address[] {
    const now = this.#options.now();
    return this.layer.addresses.list().map((own) => addressOf(own, now));
  }

  routers(): ReturnType<Ipv6Host['routers']> {
    const neighbours = this.layer.neighbours.entries();
    return this.layer.learned.routers.map((address) => {
      const mac = neighbours.find((one) => one.address === address)?.mac;
      return { address: formatIpv6(address), mac: mac === undefined ? null : formatMac(mac) };
    });
  }

  async setAddress(settings: IpSettings, signal?: AbortSignal): Promise<boolean> {
    const address = hostAddress('address', settings.address);
    const gateway = settings.gateway === null ? null : hostAddress('gateway', settings.gateway);
    const forEver = { preferredUntil: Infinity, validUntil: Infinity };
    if (!this.layer.addresses.has(address)) {
      const wish = { address, prefix: settings.prefix, origin: 'static', ...forEver } as const;
      if (!(await this.layer.assign(wish, signal))) return false;
    }
    this.#auto.end();
    this.#client?.forget();
    this.layer.addresses.remove((own) => own.address !== address);
    this.layer.addresses.add({ address, prefix: settings.prefix, origin: 'static', ...forEver });
    this.layer.gateway = gateway;
    void this.#solicitRouters();
    return true;
  }

  async auto(signal?: AbortSignal): Promise<Ipv6Auto | null> {
    this.layer.addresses.remove(({ origin }) => origin === 'static');
    this.layer.gateway = null;
    const result = await this.#auto.begin(signal);
    if (result === null) return null;
    const [addresses, duplicates] = [result.addresses.map(formatIpv6), result.duplicates.map(formatIpv6)];
    return { ...result, router: formatIpv6(result.router), addresses, duplicates };
  }

  async dhcp(progress: Parameters<Ipv6Host['dhcp']>[0], signal?: AbortSignal): Promise<Ipv6Lease | null> {
    this.layer.addresses.remove(({ origin }) => origin === 'static');
    this.layer.gateway = null;
    const lost = (): void => this.#options.report('the address that DHCPv6 gave is over');
    this.#client ??= new Dhcpv6Client({ ...this.#options, layer: this.layer, lost });
    const lease = await this.#client.acquire(progress, signal);
    if (lease === null) return null;
    void this.#solicitRouters();
    const { address, dns, valid } = lease;
    return {
      address: formatIpv6(address),
      dns: dns.map(formatIpv6),
      valid_s: valid === INFINITE_LIFETIME ? null : valid,
    };
  }

  releaseDhcp(): void {
    this.#client?.release();
  }

  clearAddress(): void {
    this.#auto.end();
    this.#client?.forget();
    this.layer.addresses.remove(() => true);
    this.layer.learned.clear();
    this.layer.gateway = null;
    this.ownDns = [];
  }

  neighbours(): ReturnType<Ipv6Host['neighbours']> {
    return this.layer.neighbours.entries().map(({ address, mac, state, isRouter: router }) => ({
      address: formatIpv6(address),
      mac: formatMac(mac),
      state,
      router,
    }));
  }

  clearNeighbours(): void {
    this.layer.neighbours.clear();
  }

  stop(): void {
    this.#client?.forget();
    this.clearNeighbours();
  }

  /** Solicits routers after an address was set without one, as the next unsolicited advertisement may be far away. */
  async #solicitRouters(): Promise<void> {
    const { layer } = this;
    const { waits } = this.#options;
    const isWanted = (): boolean =>
      !waits.stopped && layer.addresses.global().length > 0 && layer.learned.routers.length === 0;
    if (this.#isSoliciting) return;
    this.#isSoliciting = true;
    for (let tries = 0; tries < SOLICITATIONS && isWanted(); tries++) {
      layer.solicitRouters();
      await waits.wait(SOLICITATION_INTERVAL, null).promise;
    }
    this.#isSoliciting = false;
  }

  #advertised(from: bigint, message: RouterAdvertisement): void {
    this.layer.learned.take(from, message);
    if (message.hopLimit > 0) this.layer.hopLimit = message.hopLimit;
    if (message.mtu !== null && message.mtu >= IPV6_LEAST_MTU) this.layer.mtu = Math.min(this.layer.mtu, message.mtu);
    this.#auto.advertised(from, message);
  }

  #conflict(address: bigint, mac: number | null): void {
    this.#options.report(
      `${formatIpv6(address)} is being used by ${mac === null ? 'another host' : `MAC ${formatMac(mac)}`}`,
    );
  }
}

function hostAddress(field: string, text: string): bigint {
  const address = parseIpv6(text);
  if (address === null || !isHostIpv6(address) || (field === 'address' && isLinkLocalIpv6(address))) {
    throw new Error(`${field} is "${text}"; it must be the IPv6 address of a host, like 2001:db8::1`);
  }
  return address;
}

function addressOf({ address, prefix, origin, ...until }: OwnAddress, now: number): Ipv6Address {
  const left = (moment: number): number | null =>
    moment === Infinity ? null : Math.max(0, Math.ceil((moment - now) / 1000));
  return {
    address: formatIpv6(address),
    prefix,
    origin,
    deprecated: until.preferredUntil <= now,
    preferred_s: left(until.preferredUntil),
    valid_s: left(until.validUntil),
  };
}
