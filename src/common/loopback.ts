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

/** Reached by programs of this machine alone: loopback (RFC 1122, 3.2.1.3 (g); RFC 4291, 2.5.3), and the any-address, which leads there. */
const OWN = new BlockList();
for (const network of ['127.0.0.0', '0.0.0.0']) OWN.addSubnet(network, 8);
for (const address of ['::1', '::']) OWN.addAddress(address, 'ipv6');

const isOwn = (address: string): boolean => OWN.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an URL leads to what only this machine reaches. Other names than `localhost` are looked at when they are looked up. */
export const leadsHere = (origin: string): boolean => {
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : isOwn(host);
};

/** For sockets that must not lead there, whatever a name says. */
export const lookupElsewhere: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    // Beside an error there are no addresses, whatever the types say.
    const [first] = error === null ? found : [];
    if (first === undefined) done(error ?? new Error(`${host} has no address`), []);
    else if (found.some(({ address }) => isOwn(address))) done(new Error(OWN_MACHINE), []);
    else if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  });

export const OWN_MACHINE = 'it is the server’s own machine, where only a server started with --local has computes';
