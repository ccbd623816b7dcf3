import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isThere } from '../../common/file.ts';
import { interfaceExists } from '../shared/host/interfaces.ts';
import { ip, namespaceName, removeNamespace, runFed } from '../shared/network/ip.ts';
import type { NatNode } from './nat-engine.ts';
import { addressIn } from './subnets.ts';

/**
 * A node's network in the kernel:
 *
 *     tap ─┐
 *     tap ─┴ br0 (the gateway) ─ up0 ═ uplink, a route and a table of nftables
 *     └ the node's namespace        └ the host's
 *
 * up0 has no address of its own: the gateway's stands for it, and the host's end has the last one of the same network.
 */
export const BRIDGE = 'br0';
const INNER = 'up0';
const FORWARD = '/proc/sys/net/ipv4/ip_forward';
type Shared = Pick<KernelNames, 'namespace' | 'uplink' | 'table'>;

/** The namespace is there from the first step to the last of the removal: where it is not, there is nothing of the node. */
export const networkExists = ({ namespace }: Pick<KernelNames, 'namespace'>): Promise<boolean> =>
  isThere(`/run/netns/${namespace}`);

export const makeNetwork = async (names: KernelNames, subnet: string): Promise<void> => {
  const { namespace, uplink, mac } = names;
  const [gateway, host] = [gatewayOf(subnet), hostOf(subnet)];
  await ip(['netns', 'add', namespace]);
  await ip(['link', 'add', uplink, 'type', 'veth', 'peer', 'name', INNER, 'netns', namespace]);
  await ip(
    ['-n', namespace],
    [
      'link set dev lo up',
      `link add ${BRIDGE} address ${mac} type bridge forward_delay 0 mcast_snooping 0`,
      // No other addresses: IPv6 would make some by itself.
      `link set dev ${BRIDGE} addrgenmode none up`,
      `link set dev ${INNER} addrgenmode none up`,
      `address add ${gateway}/24 dev ${BRIDGE}`,
      `route add ${host}/32 dev ${INNER} src ${gateway}`,
      `route add default via ${host} dev ${INNER} src ${gateway}`,
      // Guests look for the host's end among themselves, as it has an address of their network.
      `neigh add proxy ${host} dev ${BRIDGE}`,
    ],
  );
  await ip(['netns', 'exec', namespace, 'sh', '-c', `echo 1 > ${FORWARD}`]);
  await ip(
    [],
    [
      `link set dev ${uplink} addrgenmode none up`,
      `address add ${host}/32 dev ${uplink}`,
      `route add ${subnet}/24 via ${gateway} dev ${uplink} onlink`,
    ],
  );
  await nft(rulesOf(names, subnet));
  await forward();
};

/**
 * Turns on forwarding for the whole host, as answers come in by an interface that is not known before. It stays on: others may need it by
 * now.
 */
const forward = async (): Promise<void> => {
  if ((await readFile(FORWARD, 'latin1')).trim() === '0') await writeFile(FORWARD, '1\n');
};

export const removeNetwork = async (names: Shared): Promise<void> => {
  const { namespace, uplink } = names;
  if (!(await networkExists(names))) return;
  await nft(noRulesOf(names));
  // The namespace's end would take it along, but only after a while.
  if (await interfaceExists(uplink)) await ip(['link', 'delete', uplink]);
  await removeNamespace(namespace);
};

/** Puts TAP devices that have been made where the server is on the node's bridge. */
export const plugTaps = async ({ namespace }: KernelNames, taps: readonly string[]): Promise<void> => {
  await ip(
    [],
    taps.map((tap) => `link set dev ${tap} netns ${namespace}`),
  );
  await ip(
    ['-n', namespace],
    taps.map((tap) => `link set dev ${tap} addrgenmode none master ${BRIDGE} up`),
  );
};

/** Runs nft(8) with commands. Throws what it says. */
const nft = (commands: string): Promise<void> => runFed('nft', ['-f', '-'], commands, 'nft');

/** Names of a node's objects in the kernel. All are derived from the node and the data directory, so that a later server finds them. */
export interface KernelNames {
  /** Network namespace, as ip-netns(8) knows it. */
  namespace: string;
  /** The host's end of the uplink. `tlnat+` matches all of them in rules of a firewall. */
  uplink: string;
  /** nftables table, family ip, in the host's own namespace. */
  table: string;
  /** MAC address of the gateway: the same in each run, as guests remember it. */
  mac: string;
  /** TAP device of a port, also in the namespace. */
  tap(port: number): string;
}

/** Part of the names of namespaces. */
export const NAMESPACE_SORT = 'nat';

/** Names that can be derived from the name of the namespace alone. */
export const sharedNames = (namespace: string): Pick<KernelNames, 'namespace' | 'uplink' | 'table'> => ({
  namespace,
  uplink: `tlnat${namespace.slice(-8)}`,
  table: namespace.replaceAll('-', '_'),
});

/** Names of interfaces have at most 15 characters. */
export const namesOf = ({ node_id, project_id }: NatNode, mark: string): KernelNames => {
  const hash = createHash('sha256').update(`nat/${mark}/${project_id}/${node_id}`).digest('hex');
  const short = hash.slice(0, 8);
  return {
    ...sharedNames(namespaceName(NAMESPACE_SORT, mark, hash)),
    mac: `02:${hash.slice(0, 10).replace(/(..)(?=.)/g, '$1:')}`,
    tap: (port) => `tl${short}p${port}`,
  };
};

/** Networks behind a node, all /24. */
export const SUBNETS: readonly string[] = [
  ...Array.from({ length: 133 }, (_, n) => `192.168.${122 + n}.0`),
  ...Array.from({ length: 128 }, (_, n) => `172.31.${n}.0`),
];
/** Last numbers of the addresses in them: the gateway, and the host's end of the uplink. */
const GATEWAY = 1;
const HOST = 254;

const gatewayOf = (subnet: string): string => addressIn(subnet, GATEWAY);
export const hostOf = (subnet: string): string => addressIn(subnet, HOST);

/**
 * nft(8) rules of a node: its network goes out under the addresses of this host, and only answers come in. The table is made
 * again when it is there.
 */
export const rulesOf = ({ table, uplink }: KernelNames, subnet: string): string =>
  `${noRulesOf({ table })}
table ip ${table} {
  chain out {
    type nat hook postrouting priority 100; policy accept;
    ip saddr ${subnet}/24 oifname != "${uplink}" masquerade
  }
  chain in {
    type filter hook forward priority 0; policy accept;
    oifname "${uplink}" ct state != { established, related } drop
  }
}
`;

/** Added first, so that deleting a missing table is no error. */
const noRulesOf = ({ table }: Pick<KernelNames, 'table'>): string =>
  `add table ip ${table}\ndelete table ip ${table}\n`;
