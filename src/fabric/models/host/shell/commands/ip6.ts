import {
  formatIpv6,
  isHostIpv6,
  isLinkLocalIpv6,
  parseIpv6,
  parseIpv6Interface,
} from '../../../../codecs/ipv6/ipv6-address.ts';
import { isNumber, type PcContext } from '../command.ts';

const DEFAULT_PREFIX = 64;

/** `ip <address>[/<prefix>] [<gateway>]` */
export async function setIpv6(context: PcContext, args: readonly string[]): Promise<void> {
  const wish = parseWish(args);
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

function parseWish(args: readonly string[]): { address: string; prefix: number; gateway: string | null } | string {
  const [first = '', ...rest] = args;
  const own = parseIpv6Interface(first, DEFAULT_PREFIX);
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
export async function autoIpv6(context: PcContext): Promise<void> {
  context.settings.dynamic6 = false;
  const found = await context.host.ipv6.auto(context.signal);
  if (context.signal.aborted) return;
  if (found === null) {
    context.print("Can't find a router: nobody advertises here\n");
    return;
  }
  // Those that another host has are told by the host itself.
  for (const address of found.addresses) context.print(`GLOBAL SCOPE      : ${address}/64\n`);
  const mac = context.host.ipv6.routers().find(({ address }) => address === found.router)?.mac ?? null;
  context.print(`ROUTER LINK-LAYER : ${mac ?? found.router}\n`);
  if (found.managed) return obtain(context);
  if (found.addresses.length > 0 || found.duplicates.length > 0) return;
  context.print('The router advertises no prefix to make an address of.\n');
}

/** `ip dhcp6 [-x]` */
export async function dhcpIpv6(context: PcContext, args: readonly string[]): Promise<void> {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== '-x')) {
    context.print('Invalid options\n');
  } else if (option === '-x') {
    context.host.ipv6.releaseDhcp();
    context.settings.dynamic6 = false;
  } else {
    context.settings.dynamic6 = true;
    await obtain(context);
  }
}

async function obtain(context: PcContext): Promise<void> {
  const lease = await context.host.ipv6.dhcp((letter) => context.print(letter), context.signal);
  if (lease === null) return context.print("\nCan't find dhcpv6 server\n");
  const { address, dns, valid_s: valid } = lease;
  const servers = dns.length === 0 ? '' : ` DNS ${dns.join(' ')}`;
  context.print(` IP ${address}/128${valid === null ? '' : ` for ${valid} s`}${servers}\n`);
}

/** `ip dns6 <address> [<address>]` */
export function setDns6(context: PcContext, args: readonly string[]): void {
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
