import type { PortNumber } from '../../../emulators/kit/old-nodes.ts';
import type { Steps } from '../../../common/slices.ts';
import { derivedId } from '../../fields/identity.ts';
import { type Bag, quoted } from '../../fields/json.ts';
import type { ConvertedNode, ConvertedNodes, FoundPort } from './nodes.ts';
import { oldLabel, portLabel } from './values.ts';

/** Links before revision 5, whose ends named ports by numbers that only the file knew. */

interface End {
  node: ConvertedNode;
  /** Undefined: the file does not say which port it is. */
  port: FoundPort | undefined;
  at: PortNumber | undefined;
  label: unknown;
}

interface Pending {
  where: string;
  id: string;
  ends: End[];
}

/** One that leads nowhere is left out with a warning. */
export function* convertLinks(
  projectId: string,
  list: readonly Bag[],
  nodes: ConvertedNodes,
): Steps<{ links: Bag[]; warnings: string[] }> {
  const used = new UsedPorts();
  const warnings: string[] = [];
  const pending: Pending[] = [];
  for (const [index, raw] of list.entries()) {
    yield;
    const where = `Link ${index + 1} of the file`;
    const ends = (['source', 'destination'] as const).map((side) => endOf(raw, side, nodes));
    const wrong = ends.find((end) => typeof end === 'string');
    if (typeof wrong === 'string') {
      warnings.push(`${where} was left out: ${wrong}`);
      continue;
    }
    const good = ends.filter((end) => typeof end === 'object');
    for (const end of good) used.take(end);
    pending.push({ where, id: derivedId(projectId, 'link', index), ends: good });
  }
  const links: Bag[] = [];
  for (const link of pending) {
    links.push(...placed(link, used, warnings));
    yield;
  }
  return { links, warnings };
}

/** A sentence for what leads nowhere. */
const endOf = (raw: Bag, side: 'source' | 'destination', nodes: ConvertedNodes): End | string => {
  const [nodeId, portId] = [raw[`${side}_node_id`], raw[`${side}_port_id`]];
  const label = raw[`${side}_port_label`];
  const found = nodes.byId.get(nodeId);
  // The port remembers the link even where the link has lost the port.
  const port = nodes.port(nodeId, portId) ?? (portId == null ? found?.linked.get(raw.id) : undefined);
  if (port === undefined) {
    if (found === undefined) return `there is no node with the id ${quoted(nodeId)}`;
    if (portId != null) return `${found.node.name} has no port with the id ${quoted(portId)}`;
    return { node: found.node, port: undefined, at: undefined, label };
  }
  const at = port.node.ends[port.index];
  return at === null
    ? `the port ${quoted(port.name)} of ${port.node.name} is no more`
    : { node: port.node, port, at, label };
};

const placed = ({ where, id, ends }: Pending, used: UsedPorts, warnings: string[]): Bag[] => {
  const entries: Bag[] = [];
  for (const { node, port, at: known, label } of ends) {
    const at = known ?? used.free(node, port);
    const named = port === undefined ? 'its port' : `the port ${quoted(port.name)}`;
    if (at === undefined) {
      warnings.push(`${where} was left out: ${named} of ${node.name} is not there, and no other is free`);
      return [];
    }
    const { adapter_number, port_number } = at;
    if (known === undefined)
      warnings.push(`${where}: nobody knows ${named} of ${node.name}; it ends at ${adapter_number}/${port_number} now`);
    const text = oldLabel(label) ?? (port === undefined ? undefined : portLabel(port.name));
    entries.push({ node_id: node.entry.node_id, ...at, ...(text === undefined ? {} : { label: text }) });
  }
  return [{ link_id: id, nodes: entries }];
};

/** No two ports of the file become one: the later of them gets another. */
class UsedPorts {
  readonly #ports = new Map<string, FoundPort | undefined>();

  take(end: End): void {
    if (end.at === undefined) return;
    const key = keyOf(end.node, end.at);
    const other = this.#ports.get(key);
    // One port of the file with two links is for the load to settle.
    if (other === undefined) this.#ports.set(key, end.port);
    else if (other.index !== end.port?.index || other.node !== end.port.node) end.at = undefined;
  }

  /** Of the ports that a node has, the first that no link has. */
  free(node: ConvertedNode, port: FoundPort | undefined): PortNumber | undefined {
    const found = node.made.find((one) => !this.#ports.has(keyOf(node, one)));
    if (found === undefined) return undefined;
    this.#ports.set(keyOf(node, found), port);
    return { adapter_number: found.adapter_number, port_number: found.port_number };
  }
}

const keyOf = ({ entry }: ConvertedNode, { adapter_number, port_number }: PortNumber): string =>
  `${String(entry.node_id)}/${adapter_number}/${port_number}`;
