import type { Model, ModelContext } from '../model.ts';
import { hostMac } from './host-mac.ts';
import { createShell } from './host/shell/shell.ts';
import { createIpHost } from './host/stack.ts';
import { packageVersion } from './package-version.ts';

/**
 * The embedded simple PC: an IPv4 host on the node's first port, with a shell on its console.
 * Settings: `{mac?: string}`. `<directory>/startup.vpc` runs once the node has started.
 */
export function host(context: ModelContext): Model {
  const { spec } = context;
  const mac = hostMac(spec);
  const { adapter_number: adapter, port_number: port } = spec.ports[0] ?? { adapter_number: 0, port_number: 0 };
  const ip = createIpHost({
    mac,
    now: () => context.now(),
    timer: (ms, run) => context.timer(ms, run),
    send: (frame) => context.send(adapter, port, frame),
    random: Math.random,
    hostName: spec.name,
  });
  const shell = createShell({
    name: spec.name,
    host: ip,
    now: () => context.now(),
    timer: (ms, run) => context.timer(ms, run),
    directory: spec.directory,
    exit: (output) => context.exit(output),
    version: packageVersion(),
  });
  // The script may ping for minutes: the start does not wait for it. Its frames need the ports, which come after this call.
  context.timer(0, () => void shell.runStartup());
  return {
    receive: (_adapter, _port, frame) => ip.receive(frame),
    configure(next) {
      if (hostMac(next) !== mac) throw new Error('mac can be changed only while the node is stopped');
      shell.rename(next.name);
    },
    console: shell.sink,
    stop() {
      shell.stop();
      ip.stop();
    },
  };
}
