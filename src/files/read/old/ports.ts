import type { Kind } from '../../../emulators/kit/contract.ts';
import type { OldNode, OldPort, PortNumber } from '../../../emulators/kit/old-nodes.ts';
import type { Bag } from '../../fields/json.ts';
import { sixteenBits } from './values.ts';

/** Ports of nodes before revision 5, and which of the node's ports they are now. */

/** As the file has it. */
export const portOf = (raw: Bag, linked: ReadonlySet<unknown>): OldPort => ({
  name: typeof raw.name === 'string' ? raw.name : '',
  adapter: sixteenBits(raw.adapter_number) ?? sixteenBits(raw.slot_number),
  number: sixteenBits(raw.port_number),
  linked: linked.has(raw.id),
  fields: raw,
});

interface MadePort extends PortNumber {
  name: string;
}

/** What the node has now. None where the settings are wrong: the node says so when it is loaded. */
export const portsOf = (kind: Kind, { node_id, name }: OldNode, entry: Bag): MadePort[] => {
  const { look } = kind;
  try {
    return kind.ports(kind.complete(entry.properties as Bag, { node_id, name }), {
      node_id,
      port_name_format: (entry.port_name_format as string | undefined) ?? look.port_name_format,
      port_segment_size: (entry.port_segment_size as number | undefined) ?? look.port_segment_size,
      first_port_name: (entry.first_port_name as string | undefined) ?? null,
      custom_adapters: [],
    });
  } catch {
    return [];
  }
};

/** Undefined: the node has no such port now. */
export const endOf = (
  { name, adapter, number }: OldPort,
  kind: Kind | undefined,
  made: readonly MadePort[],
): PortNumber | undefined => {
  const wished =
    kind?.capabilities.adapter_only === true
      ? { adapter_number: adapter ?? number ?? 0, port_number: 0 }
      : { adapter_number: adapter ?? 0, port_number: number ?? 0 };
  if (made.length === 0) return wished;
  const isNumbered = adapter !== null || number !== null;
  const found =
    made.find(
      (port) => isNumbered && port.adapter_number === wished.adapter_number && port.port_number === wished.port_number,
    ) ?? made.find((port) => port.name === name);
  return found && { adapter_number: found.adapter_number, port_number: found.port_number };
};
