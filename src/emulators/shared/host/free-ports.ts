import { once } from 'node:events';
import { createServer } from 'node:net';
import { conflict } from '../../../common/errors.ts';
import { portIsFree, udpPortIsFree } from './ports-in-use.ts';

/** Range for traffic between external programs and the fabric: above the ports of labs, below the ephemeral ones. */
const FIRST = 30_001;
const LAST = 32_767;
const BLOCK = 64;

/** Ports that are free for TCP and UDP on every address. Nobody gets one twice until it is given back. */
interface FreePorts {
  /** Throws a conflict when there are none. */
  take(count: number): Promise<number[]>;
  /** Ports of a program that runs already. Their blocks, which went with the server that started it, are reserved again. */
  keep(ports: readonly number[]): void;
  release(ports: readonly number[]): void;
}

/** Ports in use by any engine of this process. */
const taken = new Set<number>();
const owned: PortBlock[] = [];
const others: PortBlock[] = Array.from({ length: Math.ceil((LAST - FIRST + 1) / BLOCK) }, (_, n) => ({
  first: FIRST + n * BLOCK,
  last: Math.min(LAST, FIRST + (n + 1) * BLOCK - 1),
}));
/** How many ports of the owned blocks were looked at: the search goes round, so that a port is not soon used again. */
let looked = 0;

export const freePorts: FreePorts = {
  async take(count) {
    const found: number[] = [];
    do await lookAtOwned(count, found);
    while (found.length < count && (await reserveAnother()));
    if (found.length === count) return found;
    freePorts.release(found);
    throw conflict(`of the ports ${FIRST} to ${LAST} there are not ${count} free`);
  },
  keep(ports) {
    for (const port of ports) taken.add(port);
    void reserveBlocksOf(ports);
  },
  release: (ports) => ports.forEach((port) => taken.delete(port)),
};

/** Looks through the blocks of this process once, until there are enough. */
const lookAtOwned = async (count: number, found: number[]): Promise<void> => {
  const ports = owned.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, n) => first + n));
  for (let n = 0; n < ports.length && found.length < count; n++) {
    const port = ports[looked++ % ports.length] as number;
    if (taken.has(port)) continue;
    taken.add(port);
    if ((await portIsFree('0.0.0.0', port)) && (await udpPortIsFree('0.0.0.0', port))) found.push(port);
    else taken.delete(port);
  }
};

/** false when all blocks that are left are those of other processes. */
const reserveAnother = async (): Promise<boolean> => {
  const start = Math.floor(Math.random() * others.length);
  for (const block of [...others.slice(start), ...others.slice(0, start)]) {
    // Another caller may have taken the block meanwhile.
    if (others.includes(block) && (await own(block))) return true;
  }
  return false;
};

const own = async (block: PortBlock): Promise<boolean> => {
  if (!(await reserveBlock(block))) return false;
  // Without reservation two callers that come together both get it.
  const at = others.indexOf(block);
  if (at !== -1) owned.push(...others.splice(at, 1));
  return true;
};

/**
 * Reserves the blocks of ports in use. If another server was first, both check each port before they take it, as they do where nothing can
 * be reserved.
 */
const reserveBlocksOf = async (ports: readonly number[]): Promise<void> => {
  for (const port of ports) {
    const block = others.find(({ first, last }) => port >= first && port <= last);
    if (block !== undefined) await own(block);
  }
};

/** Ports that go to one server of this machine at a time. */
export interface PortBlock {
  first: number;
  last: number;
}

/**
 * Resolves true once the block is this process's, until it ends; false when another process has it. Between a look at a port and
 * its use another server could take it; so servers do not even look at each other's. unix(7): a name in the abstract namespace
 * goes with the process, however it ends. Elsewhere than on Linux there is no such namespace, and nothing is reserved.
 */
export const reserveBlock = async ({ first, last }: PortBlock): Promise<boolean> => {
  if (process.platform !== 'linux') return true;
  const holder = createServer();
  try {
    holder.listen({ path: `\0topolog-ports-${first}-${last}`, exclusive: true });
    await once(holder, 'listening');
    holder.unref();
    return true;
  } catch {
    return false;
  }
};
