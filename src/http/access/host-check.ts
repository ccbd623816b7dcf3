import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { isLoopback, plainAddress } from '../../common/loopback.ts';

/**
 * Whether a request's Host is this server. A page elsewhere can have its own name resolve to this machine (DNS rebinding) and
 * is then of the same origin for a browser, but it cannot have the names that only this machine has.
 */
export type HostCheck = (host: string, localAddress: string | undefined) => boolean;

/** Verdicts kept, as clients send the same Host with every request. */
const MOST_KEPT = 200;

/** `names`: of the server beside its addresses and the names of this machine. */
export const hostCheck = (names: readonly string[]): HostCheck => {
  const own = new Set([...names, hostname()].map((name) => plainAddress(nameOf(name))));
  const kept = new Map<string, boolean>();
  return (host, localAddress = '') => {
    const key = `${localAddress} ${host}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const name = plainAddress(nameOf(host));
    const isOwn =
      name !== '' && (isLoopback(name) || own.has(name) || (isIP(name) > 0 && name === plainAddress(localAddress)));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, isOwn);
    return isOwn;
  };
};

/** Of `name:port` (RFC 9110, 7.2); whatever else it is, it is no name of ours. */
const nameOf = (host: string): string => {
  const [, name = ''] = /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+)(?::\d*)?$/i.exec(host) ?? (isIP(host) === 6 ? ['', host] : []);
  return name.toLowerCase().replace(/\.$/, '');
};
