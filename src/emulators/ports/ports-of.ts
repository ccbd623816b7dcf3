import { memo } from '../../common/memo.ts';
import type { Kind, Port, PortNaming, Properties } from '../kit/contract.ts';

/** A node as its record has it. */
interface Recorded extends PortNaming {
  kind: string;
  name: string;
  properties: Properties;
  failure: { code: string } | null;
}

interface Kinds {
  get(name: string): Kind | undefined;
}

/** Ports of a node: read off its kind and its settings when they are wanted, never stored. */
export const portsOf = (kinds: Kinds, node: Recorded): Port[] => ports(node, kinds);

const ports = memo((node: Recorded, kinds: Kinds): Port[] => {
  const kind = kinds.get(node.kind);
  if (kind === undefined) return [];
  try {
    return kind.ports(node.failure?.code === 'broken' ? repaired(kind, node) : node.properties, node);
  } catch {
    return [];
  }
});

/** What came broken out of a project file has ports when only its other fields are wrong. Throws when its settings are. */
const repaired = (kind: Kind, node: Recorded): Properties => {
  const ours = Object.entries(node.properties).filter(([key]) => Object.hasOwn(kind.properties.shape, key));
  kind.properties.parse(Object.fromEntries(ours));
  return kind.complete(node.properties, node);
};
