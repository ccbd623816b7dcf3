import type { KindNode, Properties } from '../../kit/contract.ts';

/** Settings of an interface in the container: its name and first addresses. */
interface Interface {
  adapter: number;
  name?: string;
  /** Addresses with their prefix lengths. */
  addresses?: string[];
}

const interfacesOf = (properties: Properties): Interface[] =>
  (properties['interfaces'] as Interface[] | undefined) ?? [];

export const interfaceName = (properties: Properties, adapter: number): string =>
  interfacesOf(properties).find((one) => one.adapter === adapter)?.name ?? `eth${adapter}`;

export const interfaceNames = ({ ports, properties }: KindNode): string[] =>
  ports.map(({ adapter_number }) => interfaceName(properties, adapter_number));

/** Commands of ip(8) that give the container's interfaces their addresses. */
export const addressLines = ({ properties, ports }: KindNode): string[] =>
  interfacesOf(properties)
    .filter(({ adapter }) => ports.some(({ adapter_number }) => adapter_number === adapter))
    .flatMap(({ adapter, addresses = [] }) =>
      addresses.map((address) => `address replace ${address} dev ${interfaceName(properties, adapter)}`),
    );
