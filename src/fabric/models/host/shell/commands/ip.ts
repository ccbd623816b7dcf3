import {
  broadcastOf,
  formatIpv4,
  formatIpv6,
  isHostIpv4,
  isHostIpv6,
  isLinkLocalIpv6,
  maskOf,
  networkOf,
  parseIpv4,
  parseIpv6,
  parseIpv6Interface,
  sameSubnet,
} from '../../../../codecs/ip-address.ts';
import { isNumber, means, type PcCommand, type PcContext } from '../command.ts';
import { runDhcp } from './dhcp.ts';
import { setMtu } from './set.ts';

const DEFAULT_PREFIX = 24;

export const ipCommand: PcCommand = {
  name: 'ip',
  usage: '[arguments]',
  summary: "Set this PC's address, gateway, DNS servers and domain",
  help: `
ip <address>[/<mask>] [<gateway>]
ip <address> [<gateway>] [<mask>]
  Sets address, mask and default gateway. Without a mask it is /24.
  <mask> may be written as /26, 26 or 255.255.255.192
  An IPv6 address is set beside the IPv4 address; without a length it is /64.
ip auto                 Takes IPv6 addresses and the router from what routers advertise (SLAAC)
ip dhcp [-d|-r|-x]      Takes the address from a DHCP server
ip dhcp6 [-x]           Takes an IPv6 address and DNS servers from a DHCPv6 server; -x gives it back
ip dns <ip> [<ip>]      Sets one or two DNS servers; 0 removes them
ip dns6 <ipv6> [<ipv6>] The same over IPv6
ip domain <name>        Sets the domain that is added to short names
ip mtu <value>          Same as: set mtu <value>
ip clear                Same as: clear ip
`,
  async run(context, args) {
    const [word, ...rest] = args;
    if (word === undefined) context.print(ipCommand.help);
    else if (word.includes(':')) await setIpv6(context, args);
    else if (/^\d/.test(word)) await setAddress(context, args);
    else await runKeyword(context, word, rest);
  },
};

async function runKeyword(context: PcContext, word: string, rest: readonly string[]): Promise<void> {
  if (means(word, 'auto')) await autoIpv6(context);
  else if (word === 'dhcp6') await dhcpIpv6(context, rest);
  else if (means(word, 'dhcp')) await runDhcp(context, rest);
  else if (means(word, 'dns')) setDns(context, rest);
  else if (means(word, 'dns6')) setDns6(context, rest);
  else if (means(word, 'domain')) setDomain(context, rest);
  else if (means(word, 'mtu')) setMtu(context, rest);
  else if (means(word, 'clear')) clearIp(context);
  else context.print('Invalid address\n');
}

export function clearIp(context: PcContext): void {
  const { host, settings } = context;
  host.clearAddress();
  host.dns = [];
  host.domain = null;
  settings.dynamic = false;
  context.print('IPv4 address/mask, gateway, DNS, and DHCP cleared\n');
}

interface Wish {
  address: number;
  prefix: number;
  gateway: number | null;
}

async function setAddress(context: PcContext, args: readonly string[]): Promise<void> {
  const wish = parseWish(args);
  if (typeof wish === 'string') {
    context.print(`${wish}\n`);
    return;
  }
  const address = formatIpv4(wish.address);
  const gateway = wish.gateway === null ? null : formatIpv4(wish.gateway);
  context.print('Checking for duplicate address...\n');
  if (!(await context.host.setAddress({ address, prefix: wish.prefix, gateway }, context.signal))) {
    context.print(`${address} is being used by ${ownerOf(context, address)}\nAddress not changed\n`);
    return;
  }
  context.settings.dynamic = false;
  const mask = formatIpv4(maskOf(wish.prefix));
  context.print(`${context.settings.name} : ${address} ${mask}${gateway === null ? '' : ` gateway ${gateway}`}\n`);
}

/** The MAC is known when the owner answered the check, but not when it was only probing for the same address. */
function ownerOf(context: PcContext, address: string): string {
  const owner = context.host.arpTable().find((entry) => entry.address === address);
  return owner === undefined ? 'another host' : `MAC ${owner.mac}`;
}

/** The typed settings, or a sentence about what is wrong with them. */
function parseWish(args: readonly string[]): Wish | string {
  const [first = '', ...rest] = args.flatMap((arg) => arg.split(/(?=\/)/));
  const address = parseIpv4(first);
  let prefix = DEFAULT_PREFIX;
  let gateway: number | null = null;
  for (const arg of rest) {
    const asAddress = parseIpv4(arg);
    if (isMaskLike(arg)) {
      const parsed = parsePrefix(arg);
      if (parsed === null) return 'Invalid mask';
      prefix = parsed;
    } else if (asAddress === null) return 'Invalid options';
    else gateway = asAddress;
  }
  if (address === null || !isHostIpv4(address) || address === gateway) return 'Invalid address';
  if (!isHostInSubnet(address, prefix)) return 'Invalid host address';
  // Scripts write 0.0.0.0 for "no gateway".
  if (gateway === null || gateway === 0) return { address, prefix, gateway: null };
  if (!isHostInSubnet(gateway, prefix)) return 'Invalid gateway address';
  if (!sameSubnet(address, gateway, prefix)) return 'not same subnet';
  return { address, prefix, gateway };
}

const isMaskLike = (text: string): boolean => text.startsWith('/') || text.startsWith('255.') || isNumber(text);

function setDns(context: PcContext, args: readonly string[]): void {
  if (args.length === 0 || args.length > 2) {
    context.print(args.length === 0 ? 'Incomplete command.\n' : 'Invalid options\n');
    return;
  }
  const servers: string[] = [];
  for (const arg of args) {
    const address = parseIpv4(arg);
    if (arg !== '0' && (address === null || address === 0)) {
      context.print(`Invalid address: ${arg}\n`);
      return;
    }
    if (address !== null) servers.push(formatIpv4(address));
  }
  context.host.dns = servers;
}

/** RFC 1035: labels of 1 to 63 letters, digits and hyphens; 64 characters in all, as VPCS takes them. */
function setDomain(context: PcContext, args: readonly string[]): void {
  const [given] = args;
  if (given === undefined || args.length > 1) {
    context.print('Incomplete command.\n');
    return;
  }
  const name = given.replace(/^\.+|\.$/g, '');
  const valid = name.length <= 64 && name.split('.').every((label) => /^[\w-]{1,63}$/.test(label));
  if (valid) context.host.domain = name;
  else context.print('Invalid domain name.\n');
}

/** `24`, `/24` or `255.255.255.0`, from 1 to 32; null for anything else, a mask with gaps included. */
function parsePrefix(text: string): number | null {
  const digits = /^\/?(\d{1,2})$/.exec(text)?.[1];
  if (digits !== undefined) return Number(digits) >= 1 && Number(digits) <= 32 ? Number(digits) : null;
  const mask = parseIpv4(text);
  for (let prefix = 1; prefix <= 32; prefix += 1) if (mask === maskOf(prefix)) return prefix;
  return null;
}

/** False for the network's own address and its broadcast address; /31 and /32 have neither (RFC 3021). */
const isHostInSubnet = (address: number, prefix: number): boolean =>
  prefix >= 31 || (address !== networkOf(address, prefix) && address !== broadcastOf(address, prefix));

const DEFAULT_IPV6_PREFIX = 64;

/** `ip <address>[/<prefix>] [<gateway>]` */
async function setIpv6(context: PcContext, args: readonly string[]): Promise<void> {
  const wish = parseIpv6Wish(args);
  if (typeof wish === 'string') {
    context.print(`${wish}\n`);
    return;
  }
  const { address, prefix, gateway } = wish;
  context.print('Checking for duplicate address...\n');
  if (!(await context.host.ipv6.setAddress(wish, context.signal))) {
    context.print(`${address} is being used by another host\nAddress not changed\n`);
    return;
  }
  context.settings.dynamic6 = false;
  context.print(`${context.settings.name} : ${address}/${prefix}${gateway === null ? '' : ` gateway ${gateway}`}\n`);
}

function parseIpv6Wish(args: readonly string[]): { address: string; prefix: number; gateway: string | null } | string {
  const [first = '', ...rest] = args;
  const own = parseIpv6Interface(first, DEFAULT_IPV6_PREFIX);
  if (own === null || !isHostIpv6(own.address)) return 'Invalid address';
  if (isLinkLocalIpv6(own.address)) return 'Invalid address: the link-local address is made of the MAC';
  let { prefix } = own;
  let gateway: bigint | null = null;
  for (const arg of rest) {
    const digits = arg.replace(/^\//, '');
    const asAddress = parseIpv6(arg);
    if (isNumber(digits)) prefix = Number(digits);
    else if (asAddress === null || !isHostIpv6(asAddress)) return 'Invalid gateway address';
    else gateway = asAddress;
  }
  if (prefix < 1 || prefix > 128) return 'Invalid mask';
  if (gateway === own.address) return 'Invalid gateway address';
  return { address: formatIpv6(own.address), prefix, gateway: gateway === null ? null : formatIpv6(gateway) };
}

/** `ip auto` */
async function autoIpv6(context: PcContext): Promise<void> {
  context.settings.dynamic6 = false;
  const found = await context.host.ipv6.auto(context.signal);
  if (context.signal.aborted) return;
  if (found === null) {
    context.print("Can't find a router: nobody advertises here\n");
    return;
  }
  // The host reports duplicates itself.
  for (const address of found.addresses) context.print(`GLOBAL SCOPE      : ${address}/64\n`);
  const mac = context.host.ipv6.routers().find(({ address }) => address === found.router)?.mac ?? null;
  context.print(`ROUTER LINK-LAYER : ${mac ?? found.router}\n`);
  if (found.managed) return obtainDhcpv6Lease(context);
  if (found.addresses.length > 0 || found.duplicates.length > 0) return;
  context.print('The router advertises no prefix to make an address of.\n');
}

/** `ip dhcp6 [-x]` */
async function dhcpIpv6(context: PcContext, args: readonly string[]): Promise<void> {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== '-x')) {
    context.print('Invalid options\n');
  } else if (option === '-x') {
    context.host.ipv6.releaseDhcp();
    context.settings.dynamic6 = false;
  } else {
    context.settings.dynamic6 = true;
    await obtainDhcpv6Lease(context);
  }
}

async function obtainDhcpv6Lease(context: PcContext): Promise<void> {
  const lease = await context.host.ipv6.dhcp((letter) => context.print(letter), context.signal);
  if (lease === null) return context.print("\nCan't find dhcpv6 server\n");
  const { address, dns, valid_s: valid } = lease;
  const servers = dns.length === 0 ? '' : ` DNS ${dns.join(' ')}`;
  context.print(` IP ${address}/128${valid === null ? '' : ` for ${valid} s`}${servers}\n`);
}

/** `ip dns6 <address> [<address>]` */
function setDns6(context: PcContext, args: readonly string[]): void {
  if (args.length === 0 || args.length > 2) {
    context.print(args.length === 0 ? 'Incomplete command.\n' : 'Invalid options\n');
    return;
  }
  const servers = args.filter((arg) => arg !== '0').map((arg) => parseIpv6(arg));
  if (servers.includes(null)) context.print(`Invalid address: ${args.join(' ')}\n`);
  else context.host.ipv6.ownDns = servers.flatMap((server) => (server === null ? [] : [formatIpv6(server)]));
}

export function clearIpv6(context: PcContext): void {
  context.host.ipv6.clearAddress();
  context.settings.dynamic6 = false;
  context.print('IPv6 addresses, gateway, DNS, and routers cleared\n');
}
