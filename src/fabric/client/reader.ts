import type { Duplex } from 'node:stream';
import { messageOf } from '../../common/errors.ts';
import { FabricError } from './client.ts';
import { openConsole } from './connect.ts';
import { socketPaths } from './runtime-directory.ts';
import type { FabricKeeper } from './keeper.ts';

/**
 * A fabric that may run for another server: its consoles can be opened, and that is all. It is neither started nor controlled, as who
 * controls it takes the events that wait for a server that writes.
 */
export const readFabric = (dataDir: string): FabricKeeper => {
  const refuse = (): Promise<never> =>
    Promise.reject(new FabricError('failed', 'this server only reads: the log cannot be written'));
  return {
    adopted: false,
    pid: () => 0,
    health: () => ({ state: 'unused', pid: 0, answered_ms: 0, sockets: 'none: this server only reads' }),
    run: refuse,
    one: refuse,
    inventory: refuse,
    console: (nodeId) => firstConsole(dataDir, nodeId),
    onEvent: () => undefined,
    onLost: () => undefined,
    onReplaced: () => undefined,
    close: () => undefined,
    end: () => Promise.resolve(),
  };
};

const firstConsole = async (dataDir: string, nodeId: string): Promise<Duplex> => {
  let failure: unknown = new FabricError('failed', 'no fabric runs');
  for (const socketPath of await socketPaths(dataDir)) {
    try {
      return await openConsole(socketPath, nodeId);
    } catch (error) {
      failure = error;
    }
  }
  throw new FabricError('failed', `the console cannot be opened while this server only reads: ${messageOf(failure)}`);
};
