import type { IpHost } from '../ip-host.ts';
import { helpCommand, type PcContext, type ShellKind } from './command.ts';
import { clearCommand } from './commands/clear.ts';
import { dhcpCommand } from './commands/dhcp.ts';
import { httpCommand, httpLines } from './commands/http.ts';
import { ipCommand } from './commands/ip.ts';
import {
  disconnectCommand,
  echoCommand,
  historyCommand,
  quitCommand,
  relayCommand,
  rloginCommand,
  sleepCommand,
  versionCommand,
} from './commands/misc.ts';
import { pingCommand } from './commands/ping.ts';
import { setCommand } from './commands/set.ts';
import { arpCommand, showCommand } from './commands/show.ts';
import { traceCommand } from './commands/trace.ts';
import { loadCommand, saveCommand } from './files.ts';

/** The shell of the embedded PC: VPCS 0.8's commands and output forms. */
export const PC: ShellKind<IpHost> = {
  // Sorted, as the help lists them.
  commands: [
    arpCommand,
    clearCommand,
    dhcpCommand,
    disconnectCommand,
    echoCommand,
    helpCommand,
    historyCommand,
    httpCommand,
    ipCommand,
    loadCommand,
    pingCommand,
    quitCommand,
    relayCommand,
    rloginCommand,
    saveCommand,
    setCommand,
    showCommand,
    sleepCommand,
    traceCommand,
    versionCommand,
  ],
  startupFile: 'startup.vpc',
  ending: '.vpc',
  title: (version) => `Topolog ${version}, embedded PC\nIts commands are compatible with those of VPCS.`,
  configuration,
};

/** With DHCP only `dhcp` is saved, as the server gives the other settings; VPCS does the same. */
function configuration(context: PcContext): string[] {
  const { settings, host } = context;
  const lines = [`set pcname ${settings.name}`];
  if (settings.dynamic) lines.push('dhcp');
  else {
    if (host.settings !== null) {
      const { address, gateway, prefix } = host.settings;
      lines.push(['ip', address, ...(gateway === null ? [] : [gateway]), prefix].join(' '));
    }
    if (host.domain !== null) lines.push(`ip domain ${host.domain}`);
    if (host.dns.length > 0) lines.push(`ip dns ${host.dns.slice(0, 2).join(' ')}`);
  }
  if (host.mtu !== 1500) lines.push(`set mtu ${host.mtu}`);
  return [...lines, ...configurationIpv6(context), ...httpLines({ host, settings })];
}

function configurationIpv6({ host: { ipv6 }, settings }: PcContext): string[] {
  const lines = [...(ipv6.isAuto ? ['ip auto'] : []), ...(settings.dynamic6 ? ['ip dhcp6'] : [])];
  for (const { address, prefix, origin } of ipv6.addresses()) {
    if (origin === 'static')
      lines.push(['ip', `${address}/${prefix}`, ...(ipv6.gateway === null ? [] : [ipv6.gateway])].join(' '));
  }
  if (ipv6.ownDns.length > 0) lines.push(`ip dns6 ${ipv6.ownDns.slice(0, 2).join(' ')}`);
  return lines;
}
