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

/** A command of ip(8) that adds an address or a route. */
interface Added {
  what: 'address' | 'route';
  isV6: boolean;
  /** Address with its prefix length, or destination. */
  value: string;
  /** Word behind another one, such as `dev`. */
  behind: (word: string) => string | undefined;
}

/** Commands after the start that add something to interfaces. */
const addedIn = (properties: Properties): Added[] =>
  ((properties['commands'] as string[] | undefined) ?? [])
    .flatMap((command) => command.replace(/["']/g, ' ').split(/[\n;&|]/))
    .flatMap((line) => {
      const words = line.split(/\s/).filter((word) => word !== '');
      const rest = words.slice(words.findIndex((word) => word === 'ip' || word.endsWith('/ip')) + 1);
      const start = rest.findIndex((word) => !word.startsWith('-'));
      const [object = '', verb = '', value, ...more] = rest.slice(Math.max(0, start));
      const what = { a: 'address', r: 'route' }[object.charAt(0)] as Added['what'] | undefined;
      if (rest.length === words.length || what === undefined || value === undefined) return [];
      if (!['add', 'replace'].includes(verb)) return [];
      const behind = (word: string): string | undefined =>
        more.includes(word) ? more[more.indexOf(word) + 1] : undefined;
      return [{ what, isV6: rest.slice(0, start).includes('-6'), value, behind }];
    });

const addressesAmong = (added: readonly Added[]): Added[] =>
  added.filter(({ what, value }) => what === 'address' && value.includes('/'));

/** Addresses that the settings ask for. Those of commands come first: the others are often for management alone. */
export const givenAddresses = (properties: Properties): string[] => [
  ...addressesAmong(addedIn(properties)).map(({ value }) => value),
  ...interfacesOf(properties).flatMap(({ addresses = [] }) => addresses),
];

/** Addresses and routes that the settings ask for, by themselves or by commands of ip(8) after the start; null without an address. */
export const meantForwarding = ({ properties, ports }: Pick<KnownNode, 'properties' | 'ports'>): Addressed | null => {
  const added = addedIn(properties);
  const given = addressesAmong(added).map(({ value, behind }) => ({ address: value, name: behind('dev') }));
  const interfaces = ports.flatMap(({ adapter_number, port_number }) => {
    const name = interfaceName(properties, adapter_number);
    const own = interfacesOf(properties).find(({ adapter }) => adapter === adapter_number)?.addresses ?? [];
    const addresses = [...own, ...given.filter((one) => one.name === name).map(({ address }) => address)];
    return addresses.length === 0 ? [] : [{ adapter_number, port_number, addresses, mac: null, mtu: MTU }];
  });
  const routes = added.flatMap(({ what, isV6, value, behind }): AddressRoute[] => {
    const via = behind('via');
    if (what !== 'route' || via === undefined) return [];
    const all = !isV6 && !via.includes(':') ? '0.0.0.0/0' : '::/0';
    return [{ to: value === 'default' ? all : value, via }];
  });
  const gateways = interfacesOf(properties).flatMap(({ gateway }) =>
    gateway === undefined ? [] : [{ to: '0.0.0.0/0', via: gateway }],
  );
  return interfaces.length === 0
    ? null
    : { by: 'addresses', interfaces, routes: [...gateways, ...routes], forwards: true, isKnown: false, isMeant: true };
};
