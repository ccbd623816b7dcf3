import type { HostUse, Properties } from '../kit/contract.ts';
import { mappingOf } from '../ports/mapped-ports.ts';

/** Ports at interfaces of the server's machine; those of UDP send to where a client could send itself. */
export const hostUses = (properties: Properties): HostUse[] =>
  mappingOf(properties)
    .filter(({ type }) => type !== 'udp')
    .map((port) => ({
      field: 'ports_mapping',
      reason: `port ${String(port.name)} is at an interface of the server’s machine`,
      interface: String(port['interface']),
    }));
