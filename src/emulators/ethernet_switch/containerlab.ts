import type { ContainerlabForm } from '../kit/contract.ts';
import { mappingOf } from '../ports/mapped-ports.ts';

/** Bridges of a machine, as containerlab has them, become switches of the lab's own. */
export const containerlab: ContainerlabForm = {
  kinds: ['bridge', 'ovs-bridge'],
  keys: [],
  managed: false,
  word: 'mgmt-net',
  properties: ({ interfaces }) => ({
    ports_mapping: (interfaces.length === 0 ? ['port0'] : interfaces).map((name, port_number) => ({
      ...{ name, port_number, type: 'access', vlan: 1 },
    })),
  }),
  node(properties) {
    const odd = mappingOf(properties).find(({ type, vlan }) => type !== 'access' || (vlan ?? 1) !== 1);
    if (odd !== undefined) throw new Error(`port ${String(odd['name'])} has a VLAN, which bridges there have not`);
    return { keys: {}, addresses: {}, files: [] };
  },
};
