import { portIsFree, udpPortIsFree } from '../../src/emulators/shared/host/ports-in-use.ts';
import { ownPorts } from './port-block.ts';

let next = 0;
const kept = new Set<number>();

/** Ports of a program that runs already: free or not at the moment, nobody gets them. */
export const keepPorts = (ports: readonly number[]): void => {
  for (const port of ports) kept.add(port);
};

/**
 * A port of this test process's own block, free for TCP and UDP, and given to nobody else: two that pick at random pick the same now
 * and then.
 */
export const freePort = async (): Promise<number> => {
  const [first, last] = await ownPorts();
  for (;;) {
    const port = first + (next++ % (last - first + 1));
    if (kept.has(port)) continue;
    if ((await portIsFree('127.0.0.1', port)) && (await udpPortIsFree('127.0.0.1', port))) return port;
  }
};

export const freePorts = async (count: number): Promise<number[]> => {
  const found: number[] = [];
  while (found.length < count) found.push(await freePort());
  return found;
};
