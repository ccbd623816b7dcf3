import type { KindNode, Properties } from '../../kit/contract.ts';
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
