import type { Api } from '../../api.ts';

/** Sorted. Reserved ports count. */
export const portsOf = ({ records, host, commands }: Pick<Api, 'records' | 'host' | 'commands'>) => {
  const nodes = records.projects().flatMap(({ project_id }) => records.ofProject('node', project_id));
  const consoles = nodes.flatMap(({ console }) => (console === null ? [] : [console]));
  const nios = nodes.flatMap((node) => Object.values(node.nios).map((nio) => Number(nio['lport'])));
  const udp = [...nios.filter(Number.isInteger), ...commands.leasedUdpPorts()];
  return {
    console_port_range: host.consoleRange,
    console_ports: sorted(consoles),
    udp_port_range: host.udpRange,
    udp_ports: sorted(udp),
  };
};

const sorted = (ports: readonly number[]): number[] => [...new Set(ports)].sort((a, b) => a - b);
