import { once } from 'node:events';
import { createServer } from 'node:net';

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
