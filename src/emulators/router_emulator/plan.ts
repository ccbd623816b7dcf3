import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import type { ImageContext } from '../shared/images/image-files.ts';
import { portIsFree } from '../shared/host/leases.ts';
import { type Nio, vmName } from './hypervisor/commands.ts';
import { takeOver } from './files.ts';
import { hypervisorArguments } from './hypervisor/program.ts';
import { findRouterImage } from './image.ts';
import type { NodePorts } from './node-ports.ts';
import type { RouterPlan } from './hypervisor/router.ts';
import { type Settings, settingsOf } from './settings.ts';

export interface Plan extends RouterPlan {
  settings: Settings;
  /** Control port of the hypervisor. */
  port: number;
  /** Of the program. */
  args: string[];
}

/** Finds the image, takes the ports and puts the files in order. */
export const planRouter = async (
  node: KindNode,
  { consoles, ...places }: Pick<EngineContext, 'consoles'> & ImageContext,
  ports: NodePorts,
  signal: AbortSignal,
): Promise<Plan> => {
  const settings = settingsOf(node.properties);
  const directory = directoryOf(node);
  const image = await findRouterImage(settings, { ...places, nodeDirectory: directory });
  signal.throwIfAborted();
  await takeOver(directory, settings.id);
  const [port = 0, console = 0] = await ports.take(node.node_id, 2);
  return {
    settings,
    port,
    args: hypervisorArguments(port, await auxAddress(settings, consoles.host)),
    vm: vmName(node.name),
    image,
    nios: await niosFor(node, ports),
    console: node.console_type === 'telnet' ? console : null,
    directory,
  };
};

/** Where the console ports are opened, null: on the loopback. The auxiliary one is the emulator's own for users too. */
const auxAddress = async ({ aux }: Settings, host: string): Promise<string | null> => {
  if (aux === null) return null;
  // The emulator would start without it.
  if (!(await portIsFree(host, aux))) throw conflict(`aux: port ${aux} of ${host} is in use`, { field: 'aux' });
  return host === '127.0.0.1' ? null : host;
};

const niosFor = async ({ node_id, ports: all }: KindNode, ports: NodePorts): Promise<Nio[]> => {
  const taken = await ports.take(node_id, 2 * all.length);
  return all.map(({ adapter_number, port_number }, n) => {
    const [port = 0, fabricPort = 0] = taken.slice(2 * n);
    return { adapter_number, port_number, port, fabricPort };
  });
};

/** Ports of a router that runs already. */
export const portsOf = (port: number, { nios, console }: Pick<RouterPlan, 'nios' | 'console'>): number[] => [
  port,
  ...(console === null ? [] : [console]),
  ...nios.flatMap((nio) => [nio.port, nio.fabricPort]),
];

export const directoryOf = ({ name, node_directory }: Pick<KindNode, 'name' | 'node_directory'>): string => {
  if (node_directory !== null) return path.resolve(node_directory);
  throw conflict(`${name} has no directory for its files`);
};
