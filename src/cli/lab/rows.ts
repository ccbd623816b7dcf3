import type { Client } from '../../client/index.ts';
import { placesOf } from './places.ts';
import type { NamedLink, NamedNode, NamedProject } from './things.ts';

/** A node in a line: name, state, kind, console, and where it runs if that is not here. */
export const nodeRows = async (client: Client, nodes: readonly NamedNode[]): Promise<string[][]> => {
  const placeOf = await placesOf(client, nodes);
  return nodes.map(({ node }) => {
    const { name, status, node_type, console, console_type, console_host } = node;
    const at = console === null ? '' : `${console_type} ${console_host} ${console}`;
    return [name, status, node_type, at, placeOf(node)];
  });
};

/** A link in a line: its ends, state, type, filters. */
export const linkRow = ({ link, names }: NamedLink): string[] => {
  const filters = Object.keys(link.filters);
  const state = link.suspend ? 'suspended' : link.capturing ? 'capturing' : 'linked';
  return [names[1] ?? names[0], state, link.link_type, filters.length === 0 ? '' : JSON.stringify(link.filters)];
};

/** A project in a line: name, state, id. */
export const projectRow = ({ name, status, project_id }: NamedProject['project']): string[] => [
  name ?? project_id,
  status,
  project_id,
];
