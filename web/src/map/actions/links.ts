import type { MenuScope } from '../map-scope.ts';
import type { Schemas } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify } from '../../store/notices.ts';
import type { Link, Node, Port, Records } from '../../store/records.ts';
import { asEdit } from '../../undo/edits.ts';
import { t } from '../../words/words.ts';
import { groupOfNode, groupsOf } from '../groups/groups.ts';
import { postBatch } from './object-actions.ts';
import { freePorts, keyOfPort, portsInUse } from './ports.ts';

/** One end of a link that is to be made. */
export interface WishedEnd {
  readonly node: Node;
  readonly port: Port;
}
type Ends = readonly [WishedEnd, WishedEnd];
type Step = Schemas['Batch']['steps'][number];

/** The next free ports of two nodes that fit each other, or why there are none. */
export const nextPorts = (used: ReadonlySet<string>, from: Node, to: Node): Ends | string => {
  if (from.node_id === to.node_id) return t('A link needs two nodes.');
  const ports = freePorts(from, used);
  for (const node of [from, to])
    if (freePorts(node, used).length === 0)
      return t('{name} has no free port. Give it more ports, or delete one of its links.', { name: node.name });
  for (const { port } of ports) {
    const [there] = freePorts(to, used, port);
    if (there !== undefined)
      return [
        { node: from, port },
        { node: to, port: there.port },
      ];
  }
  return t('{from} and {to} have no free ports of the same type.', { from: from.name, to: to.name });
};

/** The ends in the form that a request for a link has. */
export const linkEnds = (ends: Ends): { nodes: LinkEnd[] } => ({
  nodes: ends.map(({ node, port }, index) => ({
    node_id: node.node_id,
    adapter_number: port.adapter_number,
    port_number: port.port_number,
    label: { text: port.short_name, ...labelPlace(node, ends[1 - index]?.node ?? node) },
  })),
});
type LinkEnd = Pick<Link['nodes'][number], 'node_id' | 'adapter_number' | 'port_number'> & {
  label: { text: string; x: number; y: number };
};

/** Where the name of a port stands: a little outside of the node, towards the other one. */
const labelPlace = (node: Node, other: Node): { x: number; y: number } => {
  const dx = other.x - node.x;
  const dy = other.y - node.y;
  const length = Math.hypot(dx, dy) || 1;
  const reach = Math.max(node.width, node.height) / 2 + 12;
  return {
    x: Math.round(node.width / 2 + (dx / length) * reach),
    y: Math.round(node.height / 2 + (dy / length) * reach - 8),
  };
};

/** Links of all nodes to the one with the most free ports, in the order that was given, or why one of them cannot be. */
export const linksOfAll = (records: Pick<Records, 'links'>, nodes: readonly Node[]): Ends[] | string => {
  const used = new Set(portsInUse(records.links.values()));
  const free = (node: Node): number => freePorts(node, used).length;
  // The second one of two: a drag goes from one to the other.
  const hub = nodes.length === 2 ? nodes[1] : nodes.toSorted((a, b) => free(b) - free(a))[0];
  const links: Ends[] = [];
  for (const node of nodes) {
    if (hub === undefined || node === hub) continue;
    const ends = nextPorts(used, node, hub);
    if (typeof ends === 'string') return ends;
    for (const end of ends) used.add(`${end.node.node_id} ${keyOfPort(end.port)}`);
    links.push(ends);
  }
  return links;
};

/** Links nodes at their next free ports, all or nothing; says why when they cannot be. */
export const linkNodes = async (lab: Lab, nodes: readonly Node[]): Promise<boolean> => {
  const links = linksOfAll(lab.state.get().records, nodes);
  if (typeof links === 'string') {
    notify('warning', links);
    return false;
  }
  const steps = links.map((ends): Step => ({ action: 'create', type: 'link', record: linkEnds(ends) }));
  return attempt(() => asEdit(lab, (headers) => postBatch(lab, steps, headers)));
};

/** One link, as an edit. Throws what the server says. */
export const makeLink = (lab: Lab, nodes: ReturnType<typeof linkEnds>['nodes']): Promise<unknown> =>
  asEdit(lab, (headers) =>
    lab.client.post('/v2/projects/{project_id}/links', {
      path: { project_id: lab.projectId },
      headers,
      body: { nodes },
    }),
  );

/** Links the selected nodes, or asks at which ports. It also asks with which nodes of a collapsed group, as nobody sees those. */
export const linkChosen = (
  { lab, ask }: Pick<MenuScope, 'lab' | 'ask'>,
  nodes: readonly Node[],
  withPorts: boolean,
): void => {
  const groups = groupsOf(lab.state.get().records.project);
  const isUnseen = ({ node_id }: Node): boolean => groupOfNode(groups, node_id)?.collapsed === true;
  const among = nodes.filter(isUnseen).map(({ node_id }) => node_id);
  const [first = null, second = null] = nodes.filter((node) => !isUnseen(node)).map(({ node_id }) => node_id);
  if (among.length > 0) ask({ what: 'link', from: first, to: null, among });
  else if (withPorts || second === null) ask({ what: 'link', from: first, to: second });
  else void linkNodes(lab, nodes);
};
