import {
  formatIp,
  inIpv6Prefix,
  type IpAddress,
  ipv6Network,
  networkOf,
  parseInterface,
  parseIpv6Interface,
} from '../../codecs/ip-address.ts';

export interface Prefix {
  network: IpAddress;
  /** Bits. */
  length: number;
}

export interface StaticRoute extends Prefix {
  via: IpAddress;
  /** Number of the interface, needed for a link-local `via`; null: the interface in whose subnet `via` is. */
  port: number | null;
}

const MOST_ROUTES = 1000;

/** `10.1.0.0/16`, `2001:db8::/32`; `default` and `default6` for everything. Null for other texts. */
export function parsePrefix(text: string): Prefix | null {
  if (text === 'default') return { network: 0, length: 0 };
  if (text === 'default6') return { network: 0n, length: 0 };
  if (!text.includes('/')) return null;
  if (text.includes(':')) {
    const found = parseIpv6Interface(text, 128);
    return found === null ? null : { network: ipv6Network(found.address, found.prefix), length: found.prefix };
  }
  const found = parseInterface(text, 32);
  return found === null ? null : { network: networkOf(found.address, found.prefix), length: found.prefix };
}

export const formatPrefix = ({ network, length }: Prefix): string => `${formatIp(network)}/${length}`;

export function isInPrefix(address: IpAddress, { network, length }: Prefix): boolean {
  if (typeof address === 'bigint') return typeof network === 'bigint' && inIpv6Prefix(address, network, length);
  return typeof network === 'number' && networkOf(address, length) === network;
}

const isSame = (a: Prefix, b: Prefix): boolean => a.network === b.network && a.length === b.length;

/** Static routes. */
export class RouteTable {
  #routes: readonly StaticRoute[] = [];

  list(): readonly StaticRoute[] {
    return this.#routes;
  }

  /** Replaces a route to the same prefix by the same router. False when there are too many. */
  add(route: StaticRoute): boolean {
    const others = this.#routes.filter((one) => !isSame(one, route) || one.via !== route.via);
    if (others.length >= MOST_ROUTES) return false;
    this.#routes = [...others, route];
    return true;
  }

  /** `via` null: removes all routes to the prefix. False when there was none. */
  remove(prefix: Prefix, via: IpAddress | null): boolean {
    const kept = this.#routes.filter((one) => !isSame(one, prefix) || (via !== null && one.via !== via));
    const found = kept.length < this.#routes.length;
    this.#routes = kept;
    return found;
  }

  /** Routes to an address: longest prefix first, then oldest first. */
  to(address: IpAddress): StaticRoute[] {
    return this.#routes.filter((one) => isInPrefix(address, one)).toSorted((a, b) => b.length - a.length);
  }
}
