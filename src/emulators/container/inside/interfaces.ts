import type { Addressed, AddressRoute, KindNode, KnownNode, Properties } from '../../kit/contract.ts';
import type { Step } from './interfaces-file.ts';

/** Settings of an interface in the container: its name and first addresses. */
interface Interface {
  adapter: number;
  name?: string;
  /** Addresses with their prefix lengths. */
  addresses?: string[];
  /** Router of the default route. */
  gateway?: string;
  nameserver?: string;
}

const interfacesOf = (properties: Properties): Interface[] =>
  (properties['interfaces'] as Interface[] | undefined) ?? [];

export const interfaceName = (properties: Properties, adapter: number): string =>
  interfacesOf(properties).find((one) => one.adapter === adapter)?.name ?? `eth${adapter}`;

export const interfaceNames = ({ ports, properties }: KindNode): string[] =>
  ports.map(({ adapter_number }) => interfaceName(properties, adapter_number));

/** Steps that set up the container's interfaces as the node's settings say. */
export const settingSteps = ({ properties, ports }: KindNode): Step[] =>
  interfacesOf(properties)
    .filter(({ adapter }) => ports.some(({ adapter_number }) => adapter_number === adapter))
    .flatMap(({ adapter, addresses = [], gateway, nameserver }) => {
      const name = interfaceName(properties, adapter);
      return [
        ...addresses.map((address) => ip(`address replace ${address} dev ${name}`)),
        ...(gateway === undefined ? [] : [ip(`route replace default via ${gateway} dev ${name}`)]),
        ...(nameserver === undefined ? [] : [hook(name, `echo nameserver ${nameserver} >> /etc/resolv.conf`)]),
      ];
    });

const ip = (line: string): Step => ({ do: 'ip', line });
const hook = (name: string, line: string): Step => ({ do: 'hook', line, phase: 'up', environment: { IFACE: name } });

const MTU = 1500;
const ADDRESS = /\bip (?:-\S+ )*a\w* (?:add|replace) (\S+\/\d+).* dev (\S+)/g;
const ROUTE = /\bip (-6 )?r\w* (?:add|replace) (\S+) via (\S+)/g;

const commandsOf = (properties: Properties): string =>
  ((properties['commands'] as string[] | undefined) ?? []).join('\n');

/** Addresses that the settings ask for. Those of commands come first: the others are often for management alone. */
export const givenAddresses = (properties: Properties): string[] => [
  ...[...commandsOf(properties).matchAll(ADDRESS)].map(([, address = '']) => address),
  ...interfacesOf(properties).flatMap(({ addresses = [] }) => addresses),
];

/** Addresses and routes that the settings ask for, by themselves or by commands of ip(8) after the start; null without an address. */
export const meantForwarding = ({ properties, ports }: Pick<KnownNode, 'properties' | 'ports'>): Addressed | null => {
  const lines = commandsOf(properties);
  const given = [...lines.matchAll(ADDRESS)].map(([, address = '', name]) => ({ address, name }));
  const interfaces = ports.flatMap(({ adapter_number, port_number }) => {
    const name = interfaceName(properties, adapter_number);
    const own = interfacesOf(properties).find(({ adapter }) => adapter === adapter_number)?.addresses ?? [];
    const addresses = [...own, ...given.filter((one) => one.name === name).map(({ address }) => address)];
    return addresses.length === 0 ? [] : [{ adapter_number, port_number, addresses, mac: null, mtu: MTU }];
  });
  const routes = [...lines.matchAll(ROUTE)].map(([, six, to = '', via = '']): AddressRoute => {
    const all = six === undefined && !via.includes(':') ? '0.0.0.0/0' : '::/0';
    return { to: to === 'default' ? all : to, via };
  });
  const gateways = interfacesOf(properties).flatMap(({ gateway }) =>
    gateway === undefined ? [] : [{ to: '0.0.0.0/0', via: gateway }],
  );
  return interfaces.length === 0
    ? null
    : { by: 'addresses', interfaces, routes: [...gateways, ...routes], forwards: true, isKnown: false, isMeant: true };
};
