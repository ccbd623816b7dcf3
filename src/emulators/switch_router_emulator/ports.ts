import type { Port, PortNaming, Properties } from '../kit/contract.ts';
import { adapterPorts, serialPort } from '../ports/port-names.ts';

export const PORTS_PER_ADAPTER = 4;

export const adaptersOf = (properties: Properties): { ethernet: number; serial: number } => ({
  ethernet: Number(properties['ethernet_adapters']),
  serial: Number(properties['serial_adapters']),
});

/** Ethernet adapters first, then the serial ones: `Serial<adapter>/<port>`. */
export const switchRouterPorts = (properties: Properties, naming: PortNaming): Port[] => {
  const { ethernet, serial } = adaptersOf(properties);
  const serials = Array.from({ length: serial * PORTS_PER_ADAPTER }, (_, index) => {
    const [adapter, port] = [ethernet + Math.floor(index / PORTS_PER_ADAPTER), index % PORTS_PER_ADAPTER];
    return serialPort(`Serial${adapter}/${port}`, adapter, port);
  });
  return [...adapterPorts(naming, { adapters: ethernet, portsPerAdapter: PORTS_PER_ADAPTER }), ...serials];
};
