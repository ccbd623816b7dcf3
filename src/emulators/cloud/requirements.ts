import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { AllowedInterfaces, KindNode, Missing } from '../kit/contract.ts';
import { mappingOf } from '../ports/ports.ts';
import {
  type HostInterface,
  hostInterfaces,
  interfaceOf,
  type InterfaceState,
  isInterfaceName,
} from '../shared/host/interfaces.ts';
import { networkLacks } from '../shared/network/privileges.ts';
import type { InterfaceMapping, Mapping, PortType } from './schema.ts';

/** Types of port that each engine of a cloud takes. What serves one of them serves those before it as well. */
const TYPES = {
  udp: ['udp'],
  tap: ['udp', 'tap'],
  ethernet: ['udp', 'tap', 'ethernet'],
} as const satisfies Record<PortType, readonly PortType[]>;

const SIMULATE = 'set properties.engine to "simulated" to go on without it';
const UDP_INSTEAD = `make udp ports of them, or ${SIMULATE}`;

type Ports = Pick<KindNode, 'properties' | 'linked'>;

const mappingsOf = (node: Ports): Mapping[] => mappingOf(node.properties) as unknown as Mapping[];

/** Ports with a link, each with its number: files name interfaces of their authors' machines, which matter only with a link. */
export const linkedMappings = (node: Ports): (readonly [number, Mapping])[] =>
  [...mappingsOf(node).entries()].filter(
    ([number]) => node.linked?.some(({ port_number }) => port_number === number) !== false,
  );

/** Lists what an engine lacks for any port of its own type. */
export const engineLacks = async (type: PortType): Promise<Missing | null> => {
  switch (type) {
    case 'udp':
      return null;
    case 'tap':
      return tapsLack('tap ports');
    case 'ethernet':
      return networkLacks({ socat: 'socat' }, 'ethernet ports', UDP_INSTEAD, ['CAP_NET_RAW']);
  }
};

/** Finds what is missing to run a cloud by the engine of that name: the first thing that helps a user, whichever engine is asked. */
export const cloudLacks = async (name: PortType, node: Ports): Promise<Missing | null> => {
  for (const [, mapping] of linkedMappings(node)) {
    const lacks = mapping.type === 'udp' ? null : await portLacks(mapping);
    if (lacks !== null) return lacks;
  }
  const taken: readonly PortType[] = TYPES[name];
  const other = mappingsOf(node).find(({ type }) => !taken.includes(type));
  if (other === undefined) return null;
  return {
    needs: `the engine ${other.type} for port ${other.name} of type ${other.type}`,
    install: `leave properties.engine out, or set it to "${other.type}"`,
  };
};

/** Finds what is missing for a port towards an interface of this machine. */
const portLacks = async (mapping: InterfaceMapping): Promise<Missing | null> => {
  const what = `port ${mapping.name} of type ${mapping.type}`;
  if (!isInterfaceName(mapping.interface))
    return { needs: `an interface for ${what}`, install: `${mapping.interface} cannot be the name of an interface` };
  const found = await interfaceOf(mapping.interface);
  return mapping.type === 'tap' ? tapLacks(mapping, what, found) : ethernetLacks(mapping, what, found);
};

/** Interfaces of this machine that a cloud may lead to, as existing tools list them. */
export const machineInterfaces = async (allowed: AllowedInterfaces): Promise<Listed[]> => {
  const all = await hostInterfaces();
  const may = allowed === 'any' ? all : all.filter(({ name }) => allowed.includes(name));
  return may.map(({ name, type, special }) => ({ name, type, special }));
};
type Listed = Pick<HostInterface, 'name' | 'type' | 'special'>;

/** A port for every such interface that one can lead to now, by name; none where a program or a privilege is missing. */
export const machinePorts = async (allowed: AllowedInterfaces): Promise<InterfaceMapping[]> => {
  // Special ones only where they were named.
  const interfaces = (await machineInterfaces(allowed)).filter(({ special }) => allowed !== 'any' || !special);
  const ports = interfaces.map(({ name, type }) => ({ name, port_number: 0, type, interface: name }));
  const lacks = await Promise.all(ports.map(portLacks));
  return ports.filter((_, i) => lacks[i] === null).map((port, port_number) => ({ ...port, port_number }));
};

const tapLacks = async (
  { interface: name }: InterfaceMapping,
  what: string,
  found: InterfaceState | null,
): Promise<Missing | null> => {
  if (found?.tap === false)
    return { needs: `a TAP device for ${what}`, install: `${name} is none; name another, or make it an ethernet port` };
  return tapsLack(what);
};

/** Also for a device that is the user's own: socat sets its flags, which takes privileges. */
const tapsLack = async (what: string): Promise<Missing | null> =>
  (await networkLacks({ socat: 'socat' }, what, UDP_INSTEAD, ['CAP_NET_ADMIN'])) ?? tunLacks(what);

const TUN = '/dev/net/tun';

const tunLacks = async (what: string): Promise<Missing | null> => {
  try {
    await access(TUN, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return {
      needs: `${TUN} for ${what}`,
      install: absent ? `mkdir -p /dev/net && mknod -m 0666 ${TUN} c 10 200` : `sudo chmod 0666 ${TUN}`,
    };
  }
};

const ethernetLacks = async (
  { interface: name }: InterfaceMapping,
  what: string,
  found: InterfaceState | null,
): Promise<Missing | null> => {
  if (found === null)
    return {
      needs: `the interface ${name} for ${what}`,
      install: 'this machine has none of that name: ip link shows those that it has',
    };
  if (!found.up) return { needs: `the interface ${name} up for ${what}`, install: `ip link set dev ${name} up` };
  return networkLacks({ socat: 'socat' }, what, UDP_INSTEAD, ['CAP_NET_RAW']);
};
