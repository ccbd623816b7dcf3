import { messageOf } from '../../../common/errors.ts';
import type { KindNode, Properties } from '../../kit/contract.ts';
import { runFed } from '../../shared/network/ip.ts';

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

/** Gives a container that runs and has its interfaces their addresses. Resolves with a sentence where that fails. */
export const giveAddresses = async ({ properties, ports }: KindNode, pid: number): Promise<string[]> => {
  const given = interfacesOf(properties)
    .filter(({ adapter }) => ports.some(({ adapter_number }) => adapter_number === adapter))
    .flatMap(({ adapter, addresses = [] }) =>
      addresses.map((address) => `address replace ${address} dev ${interfaceName(properties, adapter)}`),
    );
  if (given.length === 0) return [];
  try {
    await runFed('nsenter', ['--target', `${pid}`, '--net', 'ip', '-batch', '-'], `${given.join('\n')}\n`, 'ip');
    return [];
  } catch (error) {
    return [`interfaces: its addresses could not be given: ${messageOf(error)}`];
  }
};
