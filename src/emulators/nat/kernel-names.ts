import { createHash } from 'node:crypto';
import { namespaceName } from '../shared/network/namespaces.ts';
import type { NatNode } from './way.ts';

/** What the kernel has of a node. All of it is named from the node and the data directory, so that a later server finds it. */
export interface KernelNames {
  /** Network namespace, as ip-netns(8) knows it. */
  namespace: string;
  /** The host's end of the way out. `tlnat+` is all of them, for rules of a firewall. */
  uplink: string;
  /** nftables table, family ip, in the host's own namespace. */
  table: string;
  /** MAC address of the gateway: the same in each run, as guests remember it. */
  mac: string;
  /** TAP device of a port, also in the namespace. */
  tap(port: number): string;
}

/** In names of namespaces. */
export const SORT = 'nat';

/** What is found again by the name of the namespace alone. */
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
    ...sharedNames(namespaceName(SORT, mark, hash)),
    mac: `02:${hash.slice(0, 10).replace(/(..)(?=.)/g, '$1:')}`,
    tap: (port) => `tl${short}p${port}`,
  };
};
