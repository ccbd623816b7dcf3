import type { HostUse, Properties } from '../contract.ts';
import { mappingOf } from '../mapped-ports.ts';

/** Ports at interfaces of the server's machine; those of UDP send to where a client could send itself. */
export const hostUses = (properties: Properties): HostUse[] => {
  const port = mappingOf(properties).find(({ type }) => type !== 'udp');
  if (port === undefined) return [];
  return [{ field: 'ports_mapping', reason: `port ${String(port.name)} is at an interface of the server’s machine` }];
};
