import type { ConsoleSink } from '../console/console.ts';
import type { Model, ModelContext } from '../process/model.ts';
import type { NodeSpec, NodeTables } from '../protocol.ts';
import { hostMac } from './host-mac.ts';
import type { IpHost } from './host/ip-host.ts';
import { PC } from './host/shell/pc.ts';
import { probeOnce } from './host/probes.ts';
import { Shell } from './host/shell/shell.ts';
import { createIpHost } from './host/stack.ts';
import { VERSION } from '../../common/package.ts';

/**
 * The embedded simple PC: a host of both families on the node's first port, with a shell on its console.
 * Settings: `{mac?: string}`. `<directory>/startup.vpc` runs once the node has started.
 */
export function host(context: ModelContext): Model {
  const { spec } = context;
  const mac = hostMac(spec);
  const { adapter_number: adapter, port_number: port } = spec.ports[0] ?? { adapter_number: 0, port_number: 0 };
  const now = (): number => context.now();
  const timer: ModelContext['timer'] = (ms, run) => context.timer(ms, run);
  const send = (frame: Uint8Array): void => context.send(adapter, port, frame);
  const report = (text: string): void => shell.tell(text);
  const ip = createIpHost({ mac, now, timer, send, random: Math.random, hostName: spec.name, report });
  const { name, directory } = spec;
  const exit = (output: string): void => context.exit(output);
  const shell: Shell<IpHost> = new Shell({ kind: PC, name, host: ip, now, timer, directory, exit, version: VERSION });
  // The script may ping for minutes: the start does not wait for it. Its frames need the ports, which come after this call.
  context.timer(0, () => void shell.runStartup());
  return new SimplePc(ip, shell, mac, { adapter_number: adapter, port_number: port });
}

class SimplePc implements Model {
  readonly console: ConsoleSink;
  readonly #ip: IpHost;
  readonly #shell: Shell<IpHost>;
  readonly #mac: string;

  readonly #port: NodeSpec['ports'][number];

  constructor(ip: IpHost, shell: Shell<IpHost>, mac: string, port: NodeSpec['ports'][number]) {
    this.#port = port;
    this.console = shell.sink;
    this.#ip = ip;
    this.#shell = shell;
    this.#mac = mac;
  }

  receive(_adapter: number, _port: number, frame: Uint8Array): void {
    this.#ip.receive(frame);
  }

  addresses(): string[] {
    const own = this.#ip.settings === null ? [] : [this.#ip.settings.address];
    const ipv6 = this.#ip.ipv6.addresses().filter(({ origin }) => origin !== 'link-local');
    return [...own, ...ipv6.map(({ address }) => address)];
  }

  isStarting(): boolean {
    return this.#shell.isStarting;
  }

  probe(...asked: Parameters<NonNullable<Model['probe']>>): ReturnType<NonNullable<Model['probe']>> {
    return probeOnce(this.#ip, ...asked);
  }

  configure(next: NodeSpec): void {
    if (hostMac(next) !== this.#mac) throw new Error('mac can be changed only while the node is stopped');
    this.#shell.rename(next.name);
  }

  tables(): NodeTables {
    const { adapter_number, port_number } = this.#port;
    const { settings, mtu, ipv6: six } = this.#ip;
    // Every PC has a link-local address; most labs use only IPv4.
    const own = six.addresses();
    const speaks = own.some(({ origin }) => origin !== 'link-local');
    const ipv6 = speaks ? own.map(({ address, prefix }) => `${address}/${prefix}`) : [];
    const addresses = [...(settings === null ? [] : [`${settings.address}/${settings.prefix}`]), ...ipv6];
    const gateway = settings?.gateway ?? null;
    const routers = six.gateway === null ? six.routers().map(({ address }) => address) : [six.gateway];
    return {
      interfaces: [{ adapter_number, port_number, addresses, mac: this.#mac, mtu }],
      routes: [
        ...(gateway === null ? [] : [{ to: '0.0.0.0/0', via: gateway }]),
        ...routers.map((via) => ({ to: '::/0', via })),
      ],
      neighbours: this.#ip.arpTable().map(({ address, mac }) => ({ address, mac })),
    };
  }

  stop(): void {
    this.#shell.stop();
    this.#ip.stop();
  }
}
