import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KindNode } from '../../src/emulators/kit/contract.ts';
import { namesOf } from '../../src/emulators/nat/kernel-network.ts';

const run = promisify(execFile);

/** What a NAT of the kernel needs, with the Debian packages. */
export const NAT_PROGRAMS = { ip: 'iproute2', nft: 'nftables', dnsmasq: 'dnsmasq-base', socat: 'socat' };

/** Names of what the kernel has for a NAT node, where interfaces of its namespace count with it. */
export const natNetworkOf = async (node: Pick<KindNode, 'node_id' | 'project_id'>, mark: string): Promise<string[]> => {
  const names = namesOf(node, mark);
  const [links, namespaces, tables] = await Promise.all([
    run('ip', ['-brief', 'link']),
    run('ip', ['netns', 'list']),
    run('nft', ['list', 'tables']),
  ]);
  const taps = names.tap(0).slice(0, -1);
  const interfaces = links.stdout.split('\n').map((line) => line.split(/[ @]/)[0] ?? '');
  return [
    ...interfaces.filter((name) => name === names.uplink || name.startsWith(taps)),
    ...namespaces.stdout.split(/\s/).filter((word) => word === names.namespace),
    ...tables.stdout.split(/\s/).filter((word) => word === names.table),
  ];
};
