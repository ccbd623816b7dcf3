import { BlockList, isIP, isIPv6 } from 'node:net';
import { invalid } from '../../common/errors.ts';
import { plainAddress } from '../../common/loopback.ts';

/** Address of the client that a proxy asks for; null: what the connection says counts. */
export type ClientAddress = (remote: string | undefined, forwardedFor: string | undefined) => string | null;

const FORM = 'must be an address or a network such as 127.0.0.1 or 10.0.0.0/8';
/** Bits of an address by family. */
const LENGTHS = { ipv4: 32, ipv6: 128 };

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The addresses as a list that is asked. Throws `invalid_request` naming the flag. */
const listOf = (proxies: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of proxies) {
    const [, given = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const address = plainAddress(given);
    const family = familyOf(address);
    const length = Number(bits ?? LENGTHS[family]);
    if (isIP(address) === 0 || length > LENGTHS[family])
      throw invalid(`--trust-proxy ${FORM}, not ${text}`, { field: 'trust-proxy' });
    list.addSubnet(address, length, family);
  }
  return list;
};

/** Address of an entry, which some proxies write with a port. */
const entryOf = (text: string): string | null => {
  const [, bracketed, four] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const address = plainAddress(bracketed ?? four ?? text.trim());
  return isIP(address) === 0 ? null : address;
};

/**
 * Reads X-Forwarded-For of requests that come from one of these proxies. Each proxy appends the address of its client; entries left of the
 * first address that is no proxy of ours were sent by that client, and are not believed.
 */
export const clientAddress = (proxies: readonly string[]): ClientAddress => {
  const list = listOf(proxies);
  const isProxy = (address: string): boolean => isIP(address) !== 0 && list.check(address, familyOf(address));
  return (remote, forwardedFor) => {
    if (proxies.length === 0) return null;
    let client = plainAddress(remote ?? '');
    if (!isProxy(client)) return null;
    for (const text of forwardedFor?.split(',').reverse() ?? []) {
      const address = entryOf(text);
      if (address === null) return client;
      client = address;
      if (!isProxy(client)) return client;
    }
    return client;
  };
};

/** Key of an address: a host with an IPv6 address may use all of its /64 (RFC 4291, 2.5.4). */
export const addressKey = (address: string | undefined): string => {
  const plain = plainAddress(address ?? '');
  if (!isIPv6(plain)) return plain;
  const [left = '', right = ''] = (plain.split('%')[0] ?? '').split('::');
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const [before, after] = [groups(left), groups(right)];
  const zeros = plain.includes('::') ? Math.max(0, 8 - before.length - after.length) : 0;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
};
