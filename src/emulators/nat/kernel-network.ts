import { readFile, writeFile } from 'node:fs/promises';
import { isThere } from '../../common/file.ts';
import { interfaceExists } from '../shared/network/interfaces.ts';
import { ip, runFed } from '../shared/network/ip.ts';
import { removeNamespace } from '../shared/network/namespaces.ts';
import { BRIDGE, gatewayOf, hostOf, noRulesOf, rulesOf } from './kernel-arguments.ts';
import type { KernelNames } from './kernel-names.ts';

/**
 * A node's network in the kernel:
 *
 *     tap ─┐
 *     tap ─┴ br0 (the gateway) ─ up0 ═ uplink, a route and a table of nftables
 *     └ the node's namespace        └ the host's
 *
 * up0 has no address of its own: the gateway's stands for it, and the host's end has the last one of the same network.
 */
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
      // No addresses but ours: IPv6 would make some by itself.
      `link set dev ${BRIDGE} addrgenmode none up`,
      `link set dev ${INNER} addrgenmode none up`,
      `address add ${gateway}/24 dev ${BRIDGE}`,
      `route add ${host}/32 dev ${INNER} src ${gateway}`,
      `route add default via ${host} dev ${INNER} src ${gateway}`,
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

/** For the whole host, as the answers come in by an interface that nobody knows before. Others may need it by now: it stays. */
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
