import type { Ipv6Address } from '../../ip-host.ts';
import type { PcContext } from '../command.ts';

const textOf = ({ address, prefix }: Ipv6Address): string => `${address}/${prefix}`;

/** `show ipv6`, in the form of VPCS. */
export function showIpv6(context: PcContext): void {
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

/** Where an address is from, and how long it is good. */
function timesOf({ origin, deprecated, valid_s, preferred_s }: Ipv6Address): string {
  if (origin === 'static') return '';
  const lifetimes = valid_s === null ? '' : `, valid ${valid_s} s, preferred ${preferred_s ?? 'for ever'} s`;
  return ` (${origin}${deprecated ? ', deprecated' : ''}${lifetimes})`;
}

/** `show ipv6 all` */
export function showIpv6Table(context: PcContext): void {
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
export function showNeighbours(context: PcContext): void {
  const lines = context.host.ipv6.neighbours().map(({ address, mac, state, router }) => {
    return `${mac}  ${address} ${state}${router ? ' router' : ''}\n`;
  });
  context.print(`\n${lines.length === 0 ? 'neighbor table is empty\n' : lines.join('')}`);
}
