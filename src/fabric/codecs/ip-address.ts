/** Addresses of both families: an IPv4 address is a number, an IPv6 address a bigint. */
import { formatIpv4, parseIpv4 } from './ipv4-address.ts';
import { formatIpv6, parseIpv6 } from './ipv6/ipv6-address.ts';

export type IpAddress = number | bigint;

export const parseIp = (text: string): IpAddress | null => (text.includes(':') ? parseIpv6(text) : parseIpv4(text));

export const formatIp = (address: IpAddress): string =>
  typeof address === 'number' ? formatIpv4(address) : formatIpv6(address);
