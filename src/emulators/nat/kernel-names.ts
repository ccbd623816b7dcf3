import { createHash } from 'node:crypto';
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

/** Names of interfaces have at most 15 characters. */
export const namesOf = ({ node_id, project_id }: NatNode, mark: string): KernelNames => {
  const hash = createHash('sha256').update(`nat/${mark}/${project_id}/${node_id}`).digest('hex');
  const short = hash.slice(0, 8);
  return {
    namespace: `topolog-nat-${hash.slice(0, 16)}`,
    uplink: `tlnat${short}`,
    table: `topolog_nat_${hash.slice(0, 16)}`,
    mac: `02:${hash.slice(0, 10).replace(/(..)(?=.)/g, '$1:')}`,
    tap: (port) => `tl${short}p${port}`,
  };
};
