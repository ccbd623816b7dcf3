import { VERSION } from '../../common/package.ts';
import { formatIp } from '../codecs/ip-address.ts';
import { formatMac } from '../codecs/mac-address.ts';
import type { Model, ModelContext } from '../process/model.ts';
import { routerMacs } from './host-mac.ts';
import { probeOnce } from './host/probes.ts';
import { helpCommand, type ShellKind } from './host/shell/command.ts';
import { httpCommand, httpLines } from './host/shell/commands/http.ts';
import { echoCommand, historyCommand, quitCommand, sleepCommand, versionCommand } from './host/shell/commands/misc.ts';
import { pingCommand } from './host/shell/commands/ping.ts';
import { traceCommand } from './host/shell/commands/trace.ts';
import { loadCommand, saveCommand } from './host/shell/files.ts';
import { Shell } from './host/shell/shell.ts';
import { ADVERTISEMENT } from './router/advertiser.ts';
import {
  clearCommand,
  interfaceCommand,
  noCommand,
  routeCommand,
  type RouterContext,
  showCommand,
} from './router/commands.ts';
import { formatPrefix } from './router/route-table.ts';
import type { RouterInterface } from './router/router-interface.ts';
import { Router } from './router/router.ts';

/**
 * The embedded router: one interface a port, with a shell on its console. No settings. `<directory>/startup.cfg` runs once the node
 * has started.
 */
export function simpleRouter(context: ModelContext): Model {
  const { spec } = context;
  const now = (): number => context.now();
  const timer: ModelContext['timer'] = (ms, run) => context.timer(ms, run);
  const send = (index: number, frame: Uint8Array): void => {
    const port = spec.ports[index];
    if (port !== undefined) context.send(port.adapter_number, port.port_number, frame);
  };
  const report = (text: string): void => shell.tell(text);
  const router = new Router({ macs: routerMacs(spec), now, timer, random: Math.random, send, report });
  const { name, directory } = spec;
  const exit = (output: string): void => context.exit(output);
  const shell: Shell<Router> = new Shell({
    kind: ROUTER,
    name,
    host: router,
    now,
    timer,
    directory,
    exit,
    version: VERSION,
  });
  // The start does not wait for the script, which may take long. Its frames need the ports, which are attached after this call.
  context.timer(0, () => void shell.runStartup());
  return {
    console: shell.sink,
    receive(adapter, port, frame) {
      const index = spec.ports.findIndex((one) => one.adapter_number === adapter && one.port_number === port);
      router.receive(index, frame);
    },
    probe: (...asked) => probeOnce(router, ...asked),
    isStarting: () => shell.isStarting,
    addresses: () => router.interfaces.flatMap((one) => one.globalAddresses()),
    tables: () => ({
      interfaces: router.interfaces.map((one) => ({
        adapter_number: spec.ports[one.number]?.adapter_number ?? 0,
        port_number: spec.ports[one.number]?.port_number ?? one.number,
        addresses: one.isUp ? one.addresses() : [],
        mac: formatMac(one.mac),
        mtu: one.mtu,
      })),
      routes: router.routes.list().map((route) => ({ to: formatPrefix(route), via: formatIp(route.via) })),
      neighbours: router.neighbours().map(({ address, mac }) => ({ address, mac: formatMac(mac) })),
    }),
    configure(next) {
      if (next.ports.length !== spec.ports.length)
        throw new Error('ports can be changed only while the node is stopped');
      shell.rename(next.name);
    },
    stop() {
      shell.stop();
      router.stop();
    },
  };
}

/** The shell of the embedded router, in the style of the embedded PC. */
export const ROUTER: ShellKind<Router> = {
  // Sorted, as the help lists them.
  commands: [
    clearCommand,
    echoCommand,
    helpCommand,
    historyCommand,
    httpCommand,
    interfaceCommand,
    loadCommand,
    noCommand,
    pingCommand,
    quitCommand,
    routeCommand,
    saveCommand,
    showCommand,
    sleepCommand,
    traceCommand,
    versionCommand,
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
    // Before the addresses, which are advertised as soon as they are set.
    ...(advertised.length === 0 ? [] : [`ra ${advertised.join(' ')}`]),
    ...(own === null ? [] : [`ip ${formatIp(own.address)}/${own.prefix}`]),
    ...six.addresses.global().map(({ address, prefix }) => `ip ${formatIp(address)}/${prefix}`),
    ...(isUp ? [] : ['down']),
  ];
  return lines.map((line) => `interface ${number} ${line}`);
}

/** Arguments for the settings that are not the defaults. */
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
