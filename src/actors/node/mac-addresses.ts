import type { Kind, Properties } from '../../emulators/kit/contract.ts';
import type { NodeFields } from '../../events/fields.ts';

/** Properties that existing tools keep MAC addresses in, whatever the kind. */
const KEYS = ['mac_address', 'mac_addr'];

/** Properties without the addresses: null where one was. */
export const withoutMacs = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, KEYS.includes(key) ? null : value]));

export const withoutAdapterMacs = (adapters: NodeFields['custom_adapters']): NodeFields['custom_adapters'] =>
  adapters.map(({ mac_address: _, ...adapter }) => adapter);

/** A copy of a node with addresses of its own: those that its kind makes of its id. */
export const withOwnMacs = (kind: Kind | undefined, node: NodeFields): NodeFields => {
  const custom_adapters = withoutAdapterMacs(node.custom_adapters);
  if (kind === undefined || node.failure !== null) return { ...node, custom_adapters };
  const properties = kind.complete(withoutMacs(node.properties), node);
  return { ...node, custom_adapters, properties };
};
