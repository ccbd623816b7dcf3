import { networkOf, parseIpv4 } from '../../../src/fabric/codecs/ip-address.ts';
import type {
  IpHost,
  IpSettings,
  Ipv6Address,
  Ipv6Auto,
  Ipv6Host,
  Ipv6Lease,
  Lease,
  ProbeOptions,
  ProbeResult,
} from '../../../src/fabric/models/host/ip-host.ts';
import type { HttpNode } from '../../../src/fabric/models/host/http.ts';
import { PC } from '../../../src/fabric/models/host/shell/pc.ts';
import { Shell, type ShellOptions } from '../../../src/fabric/models/host/shell/shell.ts';

/** IPv6 without a network: tests say who has which address and what routers advertise. */
class FakeIpv6 implements Ipv6Host {
  readonly linkLocal = 'fe80::250:79ff:fe66:6800';
  gateway: string | null = null;
  isAuto = false;
  ownDns: string[] = [];
  readonly others = new Set<string>();
  advertised: Ipv6Auto | null = null;
  lease: Ipv6Lease | null = null;
  released = 0;
  #global: Ipv6Address[] = [];

  get dns(): string[] {
    return this.ownDns;
  }
  addresses(): Ipv6Address[] {
    const linkLocal = { address: this.linkLocal, prefix: 64, origin: 'link-local' } as const;
    return [{ ...linkLocal, ...FOR_EVER }, ...this.#global];
  }
  routers(): { address: string; mac: string | null }[] {
    return this.advertised === null ? [] : [{ address: this.advertised.router, mac: '0c:00:00:00:00:01' }];
  }
  setAddress({ address, prefix, gateway }: IpSettings): Promise<boolean> {
    if (this.others.has(address)) return Promise.resolve(false);
    this.clearAddress();
    this.gateway = gateway;
    this.#global = [{ address, prefix, origin: 'static', ...FOR_EVER }];
    return Promise.resolve(true);
  }
  auto(): Promise<Ipv6Auto | null> {
    this.isAuto = true;
    this.#global = (this.advertised?.addresses ?? []).map((address) => ({
      ...{ address, prefix: 64, origin: 'auto', deprecated: false, preferred_s: 14_400, valid_s: 86_400 },
    }));
    return Promise.resolve(this.advertised);
  }
  dhcp(progress: (letter: 'S' | 'A' | 'R') => void): Promise<Ipv6Lease | null> {
    progress('S');
    if (this.lease === null) return Promise.resolve(null);
    for (const letter of ['A', 'R', 'A'] as const) progress(letter);
    return Promise.resolve(this.lease);
  }
  releaseDhcp(): void {
    this.released += 1;
  }
  clearAddress(): void {
    this.isAuto = false;
    this.gateway = null;
    this.#global = [];
  }
  neighbours(): ReturnType<Ipv6Host['neighbours']> {
    return Array.from(this.others, (address) => ({ address, mac: '0c:00:00:00:00:02', state: 'stale', router: false }));
  }
  clearNeighbours(): void {
    this.others.clear();
  }
}

const FOR_EVER = { deprecated: false, preferred_s: null, valid_s: null };

/** An IpHost without a network: tests say what its probes and servers answer. */
export class FakeHost implements IpHost {
  readonly mac = '00:50:79:66:68:00';
  readonly ipv6 = new FakeIpv6();
  readonly http: HttpNode = {
    served: new Map(),
    serve: () => undefined,
    unserve: () => undefined,
    get: () => Promise.resolve({ problem: 'no answer' }),
  };
  settings: IpSettings | null = null;
  lease: Lease | null = null;
  dns: string[] = [];
  domain: string | null = null;
  mtu = 1500;
  /** address → MAC of its owner. */
  readonly others = new Map<string, string>();
  readonly names = new Map<string, string>();
  readonly probes: (ProbeOptions & { destination: string })[] = [];
  offer: Lease | null = null;
  released = 0;
  answer: (destination: string, options: ProbeOptions) => ProbeResult | Promise<ProbeResult> = (from, options) => ({
    ...{ kind: 'reply', from, bytes: (options.size ?? 56) + 28, ttl: 64, ms: 0.1234 },
  });

  setAddress(settings: IpSettings): Promise<boolean> {
    if (this.others.has(settings.address)) return Promise.resolve(false);
    this.settings = settings;
    return Promise.resolve(true);
  }
  clearAddress(): void {
    this.settings = null;
    this.lease = null;
  }
  isOwn(address: string): boolean {
    const isIpv6 = this.ipv6.addresses().some((own) => own.address === address);
    return isIpv6 || address === '::1' || address === this.settings?.address || address.startsWith('127.');
  }
  canReach(destination: string): boolean {
    return destination.includes(':') ? this.ipv6.addresses().length > 1 : this.settings !== null;
  }
  arpTable(): { address: string; mac: string; expires_s: number }[] {
    return Array.from(this.others, ([address, mac]) => ({ address, mac, expires_s: 113.6 }));
  }
  clearArp(): void {
    this.others.clear();
  }
  probe(destination: string, options: ProbeOptions): Promise<ProbeResult> {
    this.probes.push({ destination, ...options });
    return Promise.resolve(this.answer(destination, options));
  }
  dhcp(progress: (letter: 'D' | 'O' | 'R' | 'A') => void): Promise<Lease | null> {
    progress('D');
    progress('D');
    if (this.offer === null) return Promise.resolve(null);
    for (const letter of ['O', 'R', 'A'] as const) progress(letter);
    this.#take(this.offer);
    return Promise.resolve(this.offer);
  }
  renew(): Promise<Lease | null> {
    return Promise.resolve(this.offer);
  }
  release(): void {
    this.released += 1;
    this.clearAddress();
  }
  resolve(name: string): Promise<string | null> {
    return Promise.resolve(this.names.get(name) ?? null);
  }
  receive(): void {
    throw new Error('the shell passes no frames');
  }
  stop(): void {
    throw new Error('the shell does not own the host');
  }

  #take(lease: Lease): void {
    this.settings = { address: lease.address, prefix: lease.prefix, gateway: lease.gateway };
    this.lease = lease;
    this.dns = lease.dns;
  }
}

/** True when both are in the subnet of the host's settings. */
export const onLink = (host: FakeHost, address: string): boolean =>
  host.settings !== null &&
  networkOf(parseIpv4(address) ?? 0, host.settings.prefix) ===
    networkOf(parseIpv4(host.settings.address) ?? 0, host.settings.prefix);

/** A clock that jumps to the next timer at once, or stands still while `frozen`. */
class Clock {
  ms = 0;
  frozen = false;
  pending = 0;
  readonly timer = (ms: number, run: () => void): { cancel(): void } => {
    this.pending += 1;
    const end = (): void => {
      this.pending -= 1;
    };
    const immediate = this.frozen
      ? null
      : setImmediate(() => {
          this.ms += ms;
          end();
          run();
        });
    return {
      cancel: () => {
        if (immediate !== null) clearImmediate(immediate);
        end();
      },
    };
  };
}

/** A terminal at the shell: types, and waits for what must appear. */
export class Terminal {
  readonly host = new FakeHost();
  readonly clock = new Clock();
  readonly exits: string[] = [];
  readonly shell: Shell<IpHost>;
  /** Everything printed so far. */
  screen = '';
  #mark = 0;
  #watchers: (() => void)[] = [];

  constructor(options: Partial<ShellOptions<IpHost>> = {}) {
    this.shell = new Shell<IpHost>({
      ...{ kind: PC, name: 'PC1', host: this.host, directory: null, version: '1.2.3' },
      now: () => this.clock.ms,
      timer: this.clock.timer,
      exit: (output) => this.exits.push(output),
      ...options,
    });
    this.shell.sink.output = (bytes) => {
      this.screen += Buffer.from(bytes).toString();
      for (const watch of this.#watchers) watch();
    };
  }

  type(text: string): void {
    this.shell.sink.input(Buffer.from(text));
  }

  /** Resolves once `text` has appeared after the last place waited for; returns all that was printed up to and with it. */
  until(text: string): Promise<string> {
    return new Promise((resolve) => {
      const watch = (): void => {
        const at = this.screen.indexOf(text, this.#mark);
        if (at < 0) return;
        this.#watchers = this.#watchers.filter((w) => w !== watch);
        const seen = this.screen.slice(this.#mark, at + text.length);
        this.#mark = at + text.length;
        resolve(seen);
      };
      this.#watchers.push(watch);
      watch();
    });
  }

  /** Types a line; resolves with the lines that the command printed, without echo, blank line and prompt. */
  async run(line: string, prompt = 'PC1> '): Promise<string[]> {
    this.#mark = this.screen.length;
    this.type(`${line}\r`);
    await this.until(`${line}\r\n`);
    const printed = await this.until(`\r\n${prompt}`);
    return printed.slice(0, -`\r\n${prompt}`.length).split('\r\n').slice(0, -1);
  }
}
