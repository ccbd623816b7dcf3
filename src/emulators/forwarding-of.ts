import type { NodeTables } from '../fabric/protocol.ts';
import type { Forwarding, KnownNode } from './kit/contract.ts';
import { portsOf } from './ports/ports-of.ts';

type Kinds = Parameters<typeof portsOf>[0];
type Recorded = Parameters<typeof portsOf>[1] & { texts?: KnownNode['texts'] };

/** What becomes of packets at a node, by its record and by what it tells where it runs; null: nobody knows. */
export const forwardingOf = (record: Recorded, kinds: Kinds, tables: NodeTables | null): Forwarding | null => {
  const { node_id, name, properties, texts = null } = record;
  try {
    return (
      kinds
        .get(record.kind)
        ?.forwarding?.({ node_id, name, properties, ports: portsOf(kinds, record), texts, tables }) ?? null
    );
  } catch {
    // Settings that came broken out of a file.
    return null;
  }
};
