import type { Link, Node, Port, Records } from '../../store/records.ts';

/** Where a link can end. */
export interface FreePort {
  readonly port: Port;
  /** For a choice among the ports of one node. */
  readonly key: string;
}

export const keyOfPort = ({ adapter_number, port_number }: { adapter_number: number; port_number: number }): string =>
  `${adapter_number}/${port_number}`;

/** Ports of nodes that links have, as `node adapter/port`. */
export const portsInUse = (links: Iterable<Link>): ReadonlySet<string> => {
  const used = new Set<string>();
  for (const { nodes } of links) for (const end of nodes) used.add(`${end.node_id} ${keyOfPort(end)}`);
  return used;
};

/** Ports that a link could have, of the same type as `other` where there is one. */
export const freePorts = (node: Node, used: ReadonlySet<string>, other?: Port): FreePort[] =>
  node.ports
    .filter((port) => !used.has(`${node.node_id} ${keyOfPort(port)}`))
    .filter((port) => other === undefined || port.link_type === other.link_type)
    .map((port) => ({ port, key: keyOfPort(port) }));

/** Nodes with a port that a link could have, by name; not the one it comes from. */
export const linkable = (
  { nodes }: Records,
  used: ReadonlySet<string>,
  from?: { readonly node: Node; readonly port: Port | undefined },
): Node[] =>
  [...nodes.values()]
    .filter((node) => node.node_id !== from?.node.node_id && freePorts(node, used, from?.port).length > 0)
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
