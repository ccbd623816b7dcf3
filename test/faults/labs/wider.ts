import type { Random } from '../prng.ts';

/** A lab as a text, in which the first node reaches the second. */
export interface WiderLab {
  text: string;
  /** Address that is asked for in place of the second node. */
  to?: string;
  needs?: 'containers' | 'computes';
  breaks: Readonly<Record<string, Break>>;
}

/** A lab that runs, and what is done to it. */
export interface Ground {
  random: Random;
  /** By who breaks things, unless another one is named. */
  put: (path: string, body: unknown, user?: string) => Promise<unknown>;
  post: (path: string, body?: unknown, user?: string) => Promise<unknown>;
  remove: (path: string) => Promise<unknown>;
  /** `/nodes/ID` */
  node: (name: string) => string;
  /** `/links/ID` of two nodes. */
  link: (a: string, b: string) => string;
  relink: (user: string, a: string, b: string) => Promise<void>;
  /** Types a line at a console, and waits for its prompt. */
  type: (name: string, line: string) => Promise<void>;
  /** Makes the server of the other compute go away; what it runs goes on. */
  leave: () => Promise<void>;
}

export interface Broken {
  size?: number;
  port?: string;
  /** Absent: the first event by who breaks things. null: none, and what is named is this node or link. A type: the last event of it. */
  guilty?: null | string;
  place?: string;
  /** The ping is answered nonetheless, or may be. */
  passes?: true;
  repair(): Promise<unknown>;
}

type Break = (ground: Ground) => Promise<Broken>;

const ADA = 'ada';

const at =
  (a: string, b: string, bodies: readonly Record<string, unknown>[], more: Omit<Broken, 'repair'> = {}): Break =>
  async ({ random, put, link }) => {
    const path = link(a, b);
    await put(path, random.pick(bodies) ?? {});
    return { ...more, repair: () => put(path, { suspend: false, filters: {} }, ADA) };
  };
const bpf = (...texts: string[]) => texts.map((text) => ({ filters: { bpf: [text] } }));
/** As long as neighbours are not forgotten. */
const KNOWN = { passes: true } as const;
const CUT = [{ suspend: true }];
const LOSSES = [
  { filters: { packet_loss: [100] } },
  { filters: { frequency_drop: [-1] } },
  { filters: { 'packet_loss<': [100] } },
];
const HALF = [{ filters: { packet_loss: [75] } }, { filters: { frequency_drop: [2] } }];
const SLOW = [
  { filters: { rate: [1, 10] } },
  { filters: { delay: [700, 0] } },
  { filters: { 'delay>': [900], 'delay<': [900] } },
];

const acted =
  (name: string, action: 'stop' | 'suspend'): Break =>
  async ({ post, node }) => {
    await post(`${node(name)}/${action}`);
    return { repair: () => post(`${node(name)}/start`, {}, ADA) };
  };

/** Another start-up text, which counts after the reload. */
const retold =
  (name: string, key: string, wrong: string, right: string): Break =>
  async ({ put, post, node }) => {
    const path = node(name);
    await put(path, { properties: { [key]: wrong } });
    await post(`${path}/reload`);
    return {
      repair: async () => {
        await put(path, { properties: { [key]: right } }, ADA);
        await post(`${path}/reload`, {}, ADA);
      },
    };
  };

const unlinked =
  (a: string, b: string): Break =>
  async ({ remove, link, relink }) => {
    await remove(link(a, b));
    return { repair: () => relink(ADA, a, b) };
  };

/** Typed at a console: no event tells of it. */
const typed =
  (name: string, line: string, undo: string): Break =>
  async ({ type, node }) => {
    await type(name, line);
    return { guilty: null, place: node(name), repair: () => type(name, undo) };
  };

const A6 = 'ip 2001:db8:1::10/64 2001:db8:1::1';
const C6 = 'ip 2001:db8:2::10/64 2001:db8:2::1';
const R6 = 'interface 0 ip 2001:db8:1::1/64\ninterface 1 ip 2001:db8:2::1/64';
const A4 = 'ip 10.1.0.10/24 10.1.0.1';
const C4 = 'ip 10.2.0.10/24 10.2.0.1';
const R2 = 'interface 0 ip 10.0.0.2/30\ninterface 1 ip 10.2.0.1/24\nroute 10.1.0.0/24 10.0.0.1';
const text = (value: string): string => JSON.stringify(value);

export const WIDER: Readonly<Record<string, WiderLab>> = {
  'IPv6 over a router': {
    to: '2001:db8:2::10',
    text: `
nodes:
  a: { kind: simple_pc, startup: ${text(A6)} }
  c: { kind: simple_pc, startup: ${text(C6)} }
  r: { kind: simple_router, startup: ${text(R6)} }
  s: { kind: ethernet_switch }
links: [[a:0, s:0], [s:1, r:0], [r:1, c:0]]`,
    breaks: {
      'no neighbour solicitation': at('s', 'r', bpf('icmp6 and ip6[40]==135', 'ip6 multicast'), KNOWN),
      'no neighbour advertisement': at('a', 's', bpf('icmp6 and ip6[40]==136'), KNOWN),
      'no answer': at('r', 'c', bpf('icmp6 and ip6[40]==129')),
      'no port': at('r', 'c', bpf('tcp dst port 80', 'tcp src port 80'), { port: '80', passes: true }),
      'no long packet': at('s', 'r', bpf('greater 1200'), { size: 1400 }),
      'wrong gateway': retold('a', 'startup_script', 'ip 2001:db8:1::10/64 2001:db8:1::9', A6),
      'wrong network': retold('c', 'startup_script', 'ip 2001:db8:3::10/64 2001:db8:3::1', C6),
      'half a router': retold('r', 'startup_config', 'interface 0 ip 2001:db8:1::1/64', R6),
      slow: at('r', 'c', SLOW),
      'half is lost': at('a', 's', HALF, { passes: true }),
    },
  },
  'two routers': {
    text: `
nodes:
  a: { kind: simple_pc, startup: ${text(A4)} }
  c: { kind: simple_pc, startup: ${text(C4)} }
  r1: { kind: simple_router, startup: ${text('interface 0 ip 10.1.0.1/24\ninterface 1 ip 10.0.0.1/30')} }
  r2: { kind: simple_router, startup: ${text(R2)} }
links: [[a:0, r1:0], [r1:1, r2:0], [r2:1, c:0]]`,
    breaks: {
      'typed route lost by a reload': async ({ post, node, type }) => {
        await post(`${node('r1')}/reload`);
        return { repair: () => type('r1', 'route 10.2.0.0/24 10.0.0.2') };
      },
      'route typed away': typed('r1', 'no route 10.2.0.0/24', 'route 10.2.0.0/24 10.0.0.2'),
      'mask too wide': retold('c', 'startup_script', 'ip 10.2.0.10/8 10.2.0.1', C4),
      'no route back': retold('r2', 'startup_config', R2.replace(/\nroute.*/, ''), R2),
      'no ARP reply': at('r1', 'r2', bpf('arp[6:2]==2', 'arp'), KNOWN),
      slow: at('r1', 'r2', SLOW),
      'cut link': unlinked('r2', 'c'),
      'suspended link': at('r1', 'r2', CUT),
      'stopped router': acted('r2', 'stop'),
      'suspended router': acted('r2', 'suspend'),
    },
  },
  'container between': {
    needs: 'containers',
    text: `
nodes:
  a: { kind: simple_pc, startup: ${text(A4)} }
  c: { kind: simple_pc, startup: ${text(C4)} }
  fw:
    kind: container
    properties:
      image: IMAGE
      adapters: 2
      interfaces: [{adapter: 0, addresses: [10.1.0.1/24]}, {adapter: 1, addresses: [10.2.0.1/24]}]
      sysctls: { net.ipv4.ip_forward: "1" }
links: [[a:0, fw:eth0], [c:0, fw:eth1]]`,
    breaks: {
      'suspended link': at('c', 'fw', CUT),
      losses: at('c', 'fw', LOSSES),
      'no answer': at('a', 'fw', bpf('icmp[0]==0')),
      'no ARP': at('c', 'fw', bpf('arp'), KNOWN),
      'stopped container': acted('fw', 'stop'),
      'cut link': unlinked('a', 'fw'),
      'wrong gateway': retold('a', 'startup_script', 'ip 10.1.0.10/24 10.1.0.7', A4),
      'address taken away': typed('fw', 'ip addr del 10.2.0.1/24 dev eth1', 'ip addr add 10.2.0.1/24 dev eth1'),
      'route taken away': typed('fw', 'ip route del 10.2.0.0/24', 'ip route add 10.2.0.0/24 dev eth1'),
      'interface down': typed(
        'fw',
        'ip link set eth1 down',
        'ip link set eth1 up; ip addr replace 10.2.0.1/24 dev eth1',
      ),
    },
  },
  'containers at a switch': {
    needs: 'containers',
    to: '10.3.0.2',
    text: `
nodes:
  a: { kind: simple_pc, startup: ${text('ip 10.3.0.1/24')} }
  b:
    kind: container
    properties: { image: IMAGE, interfaces: [{adapter: 0, addresses: [10.3.0.2/24]}] }
  s: { kind: ethernet_switch }
links: [[a:0, s:0], [s:1, b:eth0]]`,
    breaks: {
      'wrong VLAN': async ({ put, node }) => {
        const ports = (vlan: number) => ({
          ports_mapping: Array.from({ length: 8 }, (_, port_number) => ({
            name: `Ethernet${port_number}`,
            port_number,
            type: 'access',
            vlan: port_number === 1 ? vlan : 1,
          })),
        });
        await put(node('s'), { properties: ports(30) });
        return { repair: () => put(node('s'), { properties: ports(1) }, ADA) };
      },
      'no ARP reply': at('s', 'b', bpf('arp[6:2]==2'), KNOWN),
      'stopped switch': acted('s', 'stop'),
      'wrong address inside': typed(
        'b',
        'ip addr del 10.3.0.2/24 dev eth0; ip addr add 10.3.0.7/24 dev eth0',
        'ip addr del 10.3.0.7/24 dev eth0; ip addr add 10.3.0.2/24 dev eth0',
      ),
      'wrong network': retold('a', 'startup_script', 'ip 10.4.0.1/24', 'ip 10.3.0.1/24'),
    },
  },
  'two computes': {
    needs: 'computes',
    text: `
nodes:
  a: { kind: simple_pc, startup: ${text('ip 10.5.0.1/24')} }
  c: { kind: simple_pc, compute: far, startup: ${text('ip 10.5.0.2/24')} }
  s: { kind: ethernet_switch }
links: [[a:0, s:0], [s:1, c:0]]`,
    breaks: {
      'suspended link': at('s', 'c', CUT),
      losses: at('s', 'c', LOSSES),
      'stopped far': acted('c', 'stop'),
      'wrong address far': retold('c', 'startup_script', 'ip 10.6.0.2/24', 'ip 10.5.0.2/24'),
      'server away': async ({ leave }) => {
        await leave();
        return { guilty: 'node.unreachable', passes: true, repair: () => Promise.resolve() };
      },
    },
  },
};
