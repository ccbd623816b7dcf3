import { means, type Command } from '../command.ts';
import { clearIp } from './ip.ts';

export const clearCommand: Command = {
  name: 'clear',
  usage: '[arguments]',
  summary: 'Clear the address, the ARP table, the history',
  help: `
clear [ip|arp|hist]
    ip     Removes address, mask, gateway, DNS servers and DHCP lease
    arp    Empties the ARP table
    hist   Forgets the commands typed
`,
  run(context, args) {
    const [word] = args;
    if (word === undefined) context.print(clearCommand.help);
    else if (word === 'ip') clearIp(context);
    else if (means(word, 'ipv6') || means(word, 'neighbor')) context.print('IPv6 is not supported by this PC\n');
    else if (means(word, 'arp')) context.host.clearArp();
    else if (means(word, 'history')) context.clearHistory();
    else context.print('Invalid options\n');
  },
};
