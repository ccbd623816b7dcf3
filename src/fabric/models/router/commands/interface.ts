import { formatIp, parseIp } from '../../../codecs/ip-address.ts';
import { broadcastOf, formatIpv4, isHostIpv4, networkOf, parseInterface } from '../../../codecs/ipv4-address.ts';
import { formatIpv6, isHostIpv6, isLinkLocalIpv6, parseIpv6Interface } from '../../../codecs/ipv6/ipv6-address.ts';
import { isNumber, means } from '../../host/shell/command.ts';
import type { RouterInterface } from '../router-interface.ts';
import { advertise } from './advertise.ts';
import type { RouterCommand, RouterContext } from './context.ts';
import { interfaceTable } from './tables.ts';

/** IPv6 needs 1280 (RFC 8200); the length field of IPv4 has 16 bits. */
const MTU = { from: 1280, upTo: 65_535 };

export const interfaceCommand: RouterCommand = {
  name: 'interface',
  usage: '[<number> …]',
  summary: 'Set the addresses of an interface; alone: list them',
  help: `
interface                                List the interfaces
interface <n> ip <address>/<prefix>      Set its IPv4 address, or add an IPv6 address
interface <n> no ip [<address>]          Remove its IPv4 address and all of IPv6, or this one
interface <n> mtu <octets>               Largest packet, ${MTU.from} to ${MTU.upTo}
interface <n> up | down
interface <n> ra on | off                Router advertisements, on as soon as it has an IPv6 address
interface <n> ra [lifetime <s>] [interval <s>] [dns <ipv6>] [managed|unmanaged] [other|noother]
  lifetime   As a default router, 0 to 65535, default 1800; 0: hosts do not take it as one
  interval   Between two advertisements, 4 to 1800, default 200
  dns        Name server that hosts are told; none removes it
  managed    Hosts get their addresses by DHCPv6; other: other settings
`,
  async run(context, args) {
    const [number, word, ...rest] = args;
    if (number === undefined) return context.print(interfaceTable(context.host));
    const found = interfaceOf(context, number);
    if (found === null) return;
    if (word === undefined) return context.print(interfaceTable(context.host, found));
    if (means(word, 'no') && means(rest[0], 'ip')) return removeAddress(context, found, rest[1]);
    if (means(word, 'ip')) return setAddress(context, found, rest);
    if (means(word, 'mtu')) return setMtu(context, found, rest);
    if (means(word, 'ra')) return advertise(context, found, rest);
    if (word === 'up' || word === 'down') found.isUp = word === 'up';
    else context.print('Invalid command.\n');
  },
};

/** Null after saying which there are. */
export function interfaceOf(context: RouterContext, number: string): RouterInterface | null {
  const found = isNumber(number) ? context.host.interfaces[Number(number)] : undefined;
  if (found !== undefined) return found;
  context.print(`There is no interface ${number}; there are 0 to ${context.host.interfaces.length - 1}\n`);
  return null;
}

async function setAddress(context: RouterContext, out: RouterInterface, args: readonly string[]): Promise<void> {
  const [text = '', ...others] = args;
  if (others.length > 0 || text === '') return context.print('Write it like 10.0.0.1/24 or 2001:db8::1/64\n');
  const address = parseIp(text.split('/')[0] ?? '');
  if (address !== null && context.host.interfaces.some((one) => one !== out && one.isOwn(address))) {
    return context.print(`${formatIp(address)} is the address of another interface of this router\n`);
  }
  return text.includes(':') ? addIpv6(context, out, text) : setIpv4(context, out, text);
}

async function setIpv4(context: RouterContext, out: RouterInterface, text: string): Promise<void> {
  const wish = parseInterface(text, 24);
  if (wish === null || !isHostIpv4(wish.address)) return context.print(`Invalid address: ${text}\n`);
  const { address, prefix } = wish;
  const isOfAll = address === networkOf(address, prefix) || address === broadcastOf(address, prefix);
  if (prefix < 31 && isOfAll) return context.print(`Invalid host address: ${text}\n`);
  if (await out.arp.inUse(address, context.signal)) return context.print(`${formatIpv4(address)} is being used\n`);
  if (context.signal.aborted) return;
  out.ip.configuration = { address, prefix, gateway: null };
  out.arp.clear();
  out.arp.announce(address);
}

async function addIpv6(context: RouterContext, out: RouterInterface, text: string): Promise<void> {
  const wish = parseIpv6Interface(text, 64);
  if (wish === null || !isHostIpv6(wish.address)) return context.print(`Invalid address: ${text}\n`);
  if (isLinkLocalIpv6(wish.address)) {
    return context.print('Invalid address: the link-local address is made of the MAC\n');
  }
  const forEver = { preferredUntil: Infinity, validUntil: Infinity };
  const isOurs = await out.six.assign({ ...wish, origin: 'static', ...forEver }, context.signal);
  if (isOurs) out.advertiser.begin();
  else if (!context.signal.aborted) {
    context.print(`${formatIpv6(wish.address)} is being used, or there are too many addresses\n`);
  }
}

function removeAddress(context: RouterContext, out: RouterInterface, text: string | undefined): void {
  const address = text === undefined ? null : parseIp(text.split('/')[0] ?? '');
  if (text !== undefined && (address === null || !out.isOwn(address))) {
    return context.print(`Interface ${out.number} has no address ${text}\n`);
  }
  if (address === null || typeof address === 'number') out.ip.configuration = null;
  if (typeof address !== 'number') out.six.addresses.remove((own) => address === null || own.address === address);
  out.advertiser.begin();
}

function setMtu(context: RouterContext, out: RouterInterface, [value]: readonly string[]): void {
  const octets = isNumber(value) ? Number(value) : 0;
  if (octets >= MTU.from && octets <= MTU.upTo) out.mtu = octets;
  else context.print(`Invalid MTU, should be ${MTU.from} to ${MTU.upTo}\n`);
}
