import type { PortAddress } from '../caller.ts';

/** Names a port within its node. */
export type PortNumbers = Pick<PortAddress, 'adapter_number' | 'port_number'>;

/** As the keys of a node's NIOs and captures have it: `<adapter>/<port>`. */
export const portKey = ({ adapter_number, port_number }: PortNumbers): string => `${adapter_number}/${port_number}`;

export const parsePort = (key: string): PortNumbers => {
  const [adapter = '0', port = '0'] = key.split('/');
  return { adapter_number: Number(adapter), port_number: Number(port) };
};
