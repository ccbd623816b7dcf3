import { formatIp, parseIp } from '../../../codecs/ip-address.ts';
import { isLinkLocalIpv6 } from '../../../codecs/ipv6/ipv6-address.ts';
import { means } from '../../host/shell/command.ts';
import { parsePrefix } from '../route-table.ts';
import type { RouterCommand, RouterContext } from './context.ts';
import { interfaceOf } from './interface.ts';
import { routeTable } from './tables.ts';

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
