import { eui64, ipv6Network, isLinkLocalIpv6 } from '../../../codecs/ip-address.ts';
import type { PrefixInformation, RouterAdvertisement } from '../../../codecs/ipv6/neighbour-discovery.ts';
import type { Wait, Waits } from '../waits.ts';
import { endOf, type Ipv6Layer } from './ipv6-layer.ts';
import type { OwnAddress } from './own-addresses.ts';

/** RFC 4861, section 10. */
export const SOLICITATIONS = 3;
/** Milliseconds; RFC 4861 has 4 s, which is long for a user at a console. */
const SOLICITATION_WAIT = 1500;
/** An unauthenticated advertisement cannot shorten a lifetime below this (RFC 4862, section 5.5.3). Milliseconds. */
const TWO_HOURS = 7_200_000;
/** Prefix length; interface identifiers have the other 64 bits (RFC 2464). */
const PREFIX = 64;

/** Result of a router's advertisement. */
export interface SlaacResult {
  router: bigint;
  /** Addresses are available by DHCPv6. */
  managed: boolean;
  /** Other settings are available by DHCPv6. */
  other: boolean;
  addresses: bigint[];
  /** Addresses that another node has already. */
  duplicates: bigint[];
}

interface Options {
  layer: Ipv6Layer;
  mac: number;
  now: () => number;
  waits: Waits;
  onDuplicate: (address: bigint) => void;
}

/** Stateless address autoconfiguration of a host, RFC 4862. */
export class Slaac {
  readonly #options: Options;
  #isOn = false;
  #solicitation: Wait<SlaacResult | null> | null = null;
  /** Duplicate checks: whether the address was free. */
  readonly #tried = new Map<bigint, Promise<boolean>>();

  constructor(options: Options) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Solicits routers; null when none answers. Follows advertisements from then on. */
  async begin(signal?: AbortSignal): Promise<SlaacResult | null> {
    const { layer, waits } = this.#options;
    this.#isOn = true;
    this.#tried.clear();
    for (let tries = 0; tries < SOLICITATIONS && signal?.aborted !== true; tries++) {
      const wait = waits.wait<SlaacResult | null>(SOLICITATION_WAIT, null, signal);
      this.#solicitation = wait;
      layer.solicitRouters();
      const result = await wait.promise;
      if (result !== null) return result;
    }
    this.#solicitation = null;
    return null;
  }

  end(): void {
    this.#isOn = false;
    this.#options.layer.addresses.remove(({ origin }) => origin === 'auto');
  }

  advertised(router: bigint, message: RouterAdvertisement): void {
    if (!this.#isOn) return;
    void this.#follow(router, message);
  }

  async #follow(router: bigint, message: RouterAdvertisement): Promise<void> {
    const { managed, other } = message;
    const usable = message.prefixes.filter(
      ({ autonomous, length, prefix, valid, preferred }) =>
        autonomous && length === PREFIX && !isLinkLocalIpv6(prefix) && preferred <= valid,
    );
    const solicitation = this.#solicitation;
    const made = await Promise.all(usable.map((prefix) => this.#make(prefix)));
    const result: SlaacResult = { router, managed, other, addresses: [], duplicates: [] };
    for (const { address, taken } of made) (taken ? result.duplicates : result.addresses).push(address);
    solicitation?.settle(result);
  }

  /** Makes an address of the prefix, or extends the lifetime of an existing one. */
  async #make(prefix: PrefixInformation): Promise<{ address: bigint; taken: boolean }> {
    const { layer, mac, now, waits, onDuplicate } = this.#options;
    const address = ipv6Network(prefix.prefix, PREFIX) | eui64(mac);
    const present = layer.addresses.list().find((own) => own.address === address);
    const wish = this.#addressOf(address, prefix);
    if (present !== undefined) {
      if (present.origin === 'auto') layer.addresses.add({ ...wish, validUntil: lasting(present, wish, now()) });
      return { address, taken: false };
    }
    if (prefix.valid === 0) return { address, taken: false };
    const open = this.#tried.get(address);
    if (open !== undefined) return { address, taken: !(await open) };
    const assigned = layer.assign(wish);
    this.#tried.set(address, assigned);
    const isOurs = await assigned;
    // It may have to be made again after it expires.
    if (isOurs) this.#tried.delete(address);
    else if (!waits.stopped) onDuplicate(address);
    return { address, taken: !isOurs };
  }

  #addressOf(address: bigint, { valid, preferred }: PrefixInformation): OwnAddress {
    const now = this.#options.now();
    const times = { preferredUntil: endOf(preferred, now), validUntil: endOf(valid, now) };
    return { address, prefix: PREFIX, origin: 'auto', ...times };
  }
}

function lasting(present: OwnAddress, wish: OwnAddress, now: number): number {
  if (wish.validUntil > now + TWO_HOURS || wish.validUntil > present.validUntil) return wish.validUntil;
  return Math.min(present.validUntil, now + TWO_HOURS);
}
