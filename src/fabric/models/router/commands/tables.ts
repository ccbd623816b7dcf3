import { formatIp } from '../../../codecs/ip-address.ts';
import { formatMac } from '../../../codecs/mac-address.ts';
import { formatPrefix } from '../route-table.ts';
import type { Router } from '../router.ts';
import type { RouterInterface } from '../router-interface.ts';

/** Rows as wide as their widest text, the first row being the head. */
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

export function interfaceTable(router: Router, only?: RouterInterface): string {
  const shown = only === undefined ? router.interfaces : [only];
  const rows = shown.flatMap((one) => {
    const { on, lifetime } = one.advertiser.settings;
    const advertises = on ? `ra ${lifetime} s` : 'ra off';
    const head = [String(one.number), one.isUp ? 'up' : 'down', String(one.mtu), formatMac(one.mac), advertises];
    return one.addresses().map((address, index) => [...(index === 0 ? head : ['', '', '', '', '']), address]);
  });
  return table([['N', 'STATE', 'MTU', 'MAC', 'ADVERTISES', 'ADDRESS'], ...rows]);
}

export function routeTable(router: Router): string {
  const connected = router.interfaces.flatMap((one) =>
    one.prefixes().map((prefix) => [formatPrefix(prefix), 'connected', String(one.number)]),
  );
  const given = router.routes.list().map((route) => {
    const hop = router.hop(route.via);
    return [formatPrefix(route), formatIp(route.via), route.port ?? hop?.out.number ?? 'not reachable'].map(String);
  });
  return table([['DESTINATION', 'ROUTER', 'INTERFACE'], ...connected, ...given]);
}

/** Of one family. */
export function neighbourTable(router: Router, isIpv6: boolean): string {
  const found = router.neighbours().filter(({ address }) => address.includes(':') === isIpv6);
  if (found.length === 0) return isIpv6 ? '\nneighbor table is empty\n' : '\narp table is empty\n';
  const rows = found.map(({ address, mac, port, state }) => [address, formatMac(mac), String(port), state]);
  return table([['ADDRESS', 'MAC', 'INTERFACE', 'STATE'], ...rows]);
}
