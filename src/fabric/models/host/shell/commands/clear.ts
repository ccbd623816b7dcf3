import { means, type PcCommand } from '../command.ts';
import { clearIp, clearIpv6 } from './ip.ts';

export const clearCommand: PcCommand = {
  name: 'clear',
  usage: '[arguments]',
  summary: 'Clear addresses, the tables of neighbours, the history',
  help: `
clear [ip|ipv6|arp|neighbor|hist]
    ip         Removes address, mask, gateway, DNS servers and DHCP lease
    ipv6       Removes IPv6 addresses, gateway, DNS servers and routers
    arp        Empties the ARP table
    neighbor   Empties the table of neighbours over IPv6
    hist       Forgets the commands typed
`,
  run(context, args) {
    const [word] = args;
    if (word === undefined) context.print(clearCommand.help);
    else if (word === 'ip') clearIp(context);
    else if (means(word, 'ipv6')) clearIpv6(context);
    else if (means(word, 'neighbor')) context.host.ipv6.clearNeighbours();
    else if (means(word, 'arp')) context.host.clearArp();
    else if (means(word, 'history')) context.clearHistory();
    else context.print('Invalid options\n');
  },
};
