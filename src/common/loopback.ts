import { isIP, isIPv4 } from 'node:net';

/** Text of an IP address without brackets and without the prefix of an IPv4 address in IPv6 (RFC 4291, 2.5.5.2). */
export const plainAddress = (text: string): string =>
  text.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether only programs of this machine can reach it: an address of RFC 1122, 3.2.1.3 (g) or RFC 4291, 2.5.3, or `localhost`. */
export const isLoopback = (host: string): boolean => {
  const address = plainAddress(host.toLowerCase());
  if (isIPv4(address)) return address.startsWith('127.');
  return address === 'localhost' || (isIP(address) === 6 && /^[0:]*:0*1$/.test(address));
};
