import { formatIp } from '../../codecs/ip-address.ts';
import type { ShellKind } from '../host/shell/command.ts';
import { echoCommand, historyCommand, quitCommand, sleepCommand, versionCommand } from '../host/shell/commands/misc.ts';
import { httpCommand, httpLines } from '../host/shell/commands/http.ts';
import { pingCommand } from '../host/shell/commands/ping.ts';
import { traceCommand } from '../host/shell/commands/trace.ts';
import { helpCommand } from '../host/shell/commands.ts';
import { loadCommand, saveCommand } from '../host/shell/files.ts';
import { ADVERTISEMENT } from './advertiser.ts';
import type { RouterContext } from './commands/context.ts';
import { interfaceCommand } from './commands/interface.ts';
import { noCommand, routeCommand } from './commands/route.ts';
import { clearCommand, showCommand } from './commands/show.ts';
import { formatPrefix } from './route-table.ts';
import type { Router } from './router.ts';
import type { RouterInterface } from './router-interface.ts';

/** The shell of the embedded router, in the style of the embedded PC. */
export const ROUTER: ShellKind<Router> = {
  // Sorted, as the help lists them.
  commands: [
    ...[
      clearCommand,
      echoCommand,
      helpCommand,
      historyCommand,
      httpCommand,
      interfaceCommand,
      loadCommand,
      noCommand,
      pingCommand,
    ],
    ...[quitCommand, routeCommand, saveCommand, showCommand, sleepCommand, traceCommand, versionCommand],
  ],
  startupFile: 'startup.cfg',
  ending: '.cfg',
  title: (version) => `Topolog ${version}, embedded router\nIt has static routes of IPv4 and IPv6.`,
  configuration: ({ host, settings }: RouterContext) => [
    ...host.interfaces.flatMap(interfaceLines),
    ...host.routes.list().map((route) => {
      const port = route.port === null ? '' : ` ${route.port}`;
      return `route ${formatPrefix(route)} ${formatIp(route.via)}${port}`;
    }),
    ...httpLines({ host, settings }),
  ],
};

function interfaceLines({ number, ip, six, isUp, mtu, advertiser }: RouterInterface): string[] {
  const own = ip.configuration;
  const advertised = advertisedWords(advertiser.settings);
  const lines = [
    ...(mtu === 1500 ? [] : [`mtu ${mtu}`]),
    // Before the addresses, which are advertised at once.
    ...(advertised.length === 0 ? [] : [`ra ${advertised.join(' ')}`]),
    ...(own === null ? [] : [`ip ${formatIp(own.address)}/${own.prefix}`]),
    ...six.addresses.global().map(({ address, prefix }) => `ip ${formatIp(address)}/${prefix}`),
    ...(isUp ? [] : ['down']),
  ];
  return lines.map((line) => `interface ${number} ${line}`);
}

/** What is not as it is without being said. */
function advertisedWords({
  on,
  lifetime,
  interval,
  managed,
  other,
  dns,
}: RouterInterface['advertiser']['settings']): string[] {
  return [
    ...(on ? [] : ['off']),
    ...(lifetime === ADVERTISEMENT.lifetime ? [] : ['lifetime', String(lifetime)]),
    ...(interval === ADVERTISEMENT.interval ? [] : ['interval', String(interval)]),
    ...(managed ? ['managed'] : []),
    ...(other ? ['other'] : []),
    ...dns.flatMap((server) => ['dns', formatIp(server)]),
  ];
}
