import { isIP } from 'node:net';
import { conflict } from '../../common/errors.ts';
import type { KindNode, Properties } from '../kit/contract.ts';

/** What a start traces: what it was asked for, or the node's default. Throws a conflict when there is neither. */
export const destinationOf = (
  node: Pick<KindNode, 'name' | 'properties'>,
  { destination: asked }: Properties,
): string => {
  const destination = typeof asked === 'string' && asked.trim() !== '' ? asked : node.properties['default_destination'];
  if (typeof destination === 'string' && destination.trim() !== '') return destination.trim();
  throw conflict(`${node.name} has nothing to trace: give a destination with the start, or a default_destination`);
};

/** RFC 1123: letters, digits and hyphens between dots; underscores are there in practice. A label never begins with a hyphen. */
const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\.?$/;

/** A destination as a program takes it: an address or a host name, nothing that could be an option. Throws a conflict. */
export const checkedDestination = (destination: string): string => {
  if (isIP(destination) !== 0 || HOST_NAME.test(destination)) return destination;
  throw conflict(`destination ${JSON.stringify(destination)} is not an IP address or a host name`, {
    field: 'destination',
  });
};
