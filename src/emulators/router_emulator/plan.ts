import { open } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import type { EngineContext, KindNode, Missing } from '../kit/contract.ts';
import { freePorts } from '../shared/host/free-ports.ts';
import { portIsFree } from '../shared/host/ports-in-use.ts';
import { findImage, type ImageContext, imagePlacesOf } from '../shared/images/image-files.ts';
import { adoptFiles } from './files.ts';
import { type Nio, vmName } from './hypervisor/commands.ts';
import { hypervisorArguments } from './hypervisor/hypervisor.ts';
import type { RouterPlan } from './hypervisor/router.ts';
import { type Settings, settingsOf } from './schema.ts';

export interface Plan extends RouterPlan {
  settings: Settings;
  /** Control port of the hypervisor. */
  port: number;
  /** Arguments of the program. */
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
  await adoptFiles(directory, settings.id);
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

/** Address at which the console ports are opened, null: the loopback. Users connect to the auxiliary one directly. */
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

type Where = Readonly<ImageContext & { nodeDirectory: string | null }>;

const placesOf = ({ nodeDirectory, ...context }: Where) => imagePlacesOf(context, 'IOS', nodeDirectory);

/** Absolute path of the router's image. Throws a conflict when it is not there or is none. */
const findRouterImage = async ({ image }: Settings, where: Where): Promise<string> => {
  const file = await findImage('image', image, placesOf(where));
  const wrong = await flawOf(file);
  if (wrong !== null) throw conflict(`image ${file} ${wrong}`, { field: 'image' });
  if (/["\r\n]/.test(file))
    throw conflict(`image ${file} has a double quote or a line end in its path; the emulator takes none`, {
      field: 'image',
    });
  return file;
};

/** null: the image is there. */
export const missingRouterImage = async ({ image }: Settings, where: Where): Promise<Missing | null> => {
  const places = placesOf(where);
  const found = await findImage('image', image, places).catch(() => null);
  return found === null ? { needs: `image ${image}`, install: `put the image into ${places.images[0]}` } : null;
};

/** Octets of an ELF file's head: the magic number, 32 bits, big-endian, version 1, and where its table of sections is. */
const HEAD = 52;

/** null: none that can be seen. The emulator crashes over a file that ends before its sections. */
const flawOf = async (file: string): Promise<string | null> => {
  const opened = await open(file, 'r');
  try {
    const { buffer: head, bytesRead } = await opened.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    if (!/^\x7fELF\x01\x02\x01/.test(head.toString('latin1')))
      return 'is no image of a router: it does not begin as a big-endian ELF file of 32 bits';
    const { size } = await opened.stat();
    const needed = Math.max(HEAD, head.readUInt32BE(32) + head.readUInt16BE(46) * head.readUInt16BE(48));
    return bytesRead < HEAD || size < needed ? `is not whole: it has ${size} bytes of at least ${needed}` : null;
  } finally {
    await opened.close();
  }
};

/** Ports that nodes have for themselves, from before their starts on until they have ended. */
interface NodePorts {
  take(nodeId: string, count: number): Promise<number[]>;
  /** Ports of a node that runs already: all it has. */
  keep(nodeId: string, ports: readonly number[]): void;
  /** Releases all ports of a node; fine when it has none. */
  release(nodeId: string): void;
  end(): void;
}

export const createNodePorts = (): NodePorts => {
  const taken = new Map<string, readonly number[]>();
  const giveBack = (nodeId: string): void => {
    freePorts.release(taken.get(nodeId) ?? []);
    taken.delete(nodeId);
  };
  return {
    async take(nodeId, count) {
      const ports = await freePorts.take(count);
      taken.set(nodeId, [...(taken.get(nodeId) ?? []), ...ports]);
      return ports;
    },
    keep(nodeId, ports) {
      freePorts.keep(ports);
      taken.set(nodeId, ports);
    },
    release: giveBack,
    end() {
      for (const nodeId of [...taken.keys()]) giveBack(nodeId);
    },
  };
};
