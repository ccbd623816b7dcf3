import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4 } from 'node:net';
import { TopologError } from '../../common/errors.ts';
import type { Place } from '../computes.ts';

/** An interface as the compute group tells it; `ip_address` is empty without one. */
export interface Interface {
  ip_address: string;
  netmask: string;
}

export const isLoopback = (address: string): boolean => /^(?:127\.|::1$)/.test(address);

/** Bits of a netmask such as 255.255.255.0. */
const prefixOf = (netmask: string): number =>
  netmask.split('.').reduce((bits, octet) => bits + Number(octet).toString(2).replaceAll('0', '').length, 0);

const usable = ([interfaces, host]: [readonly Interface[], string | null]): readonly Interface[] =>
  interfaces
    .filter(({ ip_address: a, netmask }) => isIPv4(a) && isIPv4(netmask) && !isLoopback(a) && !a.startsWith('169.254.'))
    .toSorted((a, b) => Number(b.ip_address === host) - Number(a.ip_address === host));

const isInside = ({ ip_address, netmask }: Interface, address: string): boolean => {
  const network = new BlockList();
  network.addSubnet(ip_address, prefixOf(netmask));
  return network.check(address);
};

/** Two addresses of one IPv4 network, one of each machine, the one by which it is known first; null: there are none. */
export const commonAddresses = (
  a: [readonly Interface[], string | null],
  b: [readonly Interface[], string | null],
): readonly [string, string] | null => {
  for (const one of usable(a))
    for (const other of usable(b))
      if (one.ip_address !== other.ip_address && isInside(one, other.ip_address))
        return [one.ip_address, other.ip_address];
  return null;
};

/** null: this machine. */
export const hostOf = async (place: Place | null): Promise<string | null> => {
  if (place === null) return null;
  const { name, host } = place.compute.target;
  try {
    return (await lookup(host.replace(/^\[|\]$/g, ''))).address.replace(/^0\.0\.0\.0$/, '127.0.0.1');
  } catch (error) {
    throw new TopologError('compute_unreachable', { name, reason: 'its name is unknown' }, { cause: error });
  }
};

/** Address of this machine from which the other one is reached. */
export const ownAddress = (other: Place | null | undefined): string => other?.compute.ownAddress ?? '127.0.0.1';
