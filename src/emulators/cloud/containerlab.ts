import type { ContainerlabForm } from '../kit/contract.ts';
import { mappingOf } from '../ports/mapped-ports.ts';

/** The machine itself, as containerlab has it: each interface of it that a link names is one that is made for the link. */
export const containerlab: ContainerlabForm = {
  kinds: ['host'],
  keys: [],
  managed: false,
  word: 'host',
  properties: ({ interfaces }) => ({
    ports_mapping: interfaces.map((name, port_number) => ({ name, port_number, type: 'tap', interface: name })),
  }),
  node(properties) {
    const odd = mappingOf(properties).find(({ type }) => type !== 'tap');
    if (odd !== undefined) throw new Error(`port ${String(odd['name'])} is no interface that is made for a link`);
    return { keys: {}, addresses: {}, files: [] };
  },
};
