import { ALL_NODES, ipv6Network, UNSPECIFIED_IPV6 } from '../../codecs/ip-address.ts';
import type { RouterAdvertisement } from '../../codecs/ipv6/neighbour-discovery.ts';
import type { ModelContext } from '../../process/model.ts';
import type { Ipv6Layer } from '../host/ipv6/ipv6-layer.ts';

/** Router advertisement settings of an interface. Times in seconds. */
export interface AdvertisementSettings {
  on: boolean;
  /** Lifetime as a default router; 0: not a default router. */
  lifetime: number;
  /** Between two unsolicited advertisements. */
  interval: number;
  managed: boolean;
  other: boolean;
  dns: bigint[];
}

export const ADVERTISEMENT: Readonly<AdvertisementSettings> = {
  on: true,
  lifetime: 1800,
  interval: 200,
  managed: false,
  other: false,
  dns: [],
};

/** Lifetimes of prefixes, as in radvd. Seconds. */
const [VALID, PREFERRED] = [86_400, 14_400];
/** RFC 4861, section 6.2.4: the first advertisements come sooner. */
const FIRST = 3;
const FIRST_INTERVAL = 16;

/** Advertises an interface that has a global address (RFC 4861, section 6.2), each prefix for hosts to make addresses of. */
export class Advertiser {
  readonly #layer: Ipv6Layer;
  readonly #mac: number;
  readonly #timer: ModelContext['timer'];
  #settings: AdvertisementSettings = ADVERTISEMENT;
  #clock: { cancel(): void } | null = null;
  #sent = 0;

  constructor(layer: Ipv6Layer, mac: number, timer: ModelContext['timer']) {
    this.#layer = layer;
    this.#mac = mac;
    this.#timer = timer;
  }

  get settings(): AdvertisementSettings {
    return this.#settings;
  }

  set settings(next: AdvertisementSettings) {
    const ends = this.#settings.on && !next.on && this.#isNeeded;
    // A lifetime of 0 tells hosts that this is no longer a router.
    if (ends) this.#send(ALL_NODES, 0);
    this.#settings = next;
    this.begin();
  }

  /** Advertises now, and from then on periodically. */
  begin(): void {
    this.#sent = 0;
    this.#repeat();
  }

  /** Answers a router solicitation. */
  solicited(from: bigint): void {
    if (this.#isNeeded) this.#send(from === UNSPECIFIED_IPV6 ? ALL_NODES : from, this.#settings.lifetime);
  }

  stop(): void {
    this.#clock?.cancel();
    this.#clock = null;
  }

  get #isNeeded(): boolean {
    return this.#settings.on && this.#layer.addresses.global().length > 0;
  }

  #repeat(): void {
    this.stop();
    if (!this.#isNeeded) return;
    this.#send(ALL_NODES, this.#settings.lifetime);
    this.#sent += 1;
    const { interval } = this.#settings;
    const seconds = this.#sent < FIRST ? Math.min(interval, FIRST_INTERVAL) : interval;
    this.#clock = this.#timer(seconds * 1000, () => this.#repeat());
  }

  #send(to: bigint, lifetime: number): void {
    const { linkLocal } = this.#layer;
    const message = this.#message(lifetime);
    if (to === ALL_NODES) this.#layer.tell(message, linkLocal, to);
    else this.#layer.sendTo(to, (mac) => this.#layer.tell(message, linkLocal, to, mac));
  }

  #message(lifetime: number): RouterAdvertisement {
    const { managed, other, dns } = this.#settings;
    const prefixes = this.#layer.addresses.global().map(({ address, prefix: length }) => ({
      prefix: ipv6Network(address, length),
      length,
      onLink: true,
      autonomous: length === 64 && !managed,
      valid: VALID,
      preferred: PREFERRED,
    }));
    return {
      kind: 'router_advertisement',
      hopLimit: this.#layer.hopLimit,
      managed,
      other,
      lifetime,
      reachable: 0,
      retransmit: 0,
      mac: this.#mac,
      mtu: this.#layer.mtu,
      prefixes,
      dns: dns.length === 0 ? [] : [{ lifetime: lifetime === 0 ? 0 : this.#settings.interval * 3, servers: dns }],
    };
  }
}
