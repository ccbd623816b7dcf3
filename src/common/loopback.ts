import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** Text of an IP address without brackets and without the prefix of an IPv4 address in IPv6 (RFC 4291, 2.5.5.2). */
export const plainAddress = (text: string): string =>
  text.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether only programs of this machine can reach it: an address of RFC 1122, 3.2.1.3 (g) or RFC 4291, 2.5.3, or `localhost`. */
export const isLoopback = (host: string): boolean => {
  const address = plainAddress(host.toLowerCase());
  if (isIPv4(address)) return address.startsWith('127.');
  return address === 'localhost' || (isIP(address) === 6 && /^[0:]*:0*1$/.test(address));
};

/** Addresses that lead to this machine: loopback (RFC 1122, 3.2.1.3 (g); RFC 4291, 2.5.3), and the unspecified address. */
const OWN = new BlockList();
for (const network of ['127.0.0.0', '0.0.0.0']) OWN.addSubnet(network, 8);
for (const address of ['::1', '::']) OWN.addAddress(address, 'ipv6');

const isOwn = (address: string): boolean => OWN.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether a URL leads to this machine. Names other than `localhost` are checked by `lookupElsewhere`. */
export const leadsHere = (origin: string): boolean => {
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : isOwn(host);
};

/** Looks up names for sockets that must not lead to this machine: fails for a name that has such an address. */
export const lookupElsewhere: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    // After an error `found` is undefined, whatever its type says.
    const [first] = error === null ? found : [];
    if (first === undefined) done(error ?? new Error(`${host} has no address`), []);
    else if (found.some(({ address }) => isOwn(address))) done(new Error(OWN_MACHINE), []);
    else if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  });

export const OWN_MACHINE = 'it is the server’s own machine, where only a server started with --local has computes';
