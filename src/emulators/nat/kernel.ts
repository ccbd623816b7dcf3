import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import type { EngineContext, EngineFactory, KindNode } from '../kit/contract.ts';
import { ownNamespaces } from '../shared/network/ip.ts';
import { networkLacks } from '../shared/network/privileges.ts';
import {
  releaseRelays,
  isServed,
  keepRelays,
  LARGEST,
  type Relay,
  relayAddress,
  relayEnd,
  relaysIn,
  takeRelays,
} from '../shared/network/relay.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import {
  BRIDGE,
  hostOf,
  type KernelNames,
  makeNetwork,
  namesOf,
  networkExists,
  plugTaps,
  removeNetwork,
  sharedNames,
  NAMESPACE_SORT,
  SUBNETS,
} from './kernel-network.ts';
import { natEngine, type NatNode, type NatPlan, type NatBackend, scriptOf } from './nat-engine.ts';
import { addressIn, freeSubnet } from './subnets.ts';

/** Leads out of the lab by the kernel: a namespace with a bridge, dnsmasq and masquerade. */
export const KERNEL: EngineFactory = natEngine('kernel', (context) => kernelBackend(context));

const PROGRAMS = { ip: 'iproute2', nft: 'nftables', dnsmasq: 'dnsmasq-base', socat: 'socat' };
const POLL_MS = 10;

/** Network and relays of a node while it runs. */
interface Reservation {
  subnet: string;
  relays: readonly Relay[];
}

const kernelBackend = (context: EngineContext): NatBackend => {
  const held = new Map<string, Reservation>();
  /** Networks that nodes have or will have in a moment: their routes come later. */
  const subnets = new Set<string>();
  const leasesOf = ({ node_id }: Pick<KindNode, 'node_id'>): string =>
    path.join(context.dataDir, 'nat', `${node_id}.leases`);
  const hold = (node: NatNode, { subnet, relays }: Reservation): void => {
    held.set(node.node_id, { subnet, relays });
    subnets.add(subnet);
  };

  return {
    name: 'kernel',
    missing: () =>
      networkLacks(
        PROGRAMS,
        'a NAT by the kernel',
        'use one that needs no root: apt-get install libslirp-helper socat',
      ),
    async prepare(node) {
      const names = namesOf(node, context.mark);
      const wanted = wantedOf(node);
      const subnet = wanted === null ? await takeSubnet(subnets) : await takeWanted(wanted, subnets);
      hold(node, { subnet, relays: [] });
      const relays = await takeRelays(node.ports.length);
      hold(node, { subnet, relays });
      const first = wanted === null ? FIRST_LEASE : FIRST_BEHIND;
      const run = { subnet, first, relays, leases: leasesOf(node), resolvers: await resolversFile() };
      await mkdir(path.dirname(run.leases), { recursive: true });
      await makeNetwork(names, run.subnet);
      return planOf(names, run, kernelScript(names, run));
    },
    async recall(node, script) {
      const names = namesOf(node, context.mark);
      const found = reservationIn(script);
      if (found?.relays.length !== node.ports.length || !(await networkExists(names))) return null;
      hold(node, found);
      keepRelays(found.relays);
      return planOf(names, found, script);
    },
    async clean(node) {
      await removeNetwork(namesOf(node, context.mark));
      const { subnet, relays } = held.get(node.node_id) ?? { subnet: '', relays: [] };
      held.delete(node.node_id);
      subnets.delete(subnet);
      releaseRelays(relays);
    },
    async sweep(keep, remove) {
      const kept = new Set(keep.map((node) => namesOf(node, context.mark).namespace));
      const left = (await ownNamespaces(NAMESPACE_SORT, context.mark)).filter((name) => !kept.has(name));
      if (remove) for (const name of left) await removeNetwork(sharedNames(name));
      return left.map((name) => `network of a NAT, namespace ${name}`);
    },
    forget: (node) => rm(leasesOf(node), { force: true }),
  };
};

/** Adds a free network to those that are taken. */
const takeSubnet = async (subnets: Set<string>): Promise<string> => {
  const found = await freeSubnet(SUBNETS.filter((subnet) => !subnets.has(subnet)));
  // Another start may have taken the subnet while the routes were read.
  if (found !== null && subnets.has(found)) return takeSubnet(subnets);
  if (found === null)
    throw conflict('the host has routes to every network that a NAT could use (192.168.122.0/24 and those after it)');
  subnets.add(found);
  return found;
};

/** The network that the node's settings name. */
const wantedOf = ({ properties }: KindNode): string | null => {
  const { network } = properties;
  return typeof network === 'string' ? network.replace(/\/24$/, '') : null;
};

const takeWanted = async (wanted: string, subnets: Set<string>): Promise<string> => {
  if (subnets.has(wanted) || (await freeSubnet([wanted])) === null)
    throw conflict(`the host has a route into ${wanted}/24 already, which is the network of this node`);
  subnets.add(wanted);
  return wanted;
};

const reservationIn = (script: string): Reservation | null => {
  const subnet = subnetIn(script);
  return subnet === null ? null : { subnet, relays: relaysIn(script) };
};

/** The ports of a NAT are numbered by their place, and so are the relays. */
const planOf = (names: KernelNames, { relays }: Reservation, script: string): NatPlan => ({
  script,
  to: ({ port_number }) => relayEnd(relays[port_number] ?? { fabric: 0, socat: 0 }),
  async ready(signal, said) {
    for (const relay of relays) await until(() => isServed(relay), { every: POLL_MS, signal });
    await plugTaps(
      names,
      relays.map((_, port) => names.tap(port)),
    );
    await until(async () => SERVES.test(await said()), { every: POLL_MS, signal });
  },
});

/** resolv.conf(5), and the one in which systemd-resolved keeps the servers that it asks itself. */
const FILES = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'];

/** The file that names a server which is reached from elsewhere than this host; null when there is none. */
const resolversFile = async (): Promise<string | null> => {
  for (const file of FILES) if (reachable(await readFile(file, 'utf8').catch(() => ''))) return file;
  return null;
};

/** Whether a resolv.conf names a server that has an IPv4 address and is not on the loopback. */
export const reachable = (text: string): boolean =>
  [...text.matchAll(/^[ \t]*nameserver[ \t]+(\d+)\.\d+\.\d+\.\d+[ \t\r]*$/gm)].some(
    ([, first]) => first !== '127' && first !== '0',
  );

/** Last numbers of the addresses that are leased. */
const FIRST_LEASE = 2;
/** In a network that settings name: guests there have addresses of their own, which begin behind the gateway's. */
const FIRST_BEHIND = 200;
const LAST_LEASE = 253;

interface KernelRun {
  subnet: string;
  /** Last number of the first address that is leased. */
  first: number;
  /** Relays by port number. */
  relays: readonly Relay[];
  /** File that keeps the leases. */
  leases: string;
  /** File with the host's name servers; null: they are on its loopback, so the host must ask for the guests. */
  resolvers: string | null;
}

/** A TAP device for each port, and DHCP and DNS at the gateway. */
export const kernelScript = (names: KernelNames, run: KernelRun): string =>
  scriptOf(
    [
      ...run.relays.map((relay, port) => [
        'socat',
        '-b',
        LARGEST,
        `TUN,tun-name=${names.tap(port)},tun-type=tap,iff-no-pi`,
        relayAddress(relay),
      ]),
      ['env', 'LC_ALL=C', 'ip', 'netns', 'exec', names.namespace, ...gatewayDnsmasq(run)],
      ...(run.resolvers === null ? [hostDnsmasq(run.subnet)] : []),
    ].map(joinWords),
  );

/** dnsmasq(8): in the foreground, without the host's own settings and names. */
const DNSMASQ = ['dnsmasq', '-k', '--conf-file=/dev/null', '--pid-file=', '--log-facility=-', '--no-hosts'];

const gatewayDnsmasq = ({ subnet, first, leases, resolvers }: KernelRun): string[] => [
  ...DNSMASQ,
  `--interface=${BRIDGE}`,
  '--except-interface=lo',
  '--bind-interfaces',
  // No seconds spent on asking whether a free address answers.
  ...['--no-ping', '--dhcp-authoritative', `--dhcp-leasefile=${leases}`],
  `--dhcp-range=${addressIn(subnet, first)},${addressIn(subnet, LAST_LEASE)},255.255.255.0,1h`,
  ...(resolvers === null ? ['--no-resolv', `--server=${hostOf(subnet)}`] : [`--resolv-file=${resolvers}`]),
];

/** Forwards questions to the host's own name servers for guests that cannot reach them. */
const hostDnsmasq = (subnet: string): string[] => [
  ...DNSMASQ,
  `--listen-address=${hostOf(subnet)}`,
  '--bind-interfaces',
  '--cache-size=0',
];

/** Output of dnsmasq once it serves. */
const SERVES = /^dnsmasq-dhcp(\[\d+\])?: DHCP, IP range/m;

/** Reads the network from a script that runs. */
export const subnetIn = (script: string): string | null => {
  const first = /--dhcp-range=(\d+\.\d+\.\d+\.\d+),/.exec(script)?.[1];
  return first === undefined ? null : addressIn(first, 0);
};
