import {
  broadcastOf,
  formatIp,
  formatIpv4,
  formatIpv6,
  isHostIpv4,
  isHostIpv6,
  isLinkLocalIpv6,
  networkOf,
  parseInterface,
  parseIp,
  parseIpv6,
  parseIpv6Interface,
} from '../../codecs/ip-address.ts';
import { formatMac } from '../../codecs/mac-address.ts';
import { type Command, type CommandContext, isNumber, means } from '../host/shell/command.ts';
import { historyCommand, versionCommand } from '../host/shell/commands/misc.ts';
import type { AdvertisementSettings } from './advertiser.ts';
import { formatPrefix, parsePrefix } from './route-table.ts';
import type { RouterInterface } from './router-interface.ts';
import type { Router } from './router.ts';

export type RouterContext = CommandContext<Router>;
type RouterCommand = Command<Router>;

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

/** The interface of a number; null after printing which there are. */
function interfaceOf(context: RouterContext, number: string): RouterInterface | null {
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

const FLAGS = new Map<string, Partial<AdvertisementSettings>>([
  ['on', { on: true }],
  ['off', { on: false }],
  ['managed', { managed: true }],
  ['unmanaged', { managed: false }],
  ['other', { other: true }],
  ['noother', { other: false }],
]);
/** Seconds, RFC 4861 section 6.2.1. */
const NUMBERS = new Map([
  ['lifetime', { from: 0, upTo: 65_535 }],
  ['interval', { from: 4, upTo: 1800 }],
]);

/** `interface <n> ra …`: takes all settings or, when one is wrong, none. */
function advertise(context: RouterContext, { advertiser }: RouterInterface, args: readonly string[]): void {
  let settings = advertiser.settings;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const flag = FLAGS.get(word);
    const change = flag ?? valueOf(word, args[at + 1]);
    if (change === null) return context.print(`Invalid value: ${args.slice(at, at + 2).join(' ')}\n`);
    if (flag === undefined) at += 1;
    settings = { ...settings, ...change };
  }
  advertiser.settings = settings;
}

function valueOf(word: string, value: string | undefined): Partial<AdvertisementSettings> | null {
  if (word === 'dns') {
    const server = parseIpv6(value ?? '');
    return value === 'none' ? { dns: [] } : server === null ? null : { dns: [server] };
  }
  const range = NUMBERS.get(word);
  const number = isNumber(value) ? Number(value) : -1;
  return range === undefined || number < range.from || number > range.upTo ? null : { [word]: number };
}

const NO_PREFIX = 'Write the destination like 10.1.0.0/16, 2001:db8:1::/48, default or default6\n';

export const routeCommand: RouterCommand = {
  name: 'route',
  usage: '[<prefix> <router> [<n>]]',
  summary: 'Add a static route; alone: list the routes',
  help: `
route                                List the routes
route <prefix> <router> [<n>]        Packets to the prefix go by this router (of interface <n>)
route default <router>               Those of IPv4 that no other route is for; default6: of IPv6
no route <prefix> [<router>]         Remove it
  The longest prefix counts. A link-local router (fe80::…) needs the number of its interface.
`,
  run(context, [prefix, via, port]) {
    if (prefix === undefined) return context.print(routeTable(context.host));
    addRoute(context, prefix, { via, port });
  },
};

export const noCommand: RouterCommand = {
  name: 'no',
  usage: 'route <prefix> [<router>]',
  summary: 'Remove a static route',
  help: '\nno route <prefix> [<router>]\n  Removes the routes to the prefix, or the one by this router.\n',
  run(context, [word, text = '', by]) {
    if (!means(word, 'route')) return context.print(noCommand.help);
    const prefix = parsePrefix(text);
    const via = by === undefined ? null : parseIp(by);
    if (prefix === null) return context.print(NO_PREFIX);
    if (by !== undefined && via === null) return context.print(`Invalid address: ${by}\n`);
    if (!context.host.routes.remove(prefix, via)) context.print(`There is no such route to ${text}\n`);
  },
};

function addRoute(
  context: RouterContext,
  text: string,
  to: { via: string | undefined; port: string | undefined },
): void {
  const { host } = context;
  const prefix = parsePrefix(text);
  const via = to.via === undefined ? null : parseIp(to.via);
  if (prefix === null) return context.print(NO_PREFIX);
  if (via === null || typeof via !== typeof prefix.network) {
    return context.print(`Name the router by its IPv${typeof prefix.network === 'bigint' ? 6 : 4} address\n`);
  }
  if (host.isOwn(via)) return context.print(`${formatIp(via)} is this router itself\n`);
  const out = to.port === undefined ? null : interfaceOf(context, to.port);
  if (to.port !== undefined && out === null) return;
  if (out === null && typeof via === 'bigint' && isLinkLocalIpv6(via)) {
    return context.print('A link-local router needs the number of its interface\n');
  }
  if (!host.routes.add({ ...prefix, via, port: out?.number ?? null })) context.print('There are too many routes\n');
}

export const showCommand: RouterCommand = {
  name: 'show',
  usage: '[arguments]',
  summary: 'Show interfaces (default), routes, neighbours, the configuration',
  help: `
show [interface|ip|ipv6|route|arp|neighbor|config|history|version]
    interface  Interfaces with their addresses; ip and ipv6 say the same
    route      Connected and static routes of both families
    arp        Neighbours over IPv4
    neighbor   Neighbours over IPv6 and what is known of them
    config     The commands that save writes
    history    Commands typed
    version    Version of Topolog
`,
  run(context, [word]) {
    const { host } = context;
    if (word === undefined || ['interface', 'ip', 'ipv6'].some((name) => means(word, name))) {
      return context.print(interfaceTable(host));
    }
    if (means(word, 'route')) return context.print(routeTable(host));
    if (means(word, 'arp')) return context.print(neighbourTable(host, false));
    if (means(word, 'neighbor')) return context.print(neighbourTable(host, true));
    if (means(word, 'config')) return context.print(`\n${context.kind.configuration(context).join('\n')}\n`);
    if (means(word, 'version')) return versionCommand.run(context, []);
    if (means(word, 'history')) return historyCommand.run(context, []);
    return context.print('Invalid arguments\n');
  },
};

export const clearCommand: RouterCommand = {
  name: 'clear',
  usage: 'arp | neighbor',
  summary: 'Forget the neighbours',
  help: '\nclear arp | neighbor\n  Forgets the neighbours over IPv4, or over IPv6.\n',
  run(context, [word]) {
    const { interfaces } = context.host;
    if (means(word, 'arp')) for (const { arp } of interfaces) arp.clear();
    else if (means(word, 'neighbor')) for (const { six } of interfaces) six.neighbours.clear();
    else context.print(clearCommand.help);
  },
};

/** Aligned columns; the first row is the head. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `\n${lines.join('\n')}\n`;
}

function interfaceTable(router: Router, only?: RouterInterface): string {
  const shown = only === undefined ? router.interfaces : [only];
  const rows = shown.flatMap((one) => {
    const { on, lifetime } = one.advertiser.settings;
    const advertises = on ? `ra ${lifetime} s` : 'ra off';
    const head = [String(one.number), one.isUp ? 'up' : 'down', String(one.mtu), formatMac(one.mac), advertises];
    return one.addresses().map((address, index) => [...(index === 0 ? head : ['', '', '', '', '']), address]);
  });
  return table([['N', 'STATE', 'MTU', 'MAC', 'ADVERTISES', 'ADDRESS'], ...rows]);
}

function routeTable(router: Router): string {
  const connected = router.interfaces.flatMap((one) =>
    one.prefixes().map((prefix) => [formatPrefix(prefix), 'connected', String(one.number)]),
  );
  const given = router.routes.list().map((route) => {
    const hop = router.hop(route.via);
    return [formatPrefix(route), formatIp(route.via), route.port ?? hop?.out.number ?? 'not reachable'].map(String);
  });
  return table([['DESTINATION', 'ROUTER', 'INTERFACE'], ...connected, ...given]);
}

function neighbourTable(router: Router, isIpv6: boolean): string {
  const found = router.neighbours().filter(({ address }) => address.includes(':') === isIpv6);
  if (found.length === 0) return isIpv6 ? '\nneighbor table is empty\n' : '\narp table is empty\n';
  const rows = found.map(({ address, mac, port, state }) => [address, formatMac(mac), String(port), state]);
  return table([['ADDRESS', 'MAC', 'INTERFACE', 'STATE'], ...rows]);
}
