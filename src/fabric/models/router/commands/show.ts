import { means } from '../../host/shell/command.ts';
import { historyCommand, versionCommand } from '../../host/shell/commands/misc.ts';
import type { RouterCommand } from './context.ts';
import { interfaceTable, neighbourTable, routeTable } from './tables.ts';

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
