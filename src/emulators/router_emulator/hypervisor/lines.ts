import type { KindNode } from '../../kit/contract.ts';
import type { OutsideLines } from '../../shared/outside-lines.ts';
import type { Nio } from './commands.ts';
import type { Router } from './router.ts';

/**
 * Connects the fabric to a router that runs: its ports over UDP, raw frames of whatever its interface speaks, and its console.
 * One that is connected stays so and gets the node's new name. Resolves with the console's port for users.
 */
export const connectLines = async (
  lines: OutsideLines,
  node: KindNode,
  { nios, console, host }: Pick<Router, 'nios' | 'console'> & { host: string },
  wished: number | null,
): Promise<number | null> => {
  await lines.attach(node, nios, (port) => udpOf(port, nios));
  return console === null ? null : lines.openConsole(node, { host, port: console }, wished);
};

const udpOf = (at: Pick<Nio, 'adapter_number' | 'port_number'>, nios: readonly Nio[]) => {
  const nio = nios.find((one) => one.adapter_number === at.adapter_number && one.port_number === at.port_number);
  return { type: 'udp', lport: nio?.fabricPort ?? 0, rhost: '127.0.0.1', rport: nio?.port ?? 0 } as const;
};
