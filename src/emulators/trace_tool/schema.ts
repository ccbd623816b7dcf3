import { isIP } from 'node:net';
import { z } from 'zod';
import { conflict } from '../../common/errors.ts';
import type { KindNode, Properties } from '../kit/contract.ts';
import { field, type Fields, text } from '../kit/fields.ts';

/** Address, with a prefix length where it is not /24, and a gateway where one is needed: `10.0.0.5/24 10.0.0.1`. */
const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ADDRESS = `${OCTET}(\\.${OCTET}){3}`;
const source = z
  .string()
  .regex(
    new RegExp(`^(${ADDRESS}(/(3[0-2]|[12]?\\d))?( ${ADDRESS})?)?$`),
    'must be an IPv4 address such as 10.0.0.5/24',
  );

export const fields: Fields = {
  ip_address: field(source, ''),
  /** Address or host name that a start without a destination traces. */
  default_destination: field(text, ''),
};

export const startBody = z.strictObject({ destination: text.optional() });

/** Destination of a start: that of its body, or the node's default. Throws a conflict when there is neither. */
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
