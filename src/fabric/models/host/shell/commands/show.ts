import type { IpHost, Ipv6Address } from '../../ip-host.ts';
import { means, type PcCommand, type PcContext } from '../command.ts';
import { historyCommand, versionCommand } from './misc.ts';

export const showCommand: PcCommand = {
  name: 'show',
  usage: '[arguments]',
  summary: 'Show this PC (default), its addresses, ARP table, history',
  help: `
show [arp|dump|echo|history|ip [all]|ipv6 [all]|neighbor|version]
    arp        ARP table
    dump       Where to find packets
    echo       Whether a script's commands are shown as they are run
    history    Commands typed
    ip         Name, address, mask, gateway, DNS, DHCP lease, MAC and MTU
    ip all     The same in one line
    ipv6       Link-local and global addresses, DNS, router, MAC and MTU
    ipv6 all   The same as a table
    neighbor   Neighbours over IPv6 and what is known of them
    version    Version of Topolog
`,
  run(context, args) {
    const [word] = args;
    if (word === undefined) return showSummary(context);
    // This order gives abbreviations the meaning that they have in VPCS.
    if (means(word, 'arp')) return showArp(context);
    if (means(word, 'dump')) return context.print(`\ndump flags: (none)\n${CAPTURE_HINT}`);
    if (word === 'ip') return means(args[1], 'all') ? showIpTable(context) : showIp(context);
    if (means(word, 'ipv6')) return means(args[1], 'all') ? showIpv6Table(context) : showIpv6(context);
    if (means(word, 'echo')) return context.print(`\nEcho ${context.settings.echo ? 'On' : 'Off'}\n`);
    if (means(word, 'version')) return versionCommand.run(context, []);
    if (means(word, 'neighbor')) return showNeighbours(context);
    if (means(word, 'history')) return historyCommand.run(context, []);
    return context.print('Invalid arguments\n');
  },
};

export const arpCommand: PcCommand = {
  name: 'arp',
  usage: '',
  summary: 'Shortcut for: show arp. Show the ARP table',
  help: '\narp\n  Shows the ARP table, like show arp.\n',
  run: showArp,
};

export const CAPTURE_HINT = 'To see packets, start a capture on the link of this PC.\n';

/** Constant columns, kept for scripts: this PC has no UDP ports of its own, as its links are cables in the fabric. */
const NO_PORT = { lport: '0', remote: '0.0.0.0:0' };

const addressOf = (host: IpHost): string => `${host.settings?.address ?? '0.0.0.0'}/${host.settings?.prefix ?? 0}`;
const gatewayOf = (host: IpHost): string => host.settings?.gateway ?? '0.0.0.0';

/** Columns begin as in VPCS; a longer text is followed by a space. */
function row(columns: readonly [width: number, text: string][]): string {
  return columns
    .map(([width, text]) => (text.length < width ? text.padEnd(width) : `${text} `))
    .join('')
    .trimEnd();
}

const identity = (context: PcContext): [number, string][] => [
  [7, context.settings.name],
  [21, addressOf(context.host)],
  [18, gatewayOf(context.host)],
  [19, context.host.mac],
];
const IDENTITY_HEADER: [number, string][] = [
  [7, 'NAME'],
  [21, 'IP/MASK'],
  [18, 'GATEWAY'],
  [19, 'MAC'],
];

function showSummary(context: PcContext): void {
  const ports: [number, string][] = [
    [7, NO_PORT.lport],
    [0, NO_PORT.remote],
  ];
  const header = row([...IDENTITY_HEADER, [7, 'LPORT'], [0, 'RHOST:PORT']]);
  const addresses = context.host.ipv6.addresses().map(({ address, prefix }) => `       ${address}/${prefix}\n`);
  context.print(`\n${header}\n${row([...identity(context), ...ports])}\n${addresses.join('')}`);
}

function showIpTable(context: PcContext): void {
  const header = row([...IDENTITY_HEADER, [0, 'DNS']]);
  context.print(`\n${header}\n${row([...identity(context), [0, context.host.dns.join(' ')]])}\n`);
}

function showIp(context: PcContext): void {
  const { host, settings } = context;
  const domain = host.domain ?? host.lease?.domain ?? null;
  const fields: [string, string][] = [
    ['NAME', `${settings.name}[1]`],
    ['IP/MASK', addressOf(host)],
    ['GATEWAY', gatewayOf(host)],
    ['DNS', host.dns.map((server) => `${server}  `).join('')],
    ...leaseFields(context),
    ...(domain === null ? [] : [['DOMAIN NAME', domain] satisfies [string, string]]),
    ['MAC', host.mac],
    ['LPORT', NO_PORT.lport],
    ['RHOST:PORT', NO_PORT.remote],
    ['MTU', String(host.mtu)],
  ];
  context.print(`\n${fields.map(([name, value]) => `${name.padEnd(12)}: ${value}\n`).join('')}`);
}

/** Seconds left, then the lease and the renewal and rebinding times (RFC 2131, section 4.4.5: a half and seven eighths). */
function leaseFields(context: PcContext): [string, string][] {
  const { lease } = context.host;
  if (lease === null) return [];
  const left = Math.max(0, Math.round(lease.seconds - (context.now() - lease.obtained) / 1000));
  const times = [lease.seconds, Math.floor(lease.seconds / 2), Math.floor((lease.seconds * 7) / 8)];
  return [
    ['DHCP SERVER', lease.server],
    ['DHCP LEASE', `${left}, ${times.join('/')}`],
  ];
}

function showArp(context: PcContext): void {
  const entries = context.host.arpTable();
  const lines = entries.map((e) => `${e.mac}  ${e.address} expires in ${Math.round(e.expires_s)} seconds \n`);
  context.print(`\n${lines.length === 0 ? 'arp table is empty\n' : lines.join('')}`);
}

const textOf = ({ address, prefix }: Ipv6Address): string => `${address}/${prefix}`;

/** `show ipv6`, in the form of VPCS. */
function showIpv6(context: PcContext): void {
  const { host, settings } = context;
  const { ipv6 } = host;
  const all = ipv6.addresses();
  const global = all.filter(({ origin }) => origin !== 'link-local');
  const routers = ipv6.routers();
  const fields: [string, string][] = [
    ['NAME', `${settings.name}[1]`],
    ['LINK-LOCAL SCOPE', `${ipv6.linkLocal}/64`],
    ...(global.length === 0 ? [['GLOBAL SCOPE', ''] satisfies [string, string]] : []),
    ...global.map((one): [string, string] => ['GLOBAL SCOPE', `${textOf(one)}${timesOf(one)}`]),
    ['DNS', ipv6.dns.join('  ')],
    ['GATEWAY', ipv6.gateway ?? routers[0]?.address ?? ''],
    ['ROUTER LINK-LAYER', routers[0]?.mac ?? ''],
    ['MAC', host.mac],
    ['LPORT', '0'],
    ['RHOST:PORT', '0.0.0.0:0'],
    ['MTU', String(host.mtu)],
  ];
  context.print(`\n${fields.map(([name, value]) => `${name.padEnd(18)}: ${value}`.trimEnd()).join('\n')}\n`);
}

/** Origin and lifetimes of an address. */
function timesOf({ origin, deprecated, valid_s, preferred_s }: Ipv6Address): string {
  if (origin === 'static') return '';
  const lifetimes = valid_s === null ? '' : `, valid ${valid_s} s, preferred ${preferred_s ?? 'for ever'} s`;
  return ` (${origin}${deprecated ? ', deprecated' : ''}${lifetimes})`;
}

/** `show ipv6 all` */
function showIpv6Table(context: PcContext): void {
  const { host, settings } = context;
  const row = (name: string, address: string, mac: string, mtu: string): string =>
    `${name.padEnd(7)}${address.padEnd(45)}${mac.padEnd(19)}${mtu}`.trimEnd();
  const [router] = host.ipv6.routers();
  const rows = host.ipv6
    .addresses()
    .map((one, index, all) =>
      row(
        index === 0 ? settings.name : '',
        textOf(one),
        ...(index === all.length - 1 ? last(router?.mac, host.mtu) : EMPTY),
      ),
    );
  context.print(`\n${[row('NAME', 'IP/MASK', 'ROUTER LINK-LAYER', 'MTU'), ...rows].join('\n')}\n`);
}

const EMPTY: [string, string] = ['', ''];
const last = (mac: string | null | undefined, mtu: number): [string, string] => [mac ?? '', String(mtu)];

/** `show neighbor` */
function showNeighbours(context: PcContext): void {
  const lines = context.host.ipv6.neighbours().map(({ address, mac, state, router }) => {
    return `${mac}  ${address} ${state}${router ? ' router' : ''}\n`;
  });
  context.print(`\n${lines.length === 0 ? 'neighbor table is empty\n' : lines.join('')}`);
}
