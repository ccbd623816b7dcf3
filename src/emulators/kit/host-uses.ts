import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { TopologError } from '../../common/errors.ts';
import type { HostUse, Kind, KindNode, Properties } from './contract.ts';

/**
 * Throws `forbidden` for a setting by which a node would use what a server that is not local keeps from its clients. `interfaces`: those that they
 * may use; `before`: what the node has already; that stays, and only its start is refused. `linked`: ports that are used; absent: all.
 */
export const refuseHostUses = (
  kind: Kind,
  properties: Properties,
  before: Properties = {},
  {
    interfaces = [],
    linked,
  }: { interfaces?: readonly string[] | undefined; linked?: KindNode['linked'] | undefined } = {},
): void => {
  const isUsed = ({ port_number: port }: HostUse): boolean =>
    port === undefined || linked === undefined || linked.some(({ port_number }) => port_number === port);
  const isAllowed = (name: string | undefined): boolean => name !== undefined && interfaces.includes(name);
  const use = kind
    .hostUses(properties)
    .find(
      (one) => isUsed(one) && !isAllowed(one.interface) && !isDeepStrictEqual(properties[one.field], before[one.field]),
    );
  if (use !== undefined) throw hostUse(use);
};

export const hostUse = ({ field, reason, interface: name }: HostUse): TopologError => {
  const flags = `--local${name === undefined ? '' : ` or --allow-interface ${name}`}`;
  return new TopologError('forbidden', {
    reason: `${field}: ${reason}; only a server started with ${flags} does that`,
    field,
  });
};

/** Uses by settings that name files, which are to be names of images. */
export const hostPaths = (
  properties: Properties,
  fields: readonly string[],
  reason = 'it is a path of the server’s machine, not the name of an image',
): HostUse[] =>
  fields
    .filter((field) => {
      const name = properties[field];
      return typeof name === 'string' && (isAbsolute(name) || name.split(/[\\/]/).includes('..'));
    })
    .map((field) => ({ field, reason }));

const isAbsolute = (name: string): boolean => path.posix.isAbsolute(name) || path.win32.isAbsolute(name);
