import { INFINITE_LIFETIME, type RouterAdvertisement } from '../../../codecs/ipv6/neighbour-discovery.ts';
import { inIpv6Prefix, ipv6Network } from '../../../codecs/ipv6/ipv6-address.ts';

/** More than a link has, and a bound against floods. */
const MOST = 16;

interface Learned<T> {
  value: T;
  /** Moment of `now()`. */
  until: number;
}

export interface OnLinkPrefix {
  prefix: bigint;
  length: number;
}

/** Moment at which a lifetime in seconds is over. */
export const endOf = (seconds: number, now: number): number =>
  seconds === INFINITE_LIFETIME ? Infinity : now + seconds * 1000;

/** What routers have told a host: themselves, the prefixes of its link, name servers. RFC 4861, section 6.3.4. */
export class LearnedRoutes {
  readonly #now: () => number;
  #routers: Learned<bigint>[] = [];
  #prefixes: Learned<OnLinkPrefix>[] = [];
  #servers: Learned<bigint>[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  take(from: bigint, message: RouterAdvertisement): void {
    const now = this.#now();
    this.#routers = this.#with(this.#routers, from, now + message.lifetime * 1000);
    for (const { prefix, length, onLink, valid } of message.prefixes) {
      const value = { prefix: ipv6Network(prefix, length), length };
      if (onLink) this.#prefixes = this.#with(this.#prefixes, value, endOf(valid, now));
    }
    for (const { lifetime, servers } of message.dns) {
      for (const server of servers) this.#servers = this.#with(this.#servers, server, endOf(lifetime, now));
    }
  }

  /** Default routers, the first heard first. */
  get routers(): bigint[] {
    return this.#living(this.#routers);
  }

  get servers(): bigint[] {
    return this.#living(this.#servers);
  }

  get prefixes(): OnLinkPrefix[] {
    return this.#living(this.#prefixes);
  }

  isOnLink(destination: bigint): boolean {
    return this.prefixes.some(({ prefix, length }) => inIpv6Prefix(destination, prefix, length));
  }

  clear(): void {
    this.#routers = [];
    this.#prefixes = [];
    this.#servers = [];
  }

  #living<T>(all: readonly Learned<T>[]): T[] {
    return all.filter(({ until }) => until > this.#now()).map(({ value }) => value);
  }

  /** The list with a value that is new, or whose time is another now; in the order of first hearing. */
  #with<T>(all: readonly Learned<T>[], value: T, until: number): Learned<T>[] {
    const key = keyOf(value);
    const others = all.filter((one) => one.until > this.#now());
    const at = others.findIndex((one) => keyOf(one.value) === key);
    if (at >= 0) return others.map((one, index) => (index === at ? { value, until } : one));
    return others.length >= MOST ? others : [...others, { value, until }];
  }
}

const keyOf = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : Object.values(value as OnLinkPrefix).join('/');
