import type { Client, Schemas } from '../../client/index.ts';
import type { NamedNode } from './things.ts';

type Node = Schemas['Node'];

/** This server, as records name it: by its id, and by that of the helper machine of existing tools. */
const HERE = new Set(['local', 'vm']);

/** Says of a node where it runs and why that cannot be reached; nothing of one that runs at this server. */
export const placesOf = async (client: Client, nodes: readonly NamedNode[]): Promise<(node: Node) => string> => {
  if (nodes.every(({ node }) => node.compute_id === 'local')) return ({ properties }) => away(properties);
  const names = new Map((await client.get('/v2/computes')).map(({ compute_id, name }) => [compute_id, name]));
  return ({ compute_id: id, properties: { unreachable } }) => {
    const name = names.get(id);
    if (name === undefined) return HERE.has(id) ? '' : `at ${id}, which is no compute of this server`;
    if (id === 'local') return away({ unreachable });
    return typeof unreachable === 'string' ? `at ${name}, ${away({ unreachable })}` : `at ${name}`;
  };
};

const away = ({ unreachable }: Node['properties']): string =>
  typeof unreachable === 'string' ? `unreachable: ${unreachable}` : '';
