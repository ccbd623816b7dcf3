import { memo } from '../common/memo.ts';
import type { NodeTables } from '../fabric/protocol.ts';
import type { Forwarding, Kind, KnownNode, Port, PortNaming, Properties } from './kit/contract.ts';

/** A node as its record has it. */
interface RecordedNode extends PortNaming {
  kind: string;
  name: string;
  properties: Properties;
  failure: { code: string } | null;
  texts?: KnownNode['texts'];
}

interface Kinds {
  get(name: string): Kind | undefined;
}

/** Ports of a node: read off its kind and its settings when they are wanted, never stored. */
export const portsOf = (kinds: Kinds, node: RecordedNode): Port[] => ports(node, kinds);

const ports = memo((node: RecordedNode, kinds: Kinds): Port[] => {
  const kind = kinds.get(node.kind);
  if (kind === undefined) return [];
  try {
    return kind.ports(node.failure?.code === 'broken' ? repaired(kind, node) : node.properties, node);
  } catch {
    return [];
  }
});

/**
 * Properties of a node that was broken in its project file, for its ports: they exist when only its other fields are wrong. Throws when its
 * settings are.
 */
const repaired = (kind: Kind, node: RecordedNode): Properties => {
  const ours = Object.entries(node.properties).filter(([key]) => Object.hasOwn(kind.properties.shape, key));
  kind.properties.parse(Object.fromEntries(ours));
  return kind.complete(node.properties, node);
};

/** Describes what becomes of packets at a node, by its record and by the tables that it tells where it runs; null: unknown. */
export const forwardingOf = (record: RecordedNode, kinds: Kinds, tables: NodeTables | null): Forwarding | null => {
  const { node_id, name, properties, texts = null } = record;
  try {
    return (
      kinds
        .get(record.kind)
        ?.forwarding?.({ node_id, name, properties, ports: portsOf(kinds, record), texts, tables }) ?? null
    );
  } catch {
    // The settings were broken in a file.
    return null;
  }
};
